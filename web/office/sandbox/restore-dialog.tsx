import { useState } from 'preact/hooks';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { say } from '#web/design/toasts.tsx';
import { dateText } from '#web/design/values.tsx';
import { callOffice } from '#web/office/data/office-calls.ts';
import { OperatorRefusal } from '#web/office/operator-session.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';

const askAgainMs = 500;
const tries = 240;

/** Resolves once the exchange answers again. @throws Error when it did not for two minutes */
async function isBack(): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    const answers = await callOffice('states', {}).then(
      () => true,
      (error) => error instanceof OperatorRefusal && error.status !== 0,
    );
    if (answers) return;
  }
  throw new Error('The exchange did not come back within two minutes.');
}

interface RestoreDialogProps {
  /** The state that is gone back to; empty: the first start. */
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks whether to go back to a state, and waits until the exchange serves again. DEC-WEB-63. */
export function RestoreDialog({ name, onDone, onClose }: RestoreDialogProps) {
  const control = useControl();
  const [isSame, setSame] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const title = name === '' ? 'Back to the first start' : `Restore ${name}`;
  const restore = async (): Promise<void> => {
    setFault(null);
    const members = name === '' ? { sameIds: isSame } : { name, sameIds: isSame };
    const answer = await control.run(name === '' ? 'resetExchange' : 'restoreState', members);
    if (answer === null) return;
    say(`The exchange serves again: it is ${dateText(answer.exchangeTime)}, at entry ${answer.lastEntry}.`, 'good');
    onDone();
    onClose();
  };
  const wait = async (): Promise<void> => {
    setWaiting(true);
    try {
      await isBack();
      say('The exchange answers again.', 'good');
      onDone();
      onClose();
    } catch (error) {
      setFault((error as Error).message);
    } finally {
      setWaiting(false);
    }
  };
  const refused = control.faults[''] ?? null;
  // Without an answer it may have been restored: whether it was is seen when it is back.
  const isLost = refused !== null && control.isLost;
  const isBusy = control.isBusy || isWaiting;
  return (
    <ConfirmDialog
      title={title}
      act={isLost ? 'Wait for it' : name === '' ? 'Reset' : 'Restore'}
      isHarsh
      facts={[['State', name === '' ? 'that of the first start' : name]]}
      isBusy={isBusy}
      refused={fault ?? refused}
      onConfirm={() => void (isLost ? wait() : restore())}
      onClose={onClose}
    >
      <p>What was not saved is gone.</p>
      <p class="soft">
        Websockets are closed with 1001, and new connections are refused until the exchange serves again, on the same
        ports. This page waits for that.
      </p>
      <label class="choice">
        <input type="checkbox" checked={isSame} onChange={(event) => setSame(event.currentTarget.checked)} />
        Give the same ids again, to compare two runs
      </label>
      {isBusy ? (
        <p class="office-note" role="status">
          The exchange is being restored: connections are refused until it is back.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
