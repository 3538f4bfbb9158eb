import { setTimeout } from 'node:timers/promises';
import { LogUnreachable } from '#cluster/command-log.ts';

/** The node was stopped before it led. */
export class StandbyStopped extends Error {
  override name = 'StandbyStopped';
}

/** Who waits, and until when. */
export interface WaitParts {
  readonly tell: (message: string) => void;
  readonly isStopped: () => boolean;
  /** Whether to wait while the quorum does not answer, or no other node helps. */
  readonly isPatient: boolean;
}

/** Pause before the quorum, or other nodes, are asked again. */
export const askAgainMs = 500;

/** What the quorum answers, once it does. @throws StandbyStopped; LogUnreachable where that is not waited for */
export async function answered<Result>(parts: WaitParts, ask: () => Promise<Result>): Promise<Result> {
  for (let isTold = false; ; isTold = true) {
    refuseIfStopped(parts);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof LogUnreachable && parts.isPatient)) throw error;
      if (!isTold) parts.tell(`Waiting for the quorum: ${error.message}.`);
    }
    await setTimeout(askAgainMs);
  }
}

/** @throws StandbyStopped once the node is asked to stop */
export function refuseIfStopped({ isStopped }: WaitParts): void {
  if (isStopped()) throw new StandbyStopped('stopped before it had its place in the cluster');
}
