import { useRef, useState } from 'preact/hooks';
import { say } from '#web/design/toasts.tsx';
import { type AnyMembers, type Answer, callOffice, type CallId } from '#web/office/data/office-calls.ts';
import { type FaultyPart, OperatorRefusal } from '#web/office/operator-session.ts';
import { isUnknownOutcome, newActKey } from '#web/office/parts/act-key.ts';

/** What is wrong, by the name of a member; under the empty name what is of none of them. */
export type ControlFaults = Readonly<Record<string, string>>;

/** A control of the sandbox as a part of a page has it. */
export interface Control {
  readonly isBusy: boolean;
  readonly faults: ControlFaults;
  /** Whether the last answer was lost: it may have been done. */
  readonly isLost: boolean;
  /** Says what is wrong before anything is asked. */
  readonly refuse: (faults: ControlFaults) => void;
  /** Does it; `null`: it was refused, which `faults` tell. `done`: what is said when it is done. */
  readonly run: <Id extends CallId>(id: Id, members: AnyMembers, done?: string) => Promise<Answer<Id> | null>;
}

/** Why controls that go without a question are in the audit. */
const reason = 'Sandbox window';

/** Faults by the member that they name, as deep as the form shows one: of `/price/above` it may be `price/above`. */
function faultsBy(names: readonly string[], errors: readonly FaultyPart[]): ControlFaults {
  const faults: Record<string, string> = {};
  for (const { detail, pointer = '', parameter } of errors) {
    const at = pointer === '' ? (parameter ?? '') : pointer.slice(1);
    const shown = names.find((name) => name === at) ?? names.find((name) => at.startsWith(`${name}/`));
    faults[shown ?? ''] = shown === undefined && at !== '' ? `${at} ${detail}` : `It ${detail}.`;
  }
  return faults;
}

/**
 * A control that is done at once: the sandbox has no money but play money. It goes with a reason and a key of its own;
 * where the answer is lost, the same again is asked for by the same key. `names`: members whose faults the form shows.
 * DEC-WEB-60.
 */
export function useControl(names: readonly string[] = []): Control {
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<ControlFaults>({});
  const lost = useRef<{ readonly of: string; readonly key: string } | null>(null);
  const run = async <Id extends CallId>(id: Id, members: AnyMembers, done?: string): Promise<Answer<Id> | null> => {
    const of = JSON.stringify([id, members]);
    const key = lost.current?.of === of ? lost.current.key : newActKey();
    setBusy(true);
    setFaults({});
    try {
      const { answer } = await callOffice(id, { ...members, reason }, { idempotencyKey: key });
      lost.current = null;
      if (done !== undefined) say(done, 'good');
      return answer;
    } catch (error) {
      const refusal = error instanceof OperatorRefusal ? error : null;
      lost.current = refusal !== null && isUnknownOutcome(refusal.status) ? { of, key } : null;
      const found = faultsBy(names, refusal?.errors ?? []);
      setFaults(Object.keys(found).length === 0 ? { '': (error as Error).message } : found);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, faults, isLost: lost.current !== null, refuse: setFaults, run };
}
