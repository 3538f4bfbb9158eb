import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { TimeText } from '#web/design/values.tsx';
import type { AnyMembers, Members } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';
import { MemberValue, RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';
import { labelOf } from '#web/office/data/member-texts.ts';
import { useOperation } from '#web/office/parts/use-operation.ts';

type Filters = Readonly<Record<'actor' | 'targetType' | 'targetId' | 'command' | 'refused' | 'from' | 'to', string>>;
const noFilters: Filters = { actor: '', targetType: '', targetId: '', command: '', refused: '', from: '', to: '' };

const momentOf = (date: string, end: string): number | undefined => {
  const at = Date.parse(`${date}T${end}Z`);
  return Number.isNaN(at) ? undefined : at;
};

/** What is asked for; days are whole days of UTC. */
function membersOf({ from, to, ...words }: Filters): Members<'listActs'> {
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value.trim() !== ''));
  const asked: AnyMembers = {
    ...given,
    ...(words.targetType === '' ? { targetId: undefined } : {}),
    from: momentOf(from, '00:00:00.000'),
    to: momentOf(to, '23:59:59.999'),
  };
  return asked as Members<'listActs'>;
}

function FilterForm({ onAsk }: { readonly onAsk: (filters: Filters) => void }) {
  const [filters, setFilters] = useState(noFilters);
  const operation = useOperation('listActs');
  const kinds = operation?.query.get('targetType')?.enum ?? [];
  const set = (name: keyof Filters) => (value: string) => setFilters((now) => ({ ...now, [name]: value }));
  const any = { value: '', text: 'any' };
  return (
    <form
      class="office-filters"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(filters);
      }}
    >
      <Field label="Who" value={filters.actor} onInput={set('actor')} />
      <ChoiceField
        label="About"
        value={filters.targetType}
        choices={[any, ...kinds.map((kind) => ({ value: kind, text: labelOf(kind) }))]}
        onChoose={set('targetType')}
      />
      <Field
        label="Which"
        value={filters.targetId}
        onInput={set('targetId')}
        placeholder="uid, ticker, number"
        isDisabled={filters.targetType === ''}
      />
      <Field label="Command" value={filters.command} onInput={set('command')} />
      <ChoiceField
        label="Outcome"
        value={filters.refused}
        choices={[any, { value: 'false', text: 'done' }, { value: 'true', text: 'refused' }]}
        onChoose={set('refused')}
      />
      <Field label="From (UTC)" value={filters.from} onInput={set('from')} placeholder="2026-01-31" />
      <Field label="To (UTC)" value={filters.to} onInput={set('to')} placeholder="2026-01-31" />
      <Button kind="primary" type="submit">
        Find
      </Button>
    </form>
  );
}

interface Change {
  readonly member: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const Changes = ({ changes }: { readonly changes: readonly Change[] }) => (
  <ul class="office-values">
    {changes.map(({ member, before, after }) => (
      <li key={member}>
        <span class="soft">{labelOf(member)}</span>{' '}
        {before === null || before === undefined ? null : (
          <>
            <del>
              <MemberValue name={member} value={before} />
            </del>{' '}
            →{' '}
          </>
        )}
        <ins>
          <MemberValue name={member} value={after} />
        </ins>
      </li>
    ))}
  </ul>
);

function Found({ filters }: { readonly filters: Filters }) {
  const list = useList('listActs', membersOf(filters));
  return (
    <ListView
      list={list}
      label="Acts"
      keyOf={({ number }) => String(number)}
      empty="No act is so."
      columns={[
        { title: 'Number', cell: ({ number }) => number },
        { title: 'When', cell: ({ at }) => <TimeText at={at} /> },
        { title: 'Who', cell: ({ actor, token, address }) => <span title={`${token} from ${address}`}>{actor}</span> },
        { title: 'Command', cell: ({ command }) => labelOf(command) },
        {
          title: 'About',
          cell: ({ target: { type, id } }) =>
            type === 'account' && id !== null ? (
              <a href={`/accounts/${id}`}>{`Account ${id}`}</a>
            ) : (
              `${labelOf(type)} ${id ?? ''}`
            ),
        },
        {
          title: 'What',
          style: 'office-wide',
          cell: ({ changes, parameters, refusal }) => (
            <>
              {refusal === null ? null : <span class="down">Refused: {refusal}</span>}
              {changes.length > 0 ? <Changes changes={changes as readonly Change[]} /> : null}
              <details>
                <summary>Parameters</summary>
                <RecordView record={parameters} />
              </details>
            </>
          ),
        },
        { title: 'Why', style: 'office-wide', cell: ({ reason }) => reason ?? '–' },
      ]}
    />
  );
}

function Acts() {
  const [filters, setFilters] = useState(noFilters);
  return (
    <Part title="Find">
      <FilterForm onAsk={setFilters} />
      <Found filters={filters} />
    </Part>
  );
}

/** The audit: what operators did and were refused, with old and new values. DEC-WEB-47. */
export const Page = () => (
  <OfficePage title="Acts" scope="acts:read">
    <Acts />
  </OfficePage>
);
