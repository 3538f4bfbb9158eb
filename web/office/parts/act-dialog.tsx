import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { type AnyMembers, type Answer, callOffice, type CallId } from '#web/office/data/office-calls.ts';
import type { Operation } from '#web/office/data/operations.ts';
import { OperatorRefusal } from '#web/office/operator-session.ts';
import { ActFields } from '#web/office/parts/act-fields.tsx';
import { type Faults, faultsOf, firstEntries, formsOf, readForm, reasonMember } from '#web/office/parts/act-form.ts';
import { isUnknownOutcome, newActKey } from '#web/office/parts/act-key.ts';
import { ActSummary } from '#web/office/parts/act-summary.tsx';
import { Prose } from '#web/reference/prose.tsx';

/** An act and what it is about. */
export interface ActProps<Id extends CallId> {
  readonly id: Id;
  readonly title: string;
  /** Members that are given. */
  readonly fixed?: AnyMembers;
  /** The thing that is edited, as it was read, and its tag. */
  readonly current?: object | null;
  readonly tag?: string | null;
  /** Members that are entered; without it all that the body has. */
  readonly members?: readonly string[];
  /** What it does, in words. */
  readonly about?: ComponentChildren;
  /** What is shown of the answer, such as a secret that is never shown again; without it the dialog closes. */
  readonly show?: (answer: Answer<Id>) => ComponentChildren;
  readonly onDone?: () => void;
}

interface ActDialogProps<Id extends CallId> extends ActProps<Id> {
  readonly operation: Operation;
  readonly onClose: () => void;
}

const staleText = 'Somebody changed it since it was read, and nothing was done. Close this, look at it, and edit anew.';
const unknownText = 'It may have happened. Confirm again: it is then answered as before, and done once.';

/** What a refusal says to whoever acts. */
function refusalText(error: unknown): string {
  if (!(error instanceof OperatorRefusal)) return error instanceof Error ? error.message : String(error);
  if (error.status === 412) return staleText;
  return isUnknownOutcome(error.status) ? `${error.message} ${unknownText}` : error.message;
}

interface ActTextProps {
  readonly about: ComponentChildren;
  readonly description: string;
}

/** What an act does: in the words of the page, else in those of its endpoint. */
const ActText = ({ about, description }: ActTextProps) =>
  about === undefined ? (
    <p class="soft">
      <Prose text={description} />
    </p>
  ) : (
    <div class="soft">{about}</div>
  );

/**
 * An act in two steps: what it takes, then a summary that has to be confirmed. It goes with a reason, the tag of what
 * it edits, and a key of its own, under which a lost answer is asked for again. DEC-WEB-42, DEC-WEB-43, DEC-WEB-44.
 */
export function ActDialog<Id extends CallId>(props: ActDialogProps<Id>) {
  const { id, title, operation, fixed = {}, current = null, tag = null, members, about, show, onDone, onClose } = props;
  const parts = { fixed, current: current as AnyMembers | null, members };
  const forms = useMemo(() => formsOf(operation, parts), [operation]);
  const [entries, setEntries] = useState(() => firstEntries(forms, parts.current));
  const [reason, setReason] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [key, setKey] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [shown, setShown] = useState<ComponentChildren>(null);
  const reading = readForm(operation, forms, entries, parts);
  const isEdit = parts.current !== null && forms.length > 0;

  const check = (): void => {
    const found: Record<string, string> = { ...reading.faults };
    if (reason.trim() === '') found[reasonMember] = 'Say why: it is kept with the act.';
    if (isEdit && reading.changes.length === 0 && Object.keys(found).length === 0) found[''] = 'Nothing is changed.';
    setFaults(found);
    if (Object.keys(found).length === 0) setKey(newActKey());
  };
  const act = async (idempotencyKey: string): Promise<void> => {
    setBusy(true);
    setFaults({});
    try {
      const sent = { ...reading.sent, ...fixed, [reasonMember]: reason.trim() };
      const ifMatch = operation.takesTag && tag !== null ? { ifMatch: tag } : {};
      const { status, answer } = await callOffice(id, sent, { idempotencyKey, ...ifMatch });
      const { proposal } = answer as { readonly proposal?: number };
      if (status === 202) say(`Proposal ${proposal} waits for a second operator.`);
      else say(`Done: ${title}.`, 'good');
      onDone?.();
      if (show === undefined || status === 202) onClose();
      else setShown(show(answer));
    } catch (error) {
      const refusal = error instanceof OperatorRefusal ? error : null;
      const found = faultsOf(refusal?.errors ?? [], forms);
      setFaults(Object.keys(found).length === 0 ? { '': refusalText(error) } : found);
      // A fault of a member is mended in the form; what may have happened keeps its key.
      if (refusal === null || !isUnknownOutcome(refusal.status)) setKey(null);
    } finally {
      setBusy(false);
    }
  };

  if (shown !== null)
    return (
      <Dialog title={title} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
        {shown}
      </Dialog>
    );
  const fault = faults[''];
  const foot =
    key === null ? (
      <>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" form="act-form">
          Review
        </Button>
      </>
    ) : (
      <>
        <Button disabled={isBusy} onClick={() => setKey(null)}>
          Back
        </Button>
        <Button kind="primary" disabled={isBusy} onClick={() => void act(key)}>
          Confirm
        </Button>
      </>
    );
  return (
    <Dialog title={title} onClose={onClose} foot={foot}>
      <ActText about={about} description={operation.description} />
      {fault === undefined ? null : (
        <p class="office-refusal" role="alert">
          {fault}
        </p>
      )}
      {key === null ? (
        <form
          id="act-form"
          class="office-form"
          onSubmit={(event) => {
            event.preventDefault();
            check();
          }}
        >
          <ActFields
            forms={forms}
            entries={entries}
            faults={faults}
            onEnter={(name, value) => setEntries((now) => ({ ...now, [name]: value }))}
          />
          <Field label="Reason" value={reason} onInput={setReason} fault={faults[reasonMember]} />
        </form>
      ) : (
        <ActSummary fixed={fixed} changes={reading.changes} isEdit={isEdit} reason={reason.trim()} />
      )}
    </Dialog>
  );
}
