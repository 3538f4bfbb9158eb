import { useState } from 'preact/hooks';
import { Button, type ButtonKind } from '#web/design/button.tsx';
import type { CallId } from '#web/office/data/office-calls.ts';
import { mayDo } from '#web/office/operator-session.ts';
import { ActDialog, type ActProps } from '#web/office/parts/act-dialog.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';

interface ActButtonProps<Id extends CallId> extends ActProps<Id> {
  /** What the button says; without it the title. */
  readonly label?: string;
  readonly kind?: ButtonKind;
  readonly isSmall?: boolean;
}

/** A button that begins an act; it stands still for tokens that may not, and is not there where nothing serves it. */
export function ActButton<Id extends CallId>({ label, kind = 'plain', isSmall = true, ...act }: ActButtonProps<Id>) {
  const [isOpen, setOpen] = useState(false);
  const operation = useOperation(act.id);
  if (operation === undefined) return null;
  const isAllowed = operation !== null && mayDo(operation.scope);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        kind={kind}
        isSmall={isSmall}
        disabled={!isAllowed}
        title={operation === null || isAllowed ? undefined : `It needs the scope ${operation.scope}.`}
        onClick={() => setOpen(true)}
      >
        {label ?? act.title}
      </Button>
      {isOpen && operation !== null ? <ActDialog {...act} operation={operation} onClose={close} /> : null}
    </>
  );
}
