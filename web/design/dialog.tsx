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
}

/** A window over the page, which keeps the focus until it closes; Esc closes it. */
export function Dialog({ title, onClose, children, foot }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
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
