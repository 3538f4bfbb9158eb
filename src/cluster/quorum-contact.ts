import type { Clock } from '#base/clock.ts';

/** How long failures in a row may last before new commands are refused: an election of the quorum takes about that. */
const patienceMs = 1000;

/** Whether the quorum answers, from what became of the calls to it. */
export interface QuorumContact {
  succeeded(): void;
  failed(): void;
  /** Whether it has not answered for longer than an election takes. */
  readonly isLost: boolean;
}

/** Keeps in mind since when the quorum has not answered. `clock` never runs backwards. */
export function createQuorumContact(clock: Clock): QuorumContact {
  let failingSince: number | null = null;
  return {
    succeeded: () => {
      failingSince = null;
    },
    failed: () => {
      failingSince ??= clock.now();
    },
    get isLost() {
      return failingSince !== null && clock.now() - failingSince >= patienceMs;
    },
  };
}
