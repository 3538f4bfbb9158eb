import { TimeText } from '#web/design/values.tsx';
import { grouped } from '#web/design/number-text.ts';
import { labelOf } from '#web/office/data/member-texts.ts';

/** Members whose whole numbers are moments. */
const isMomentName = (name: string): boolean => /(^at|At|Until|Before)$/.test(name);
const isAmount = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
/** Members whose texts of digits are no amounts. */
const isNumberName = (name: string): boolean => /id$|txId|transaction|memo|address|mobile|nonce|hash/i.test(name);

/** Millionths, and what they are in percent. */
const ppmText = (ppm: number): string => (ppm === 0 ? '0' : `${ppm} (${Number((ppm / 10_000).toFixed(4))} %)`);

/** A value of an answer, by the name of its member. */
export function MemberValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value === null || value === undefined || value === '') return <span class="soft">–</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number' && isMomentName(name) && value > 1e11) return <TimeText at={value} />;
  if (typeof value === 'number' && name.endsWith('Ppm')) return <span class="number">{ppmText(value)}</span>;
  if (typeof value === 'number') return <span class="number">{value}</span>;
  if (typeof value === 'string')
    return isAmount(value) && !isNumberName(name) ? <span class="number">{grouped(value)}</span> : <span>{value}</span>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="soft">none</span>;
    if (value.every((each) => typeof each !== 'object')) return <>{value.join(', ')}</>;
    return (
      <ul class="office-values">
        {value.map((each, index) => (
          <li key={`${index}`}>
            <MemberValue name={name} value={each} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <span class="office-structure">
      {Object.entries(value).map(([inner, each]) => (
        <span key={inner}>
          <span class="soft">{labelOf(inner)}</span> <MemberValue name={inner} value={each} />
        </span>
      ))}
    </span>
  );
}

interface RecordViewProps {
  readonly record: object;
  /** Members that are shown, in this order; without it all. */
  readonly members?: readonly string[];
  readonly without?: readonly string[];
}

/** The members of a record with their values. */
export function RecordView({ record, members, without = [] }: RecordViewProps) {
  const values = record as Readonly<Record<string, unknown>>;
  const shown = (members ?? Object.keys(values)).filter((name) => name in values && !without.includes(name));
  return (
    <dl class="office-record">
      {shown.map((name) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <MemberValue name={name} value={values[name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
