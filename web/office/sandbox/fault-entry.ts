import { entryText, entryValue, type MemberForm, memberForms } from '#web/office/data/member-texts.ts';
import type { MemberSchema } from '#web/office/data/operations.ts';
import { faultKind, isMatchedBy } from '#web/office/sandbox/fault-kinds.ts';
import { spanOf } from '#web/office/sandbox/span-text.ts';

/** What was entered, by the name of the member. */
type Entries = Readonly<Record<string, string>>;

/** Which of the requests or pushes that match are struck. */
export type Striking = 'each' | 'nth' | 'every' | 'probabilityPpm';

/** What was entered of a rule. */
export interface FaultEntry {
  readonly kind: string;
  /** Members of the fault, and of what it is about. */
  readonly fault: Entries;
  readonly match: Entries;
  readonly striking: Striking;
  /** Which one, or how many in a hundred. */
  readonly number: string;
  readonly count: string;
  /** How long it holds, as people write a span. */
  readonly span: string;
}

/** A kind of fault with the members that it takes. */
export interface FaultVariant {
  readonly kind: string;
  readonly forms: readonly MemberForm[];
}

const ownMembers = ['nth', 'every', 'probabilityPpm'];

/** The kinds of faults that the body of a rule takes, as the document of the operator API has them. */
export const variantsOf = (body: MemberSchema | null): readonly FaultVariant[] =>
  (body?.properties?.['fault']?.oneOf ?? []).map((schema) => ({
    kind: schema.properties?.['kind']?.const ?? '',
    forms: memberForms(schema, ['kind']),
  }));

/** What the form begins with for a kind: the exchange's defaults, else ours. */
export const firstEntry = ({ kind, forms }: FaultVariant): FaultEntry => ({
  kind,
  fault: {
    ...Object.fromEntries(forms.map(({ name, kind: how, defaultValue }) => [name, entryText(how, defaultValue)])),
    ...faultKind(kind).first,
  },
  ...{ match: {}, striking: 'each', number: '', count: '', span: '' },
});

/** What a rule of a kind can be narrowed down by; the chance of one has a seed. */
export const matchForms = (body: MemberSchema | null, { kind, striking }: FaultEntry): readonly MemberForm[] =>
  memberForms(body?.properties?.['match'] ?? null, ownMembers).filter(
    ({ name }) => isMatchedBy(kind, name) && (name !== 'seed' || striking === 'probabilityPpm'),
  );

/** Parts of a hundred, as parts per million. */
function ppmOf(text: string): number {
  if (!/^\d{1,3}(?:\.\d{1,4})?$/.test(text.trim())) throw new Error('It must be a share in percent such as 20 or 0.5.');
  return Math.round(Number(text) * 10_000);
}

function wholeOf(text: string): number {
  if (!/^\d{1,10}$/.test(text.trim())) throw new Error('It must be a whole number.');
  return Number(text);
}

/** A rule as it is sent, and what cannot be read, by pointers without their first slash. */
export interface FaultReading {
  readonly rule: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, string>>;
}

/** Reads what was entered. `forms`: those of the kind, and those of what it is about. */
export function readFault(
  { kind, fault, match, striking, number, count, span }: FaultEntry,
  forms: { readonly fault: readonly MemberForm[]; readonly match: readonly MemberForm[] },
): FaultReading {
  const faults: Record<string, string> = {};
  const read = <Value>(pointer: string, value: () => Value): Value | undefined => {
    try {
      return value();
    } catch (error) {
      faults[pointer] = (error as Error).message;
      return undefined;
    }
  };
  const membersOf = (name: 'fault' | 'match', entries: Entries): object =>
    Object.fromEntries(
      forms[name].map((form) => [
        form.name,
        read(`${name}/${form.name}`, () => entryValue(form, entries[form.name] ?? '')),
      ]),
    );
  const struck =
    striking === 'each'
      ? {}
      : { [striking]: read(`match/${striking}`, () => (striking === 'probabilityPpm' ? ppmOf : wholeOf)(number)) };
  const rule = {
    match: { ...membersOf('match', match), ...struck },
    count: count.trim() === '' ? null : read('count', () => wholeOf(count)),
    forMs: span.trim() === '' ? null : read('forMs', () => spanOf(span)),
    fault: { kind, ...membersOf('fault', fault) },
  };
  return { rule, faults };
}
