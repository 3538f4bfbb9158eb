import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { CloseIcon } from '#web/design/icons.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at its end. */
  readonly foot?: ComponentChildren;
  /** Whether no field takes the focus, which would bring up the keys of a phone: there is another way than typing. */
  readonly isCalm?: boolean;
}

const fields = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/** Where the focus begins: in the first field, else on the first button at the end, which does nothing harmful. */
function focusFirst(dialog: HTMLDialogElement, isCalm: boolean): void {
  const field = isCalm ? null : dialog.querySelector<HTMLElement>(`.dialog-body :is(${fields})`);
  (field ?? dialog.querySelector<HTMLElement>('.dialog-foot button:not(:disabled)') ?? dialog).focus();
}

/** A window over the page, which keeps the focus until it closes; Esc closes it. Its foot begins with the way back. */
export function Dialog({ title, onClose, children, foot, isCalm = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (dialog.current === null) return;
    dialog.current.showModal();
    focusFirst(dialog.current, isCalm);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <Button kind="quiet" isIcon isSmall aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </Button>
      </div>
      <div class="dialog-body">{children}</div>
      {foot === undefined ? null : <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}
