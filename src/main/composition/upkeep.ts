import type { Repeat } from '#base/clock.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';

/** What periodic maintenance needs. */
export interface UpkeepParts {
  readonly config: Configuration;
  readonly core: ExchangeCore;
  readonly repeat: Repeat;
  readonly onTrouble: (what: string, error: unknown) => void;
}

const snapshotCheckMs = 1000;
const pruneMs = 60_000;
const dayMs = 86_400_000;

/** Periodic maintenance: snapshots and deletion of old history. Answers a function that stops it. */
export function startUpkeep({ config, core, repeat, onTrouble }: UpkeepParts): () => void {
  const endSnapshots = repeat(snapshotCheckMs, () => core.snapshots.check());
  const tradesMs = config.keepTradesDays === null ? null : config.keepTradesDays * dayMs;
  const endPruning = repeat(pruneMs, () => {
    core.history
      .prune(core.engine.at, { trades: tradesMs })
      .catch((error: unknown) => onTrouble('pruning history', error));
  });
  return () => {
    endSnapshots();
    endPruning();
  };
}
