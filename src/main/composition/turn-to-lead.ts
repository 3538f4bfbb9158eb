import { setTimeout } from 'node:timers/promises';

/** What a process has to know about its turn. */
export interface TurnParts {
  /** No node of a cluster: it does everything itself. */
  readonly isAlone: boolean;
  /** Resolves when the process is asked to stop. */
  readonly stopped: Promise<unknown>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What a start needs done in the exchange, by this process or by whichever node of its cluster leads. */
export interface Turn {
  /**
   * Resolves with true once `own` is done, or in a cluster `isThere` says that another node did it; with false where
   * the process is to stop before that. @throws what both throw
   */
  isDone(own: Promise<void>, isThere: () => boolean | Promise<boolean>): Promise<boolean>;
  /**
   * Does `work`, which only adds what is missing. A node that leads repeats it until it is done, because the quorum may
   * be away; a process that is alone throws what it throws.
   */
  atLast(what: string, work: () => Promise<void>): Promise<void>;
}

/** How often a node that follows looks whether its leader did it. */
const lookMs = 50;
const againMs = 1000;

/** The turn of a process. */
export function turnOf({ isAlone, stopped, onTrouble }: TurnParts): Turn {
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  return {
    isDone: async (own, isThere) => {
      // Once somebody else did it, nobody awaits the own work any more: it tells its troubles itself.
      own.catch(() => undefined);
      let isOver = false;
      const byLeader = async (): Promise<void> => {
        while (!isOver && !(await isThere())) await setTimeout(lookMs);
      };
      const ways = isAlone ? [own] : [own, byLeader()];
      try {
        return await Promise.race([...ways.map((way) => way.then(() => true)), stopped.then(() => false)]);
      } finally {
        isOver = true;
      }
    },
    atLast: async (what, work) => {
      if (isAlone) return work();
      while (!isStopped) {
        try {
          return await work();
        } catch (error) {
          onTrouble(what, error);
        }
        await setTimeout(againMs);
      }
    },
  };
}
