import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import type { MemberForm } from '#web/office/data/member-texts.ts';
import type { MemberSchema } from '#web/office/data/operations.ts';
import { ActFields } from '#web/office/parts/act-fields.tsx';
import { AccountField, type People, usePeople } from '#web/office/sandbox/account-field.tsx';
import {
  type FaultEntry,
  type FaultVariant,
  firstEntry,
  matchForms,
  readFault,
  type Striking,
  variantsOf,
} from '#web/office/sandbox/fault-entry.ts';
import { faultKind, inOrder, kindTitle } from '#web/office/sandbox/fault-kinds.ts';
import { type ControlFaults, useControl } from '#web/office/sandbox/use-control.ts';

const strikings: readonly { readonly value: Striking; readonly text: string; readonly label: string }[] = [
  { value: 'each', text: 'Each one', label: '' },
  { value: 'nth', text: 'The nth alone', label: 'Which one' },
  { value: 'every', text: 'Every nth', label: 'Every so many' },
  { value: 'probabilityPpm', text: 'By chance', label: 'Chance' },
];

/** Faults of members below a pointer, by their own names. */
const below = (faults: ControlFaults, pointer: string): ControlFaults =>
  Object.fromEntries(
    Object.entries(faults).flatMap(([name, text]) =>
      name.startsWith(`${pointer}/`) ? [[name.slice(pointer.length + 1), text]] : [],
    ),
  );

interface FaultFormProps {
  /** What the body of a rule is. */
  readonly body: MemberSchema | null;
  readonly onDone: () => void;
}

interface EntryFieldsProps {
  readonly entry: FaultEntry;
  readonly faults: ControlFaults;
  readonly enter: (part: Partial<FaultEntry>) => void;
  readonly enterIn: (place: 'fault' | 'match', name: string, value: string) => void;
}

/** Which requests or pushes a rule is about. */
const MatchFields = ({
  entry,
  faults,
  enterIn,
  forms,
  people,
}: EntryFieldsProps & { readonly forms: readonly MemberForm[]; readonly people: People }) => (
  <div class="control-grid">
    <ActFields
      forms={forms.filter(({ name }) => name !== 'account')}
      entries={entry.match}
      faults={below(faults, 'match')}
      onEnter={(name, value) => enterIn('match', name, value)}
    />
    {forms.some(({ name }) => name === 'account') ? (
      <AccountField
        label="Account"
        value={entry.match['account'] ?? ''}
        people={people}
        none="All"
        onInput={(uid) => enterIn('match', 'account', uid)}
        fault={faults['match/account']}
      />
    ) : null}
  </div>
);

/** Which of them a rule strikes, how often and for how long. */
function StrikingFields({ entry: { striking, number, count, span }, faults, enter }: EntryFieldsProps) {
  const { label = '' } = strikings.find(({ value }) => value === striking) ?? {};
  return (
    <div class="control-grid">
      <ChoiceField
        label="Which of them"
        value={striking}
        choices={strikings}
        onChoose={(chosen) => enter({ striking: chosen })}
      />
      {striking === 'each' ? null : (
        <Field
          label={label}
          value={number}
          inputMode="decimal"
          unit={striking === 'probabilityPpm' ? '%' : undefined}
          onInput={(entered) => enter({ number: entered })}
          fault={faults[`match/${striking}`]}
        />
      )}
      <Field
        label="At most so often"
        value={count}
        inputMode="decimal"
        placeholder="without end"
        onInput={(entered) => enter({ count: entered })}
        fault={faults['count']}
      />
      <Field
        label="For so long"
        value={span}
        placeholder="until removed, or 90 s, 15 m"
        onInput={(entered) => enter({ span: entered })}
        fault={faults['forMs']}
      />
    </div>
  );
}

/** Adds a rule: its kind, what it does, which requests or pushes it is about, and how long it holds. */
export function FaultForm({ body, onDone }: FaultFormProps) {
  const variants = variantsOf(body);
  const ordered = inOrder(variants.map(({ kind }) => kind));
  const variantOf = (kind: string): FaultVariant => variants.find((each) => each.kind === kind) ?? { kind, forms: [] };
  const { people } = usePeople();
  const [entry, setEntry] = useState<FaultEntry>(() => firstEntry(variantOf(ordered[0] ?? '')));
  const { kind, striking } = entry;
  const forms = { fault: variantOf(kind).forms, match: matchForms(body, entry) };
  const names = [
    ...forms.fault.map(({ name }) => `fault/${name}`),
    ...[...forms.match.map(({ name }) => `match/${name}`), `match/${striking}`, 'count', 'forMs'],
  ];
  const control = useControl(names);
  const { faults } = control;
  const enter = (part: Partial<FaultEntry>): void => setEntry((now) => ({ ...now, ...part }));
  const enterIn = (place: 'fault' | 'match', name: string, value: string): void =>
    setEntry((now) => ({ ...now, [place]: { ...now[place], [name]: value } }));
  const add = async (): Promise<void> => {
    const { rule, faults: found } = readFault(entry, forms);
    if (Object.keys(found).length > 0) control.refuse(found);
    else if ((await control.run('addFault', rule, 'The rule is in force.')) !== null) onDone();
  };
  const parts = { entry, faults, enter, enterIn };
  return (
    <form
      class="office-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <ChoiceField
        label="What happens"
        value={kind}
        choices={ordered.map((value) => ({ value, text: kindTitle(value) }))}
        onChoose={(chosen) => enter({ kind: chosen, fault: firstEntry(variantOf(chosen)).fault })}
      />
      <p class="soft">{faultKind(kind).about}</p>
      <div class="control-grid">
        <ActFields
          forms={forms.fault}
          entries={entry.fault}
          faults={below(faults, 'fault')}
          onEnter={(name, value) => enterIn('fault', name, value)}
        />
      </div>
      <h3>To what</h3>
      <MatchFields {...parts} forms={forms.match} people={people} />
      <h3>How often</h3>
      <StrikingFields {...parts} />
      <Refused text={faults[''] ?? null} />
      <div class="office-acts">
        <Button kind="primary" type="submit" disabled={control.isBusy}>
          Add the rule
        </Button>
      </div>
    </form>
  );
}
