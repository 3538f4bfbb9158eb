import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type ButtonKind } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { Loading } from '#web/design/states.tsx';
import { say } from '#web/design/toasts.tsx';
import type { MemberForm } from '#web/office/data/member-texts.ts';
import type { AnyMembers, Answer, CallId } from '#web/office/data/office-calls.ts';
import type { Operation } from '#web/office/data/operations.ts';
import { ActFields } from '#web/office/parts/act-fields.tsx';
import { firstEntries, formsOf, readForm } from '#web/office/parts/act-form.ts';
import { useOperation } from '#web/office/parts/use-operation.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';

interface ControlFormProps<Id extends CallId> {
  readonly id: Id;
  /** What its button says. */
  readonly act: string;
  /** What is said when it is done. */
  readonly done: (answer: Answer<Id>) => string;
  /** Members that are given. */
  readonly fixed?: AnyMembers;
  /** Members that are chosen of some values, which are not known to the declaration. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** What the form begins with, where it is not the default of a member. */
  readonly first?: Readonly<Record<string, string>>;
  readonly kind?: ButtonKind;
  readonly isReady?: boolean;
  /** What is shown of the last answer. */
  readonly show?: (answer: Answer<Id>) => ComponentChildren;
  readonly onDone?: () => void;
}

const chosenOf = (form: MemberForm, choices: readonly string[] | undefined): MemberForm =>
  choices === undefined || choices.length === 0 ? form : { ...form, kind: 'choice', choices };

function Form<Id extends CallId>(props: ControlFormProps<Id> & { readonly operation: Operation }) {
  const { id, operation, act, done, fixed = {}, choices = {}, first = {}, kind, isReady = true, show, onDone } = props;
  const parts = { fixed, current: null, members: undefined };
  const forms = formsOf(operation, parts).map((form) => chosenOf(form, choices[form.name]));
  const [entries, setEntries] = useState(() => ({ ...firstEntries(forms, null), ...first }));
  const [answer, setAnswer] = useState<Answer<Id> | null>(null);
  const control = useControl([...forms.map(({ name }) => name), ...Object.keys(fixed)]);
  const send = async (): Promise<void> => {
    const { sent, faults } = readForm(operation, forms, entries, parts);
    if (Object.keys(faults).length > 0) return control.refuse(faults);
    const answered = await control.run(id, { ...sent, ...fixed });
    if (answered === null) return;
    setAnswer(answered);
    say(done(answered), 'good');
    onDone?.();
  };
  // What is given stands in no field of this form.
  const other = ['', ...Object.keys(fixed)].flatMap((name) => control.faults[name] ?? []).join(' ');
  return (
    <form
      class="office-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ActFields
        forms={forms}
        entries={entries}
        faults={control.faults}
        onEnter={(name, value) => setEntries((now) => ({ ...now, [name]: value }))}
      />
      <Refused text={other === '' ? null : other} />
      <Button type="submit" kind={kind ?? 'plain'} disabled={control.isBusy || !isReady}>
        {control.isBusy ? 'Asking …' : act}
      </Button>
      {answer === null || show === undefined ? null : show(answer)}
    </form>
  );
}

/** A control with its members as the operator API declares them; nothing where this exchange does not serve it. */
export function ControlForm<Id extends CallId>(props: ControlFormProps<Id>) {
  const operation = useOperation(props.id);
  if (operation === undefined) return <p class="soft">This exchange does not serve that.</p>;
  if (operation === null) return <Loading />;
  return <Form {...props} operation={operation} />;
}
