import { useState } from 'preact/hooks';
import { Button, type ButtonKind } from '#web/design/button.tsx';
import { say } from '#web/design/toasts.tsx';
import { type AnyMembers, callOffice, type CallId } from '#web/office/data/office-calls.ts';
import { mayDo, type OperatorAnswer, OperatorRefusal } from '#web/office/operator-session.ts';
import { ActDialog, type ActProps } from '#web/office/parts/act-dialog.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';

interface EditButtonProps<Id extends CallId> extends Omit<ActProps<Id>, 'current' | 'tag'> {
  readonly label: string;
  readonly kind?: ButtonKind;
  /** The call that shows the thing, and what it is asked with. */
  readonly shows: CallId;
  readonly of: AnyMembers;
}

/** A button that reads a thing and begins an edit of what it is then; what is not there begins empty. DEC-WEB-43. */
export function EditButton<Id extends CallId>({ label, kind = 'plain', shows, of, ...act }: EditButtonProps<Id>) {
  const [thing, setThing] = useState<Partial<OperatorAnswer<object>> | null>(null);
  const operation = useOperation(act.id);
  if (operation === undefined) return null;
  const isAllowed = operation !== null && mayDo(operation.scope);
  const open = async (): Promise<void> => {
    try {
      setThing(await callOffice(shows, of));
    } catch (error) {
      if (error instanceof OperatorRefusal && error.status === 404) setThing({});
      else say((error as Error).message, 'bad');
    }
  };
  return (
    <>
      <Button
        kind={kind}
        isSmall
        disabled={!isAllowed}
        title={operation === null || isAllowed ? undefined : `It needs the scope ${operation.scope}.`}
        onClick={() => void open()}
      >
        {label}
      </Button>
      {thing === null || operation === null ? null : (
        <ActDialog
          {...(act as unknown as ActProps<Id>)}
          fixed={{ ...of, ...act.fixed }}
          current={thing.answer ?? null}
          tag={thing.tag ?? null}
          operation={operation}
          onClose={() => setThing(null)}
        />
      )}
    </>
  );
}
