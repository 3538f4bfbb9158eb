import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button, type ButtonKind } from '#web/design/button.tsx';
import { say } from '#web/design/toasts.tsx';
import type { AnyMembers, CallId } from '#web/office/data/office-calls.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';

interface ControlButtonProps {
  readonly id: CallId;
  readonly members: AnyMembers;
  /** What is said when it is done. */
  readonly done: string;
  /** What it does and to what, for those who hear it. */
  readonly label: string;
  readonly kind?: ButtonKind;
  readonly onDone?: () => void;
  readonly children: ComponentChildren;
}

/** A button that does something at once; what is refused is said at the edge of the page. */
export function ControlButton({ id, members, done, label, kind = 'plain', onDone, children }: ControlButtonProps) {
  const control = useControl();
  const refused = control.faults[''] ?? null;
  useEffect(() => {
    if (refused !== null) say(refused, 'bad');
  }, [control.faults]);
  const act = async (): Promise<void> => {
    if ((await control.run(id, members, done)) !== null) onDone?.();
  };
  return (
    <Button isSmall kind={kind} aria-label={label} disabled={control.isBusy} onClick={() => void act()}>
      {children}
    </Button>
  );
}
