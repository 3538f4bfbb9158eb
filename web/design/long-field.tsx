import { useId } from 'preact/hooks';

interface LongFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What is wrong with the value. */
  readonly fault?: string | null | undefined;
}

/** Several lines of input with their label and what is wrong with them. */
export function LongField({ label, value, onInput, fault = null }: LongFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
      </div>
      <div class={fault === null ? 'field-box' : 'field-box faulty'}>
        <textarea
          id={id}
          class="long-field"
          rows={6}
          spellcheck={false}
          value={value}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {fault === null ? null : (
        <span id={`${id}-fault`} class="field-fault">
          {fault}
        </span>
      )}
    </div>
  );
}
