import { useId } from 'preact/hooks';
import type { Parameter } from '#web/reference/operation.ts';
import { Prose } from '#web/reference/prose.tsx';
import { boundsText, typeText, valuesOf } from '#web/reference/schema-rows.ts';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly fault: string | undefined;
}

const choicesOf = ({ schema }: Parameter): readonly string[] =>
  schema.type === 'boolean' ? ['true', 'false'] : valuesOf(schema);

/** A parameter: what it means, and its value in the request. */
export function ParameterField({ parameter, value, onInput, fault }: ParameterFieldProps) {
  const id = useId();
  const { name, place, isRequired, about, schema, example } = parameter;
  const choices = choicesOf(parameter);
  const bounds = boundsText(schema);
  return (
    <div class="parameter">
      <label class="parameter-name" for={id}>
        <code>{name}</code>{' '}
        <small class="soft">
          {typeText(schema)}
          {place === 'query' ? '' : `, in the ${place}`}
        </small>{' '}
        {isRequired ? <small class="required">required</small> : null}
      </label>
      <div class="parameter-value">
        <div class={fault === undefined ? 'field-box' : 'field-box faulty'}>
          {choices.length === 0 ? (
            <input
              id={id}
              type="text"
              value={value}
              placeholder={example}
              autocomplete="off"
              spellcheck={false}
              aria-describedby={`${id}-about`}
              aria-invalid={fault !== undefined}
              onInput={(event) => onInput(event.currentTarget.value)}
            />
          ) : (
            <select
              id={id}
              value={value}
              aria-describedby={`${id}-about`}
              onChange={(event) => onInput(event.currentTarget.value)}
            >
              <option value="">not sent</option>
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          )}
        </div>
        {fault === undefined ? null : <span class="field-fault">{fault}</span>}
        <p id={`${id}-about`} class="soft">
          <Prose text={[about, bounds].filter((text) => text !== '').join(' ')} />
        </p>
      </div>
    </div>
  );
}
