import type { Clock, Repeat } from '#base/clock.ts';
import { engineLimits } from '#domain/limits.ts';
import { as, type TimestampMs } from '#domain/units.ts';
import { type FrozenOrdersPorts, cancelFrozenOrders } from '#ingress/cancel-frozen-orders.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { startPolling } from '#settlement/looks.ts';
import type { Settlement } from '#settlement/settlement.ts';

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
 * Starts the upkeep of accounts: each look cancels what orders of frozen accounts are left, and ends the API keys whose
 * time is over. A look at which nothing is due submits nothing; it keeps nothing that a restart would miss.
 * DEC-SUB-102, DEC-REQ-147.
 */
export function startAccountUpkeep(options: AccountUpkeepOptions): Settlement {
  const { ingress, queries, clock, repeat, everyMs, onTrouble } = options;
  const work = async (isStopped: () => boolean): Promise<void> => {
    await cancelFrozenOrders(ingress, queries, isStopped);
    const now = as<TimestampMs>(clock.now());
    let ended = (await queries.haveApiKeysEnded(now)) ? engineLimits.keysEndedPerEntry : 0;
    while (ended === engineLimits.keysEndedPerEntry && !isStopped()) {
      const { events } = await ingress.submit({ kind: 'endApiKeys' });
      ended = events.filter(({ kind }) => kind === 'apiKeyDeleted').length;
    }
  };
  return startPolling({ what: 'keeping accounts', work, repeat, everyMs, skippedMax: 64, onTrouble });
}
