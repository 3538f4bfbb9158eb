import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { type IndexUpdatePorts, updateIndices } from '#jobs/update-indices.ts';

/** What following index prices needs of the exchange. */
export interface IndexFollowingOptions {
  readonly ingress: CommandIngress;
  readonly queries: Pick<ExchangeQueries, 'contracts'>;
  readonly index: IndexUpdatePorts['index'];
  /** The exchange's clock, whose seconds count. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Polling are more frequent than seconds, so that no second is missed. */
const everyMs = 250;
/** After failures it waits up to 4 s: contracts pause when prices are missing for long. */
const skippedMax = 16;

/**
 * Starts to follow: in each second of the exchange's clock one `updateIndices`, as soon as there are contracts. After
 * a restart it goes on with the present second; what was missed stays so. DEC-FUT-03, DEC-FUT-44.
 */
export function startIndexFollowing(options: IndexFollowingOptions): PollingWorker {
  const { ingress, queries, index, clock, repeat, onTrouble } = options;
  const ports: IndexUpdatePorts = { submit: (command) => ingress.submit(command), queries, index };
  let lastSecond = -1;
  const poll = async (): Promise<void> => {
    const now = clock.now();
    const second = Math.floor(now / 1000);
    if (second === lastSecond) return;
    await updateIndices(ports, as<TimestampMs>(now));
    lastSecond = second;
  };
  return startPolling({ what: 'updating index prices', poll, repeat, everyMs, skippedMax, onTrouble });
}
