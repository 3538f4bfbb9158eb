import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import type { Command } from '#model/command.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What the upkeep of pairs needs to submit commands. */
interface PairPorts {
  submit(command: Command): Promise<Pick<Outcome, 'events'>>;
}

/** What the upkeep of pairs needs of the exchange. */
export interface PairUpkeepOptions {
  readonly ingress: PairPorts;
  readonly queries: Pick<ExchangeQueries, 'haveOfflineOrders' | 'isOpeningDue'>;
  /** The exchange's clock, by which pairs open. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly onTrouble: (what: string, error: unknown) => void;
}

const everyMs = 250;

/**
 * Cancels the open orders that pairs still have after they went offline, one command of bounded size after the other.
 * `isStopped`: the rest is left to the next run. DEC-OPR-161.
 */
export async function cancelOfflineOrders(
  ingress: PairPorts,
  queries: Pick<ExchangeQueries, 'haveOfflineOrders'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  while (!isStopped() && (await queries.haveOfflineOrders())) await ingress.submit({ kind: 'cancelOfflineOrders' });
}

/**
 * Starts the upkeep of pairs: each run cancels what orders of offline pairs are left, and makes an entry where a pair
 * is to go online, which any entry does. A run at which nothing is due submits nothing. DEC-OPR-161, DEC-OPR-162.
 */
export function startPairUpkeep({ ingress, queries, clock, repeat, onTrouble }: PairUpkeepOptions): PollingWorker {
  const poll = async (isStopped: () => boolean): Promise<void> => {
    await cancelOfflineOrders(ingress, queries, isStopped);
    if (await queries.isOpeningDue(as<TimestampMs>(clock.now()))) await ingress.submit({ kind: 'advanceClock' });
  };
  return startPolling({ what: 'keeping pairs', poll, repeat, everyMs, skippedMax: 64, onTrouble });
}
