import type { Repeat } from '#base/clock.ts';
import { startPolling } from '#base/polling.ts';
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
/** How long events for webhooks are kept. DEC-OPR-240. */
const keptWebhookEventsMs = 30 * dayMs;
/** What fails is tried again after at most this many times without it. */
const skippedMax = 64;

/** Periodic maintenance: snapshots and deletion of old history. Answers a function that stops it. */
export function startUpkeep({ config, core, repeat, onTrouble }: UpkeepParts): () => void {
  const trades = config.keepTradesDays === null ? null : config.keepTradesDays * dayMs;
  const workers = [
    startPolling({
      what: 'making a snapshot',
      poll: () => core.snapshots.check(),
      repeat,
      everyMs: snapshotCheckMs,
      skippedMax,
      onTrouble,
    }),
    startPolling({
      what: 'pruning history',
      poll: async () => void (await core.history.prune(core.engine.at, { trades, webhookEvents: keptWebhookEventsMs })),
      repeat,
      everyMs: pruneMs,
      skippedMax,
      onTrouble,
    }),
  ];
  return () => {
    for (const worker of workers) void worker.stop();
  };
}
