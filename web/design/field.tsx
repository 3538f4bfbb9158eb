import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Behind the value: what it is counted in. */
  readonly unit?: string | undefined;
  /** Beside the label. */
  readonly aside?: ComponentChildren;
  /** What is wrong with the value. */
  readonly fault?: string | null | undefined;
  readonly type?: 'text' | 'password';
  /** `decimal` brings up the keys of numbers on a phone. */
  readonly inputMode?: 'decimal' | 'text';
  readonly placeholder?: string;
  readonly name?: string;
  readonly isDisabled?: boolean;
}

/** A line of input with its label, its unit and what is wrong with it. */
export function Field(props: FieldProps) {
  const { label, value, onInput, unit, aside, fault, type = 'text', inputMode = 'text' } = props;
  const id = useId();
  const isFaulty = fault !== undefined && fault !== null;
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
        {aside}
      </div>
      <div class={isFaulty ? 'field-box faulty' : 'field-box'}>
        <input
          id={id}
          // The type of the element's attributes knows one kind of field at a time.
          type={type as 'text'}
          name={props.name}
          value={value}
          inputMode={inputMode}
          placeholder={props.placeholder}
          disabled={props.isDisabled ?? false}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={isFaulty}
          aria-describedby={isFaulty ? `${id}-fault` : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {unit === undefined ? null : <span class="field-unit">{unit}</span>}
      </div>
      {isFaulty ? (
        <span id={`${id}-fault`} class="field-fault">
          {fault}
        </span>
      ) : null}
    </div>
  );
}

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly text: string }[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few values. */
export function ChoiceField<Value extends string>({ label, value, choices, onChoose }: ChoiceFieldProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
      </div>
      <div class="field-box">
        <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
