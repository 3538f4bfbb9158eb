import { ChoiceField, Field } from '#web/design/field.tsx';
import { LongField } from '#web/design/long-field.tsx';
import { labelOf, type MemberForm } from '#web/office/data/member-texts.ts';
import type { Entries, Faults } from '#web/office/parts/act-form.ts';
import { Prose } from '#web/reference/prose.tsx';

interface MemberFieldProps {
  readonly form: MemberForm;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onInput: (value: string) => void;
}

const flagTexts: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** Several of some words: a box for each. */
function WordsField({ form, value, fault, onInput }: MemberFieldProps) {
  const chosen = value.split(', ').filter((word) => word !== '');
  const turn = (word: string): void =>
    onInput((chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word]).join(', '));
  return (
    <fieldset class="office-words">
      <legend class="soft">{labelOf(form.name)}</legend>
      {form.choices.map((word) => (
        <label key={word} class="choice">
          <input type="checkbox" checked={chosen.includes(word)} onChange={() => turn(word)} />
          {word}
        </label>
      ))}
      {fault === undefined ? null : <span class="field-fault">{fault}</span>}
    </fieldset>
  );
}

function MemberField({ form, value, fault, onInput }: MemberFieldProps) {
  const { name, kind, isNullable, isRequired } = form;
  const label = labelOf(name);
  if (kind === 'choice' || kind === 'flag') {
    const words = kind === 'flag' ? ['true', 'false'] : form.choices;
    // What is not chosen is left to the exchange.
    const none = isRequired && !isNullable && value !== '' ? [] : [{ value: '', text: '–' }];
    const choices = [...none, ...words.map((word) => ({ value: word, text: flagTexts[word] ?? word }))];
    return (
      <>
        <ChoiceField label={label} value={value} choices={choices} onChoose={onInput} />
        {fault === undefined ? null : <span class="field-fault">{fault}</span>}
      </>
    );
  }
  if (kind === 'words' && form.choices.length > 0) return <WordsField {...{ form, value, fault, onInput }} />;
  if (kind === 'structure') return <LongField label={label} value={value} onInput={onInput} fault={fault ?? null} />;
  return (
    <Field
      label={label}
      value={value}
      onInput={onInput}
      fault={fault}
      inputMode={kind === 'whole' ? 'decimal' : 'text'}
      unit={kind === 'moment' ? 'UTC' : undefined}
      aside={isRequired ? null : <span>{isNullable ? 'may be empty' : 'optional'}</span>}
    />
  );
}

/** Whether a description says more than the label. */
const isTold = ({ name, description }: MemberForm): boolean =>
  description.replace(/\.$/, '') !== labelOf(name) && description !== '';

interface ActFieldsProps {
  readonly forms: readonly MemberForm[];
  readonly entries: Entries;
  readonly faults: Faults;
  readonly onEnter: (name: string, value: string) => void;
}

/** The members of an act, each with what it is and what is wrong with it. */
export const ActFields = ({ forms, entries, faults, onEnter }: ActFieldsProps) => (
  <>
    {forms.map((form) => (
      <div key={form.name} class="office-member">
        <MemberField
          form={form}
          value={entries[form.name] ?? ''}
          fault={faults[form.name]}
          onInput={(value) => onEnter(form.name, value)}
        />
        {isTold(form) ? (
          <small class="soft">
            <Prose text={form.description} />
          </small>
        ) : null}
      </div>
    ))}
  </>
);
