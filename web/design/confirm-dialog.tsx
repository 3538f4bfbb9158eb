import type { ComponentChildren } from 'preact';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { type Fact, Facts, Refused } from '#web/design/facts.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly act: string;
  /** Whether it takes something away. */
  readonly isHarsh?: boolean;
  readonly facts: readonly Fact[];
  readonly isBusy: boolean;
  /** Why the last try was refused. */
  readonly refused: string | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** A summary of an act, which is done when it is confirmed. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog
    title={props.title}
    onClose={props.onClose}
    foot={
      <>
        <Button onClick={props.onClose}>Back</Button>
        <Button kind={props.isHarsh === true ? 'sell' : 'primary'} disabled={props.isBusy} onClick={props.onConfirm}>
          {props.isBusy ? 'Asking …' : props.act}
        </Button>
      </>
    }
  >
    <Facts facts={props.facts} />
    {props.children}
    <Refused text={props.refused} />
  </Dialog>
);
