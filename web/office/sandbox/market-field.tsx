import { ChoiceField, Field } from '#web/design/field.tsx';

interface MarketFieldProps {
  readonly label: string;
  readonly value: string;
  /** Names that can be chosen; none: the name is typed in. */
  readonly names: readonly string[];
  readonly onInput: (value: string) => void;
  readonly fault?: string | undefined;
}

/** A pair, contract or coin: chosen where it is known which there are, else typed in. */
export function MarketField({ label, value, names, onInput, fault }: MarketFieldProps) {
  if (names.length === 0) return <Field label={label} value={value} onInput={onInput} fault={fault} />;
  const choices = names.map((name) => ({ value: name, text: name }));
  const none = value === '' ? [{ value: '', text: '–' }] : [];
  return (
    <div class="office-member">
      <ChoiceField label={label} value={value} choices={[...none, ...choices]} onChoose={onInput} />
      {fault === undefined ? null : <span class="field-fault">{fault}</span>}
    </div>
  );
}
