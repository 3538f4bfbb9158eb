import { useState } from 'preact/hooks';
import { ChoiceField, Field } from '#web/design/field.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';

/** An account as it is chosen. */
type Person = Pick<Item<'listAccounts'>, 'uid' | 'name'>;

const peopleMax = 100;
/** Uids are above it. */
const another = 'another';

/** People whose accounts can be chosen; `null`: they are not known yet, none: the token may not read them. */
export type People = readonly Person[] | null;

/** Accounts that nobody simulates. */
export function usePeople(): { readonly people: People; readonly reload: () => void } {
  const { value, fault, reload } = useList('listAccounts', { limit: peopleMax });
  return { people: value?.filter(({ simulated }) => !simulated) ?? (fault === null ? null : []), reload };
}

interface AccountFieldProps {
  readonly label: string;
  /** A uid as text; empty: none. */
  readonly value: string;
  readonly people: People;
  readonly onInput: (uid: string) => void;
  /** What it means that none is chosen. */
  readonly none: string;
  readonly fault?: string | undefined;
}

/** An account, chosen by its name or typed in by its uid. */
export function AccountField({ label, value, people, onInput, none, fault }: AccountFieldProps) {
  const [isTyped, setTyped] = useState(false);
  const isListed = value === '' || people === null || people.some(({ uid }) => String(uid) === value);
  const choose = (chosen: string): void => {
    setTyped(chosen === another);
    onInput(chosen === another ? '' : chosen);
  };
  if (people?.length === 0) return <Field label={`${label} (uid)`} value={value} onInput={onInput} fault={fault} />;
  const isOther = isTyped || !isListed;
  return (
    <div class="office-member">
      <ChoiceField
        label={label}
        value={isOther ? another : value}
        choices={[
          { value: '', text: none },
          ...(people ?? []).map(({ uid, name }) => ({ value: String(uid), text: `${name} · ${uid}` })),
          { value: another, text: 'Another uid' },
        ]}
        onChoose={choose}
      />
      {isOther ? (
        <Field label={`${label} (uid)`} value={value} onInput={onInput} inputMode="decimal" fault={fault} />
      ) : fault === undefined ? null : (
        <span class="field-fault">{fault}</span>
      )}
    </div>
  );
}
