import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What cancelling orders of frozen accounts needs to submit commands. */
export interface FrozenOrdersPorts {
  submit(command: Command): Promise<Pick<Outcome, 'events'>>;
}

/** What the upkeep of accounts needs of the exchange. */
export interface AccountUpkeepOptions {
  readonly ingress: FrozenOrdersPorts;
  readonly queries: ExchangeQueries;
  /** The exchange's clock, by which keys end. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Time between two runs. */
  readonly everyMs: number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Cancels the open orders that frozen accounts still have, one command of bounded size after the other. `isStopped`:
 * the rest is left to the next run. DEC-SUB-102.
 */
export async function cancelFrozenOrders(
  ingress: FrozenOrdersPorts,
  queries: Pick<ExchangeQueries, 'haveFrozenOrders'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  while (!isStopped() && (await queries.haveFrozenOrders())) await ingress.submit({ kind: 'cancelFrozenOrders' });
}

/**
 * Starts the upkeep of accounts: each poll cancels what orders of frozen accounts are left, and ends the API keys whose
 * time is over. A poll at which nothing is due submits nothing; it keeps nothing that a restart would miss.
 * DEC-SUB-102, DEC-REQ-147.
 */
export function startAccountUpkeep(options: AccountUpkeepOptions): PollingWorker {
  const { ingress, queries, clock, repeat, everyMs, onTrouble } = options;
  const poll = async (isStopped: () => boolean): Promise<void> => {
    await cancelFrozenOrders(ingress, queries, isStopped);
    const now = as<TimestampMs>(clock.now());
    let ended = (await queries.haveApiKeysEnded(now)) ? engineLimits.keysEndedPerEntry : 0;
    while (ended === engineLimits.keysEndedPerEntry && !isStopped()) {
      const { events } = await ingress.submit({ kind: 'endApiKeys' });
      ended = events.filter(({ kind }) => kind === 'apiKeyDeleted').length;
    }
  };
  return startPolling({ what: 'keeping accounts', poll, repeat, everyMs, skippedMax: 64, onTrouble });
}
