import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { type RebateSettlementPorts, settleNextRebates } from '#jobs/settle-due-rebates.ts';

/** What the daily settlement of rebates needs of the exchange. */
export interface RebateSettlementOptions {
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  /** The exchange's clock: its midnight, UTC, ends a day. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Time between two runs. */
  readonly everyMs: number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Starts the daily settlement: each poll settles the days that are over. A poll at which nothing is due submits
 * nothing. It keeps nothing that a restart would miss. DEC-SUB-22, DEC-SUB-70, DEC-SUB-71.
 */
export function startRebateSettlement(options: RebateSettlementOptions): PollingWorker {
  const { ingress, queries, clock, repeat, everyMs, onTrouble } = options;
  const ports: RebateSettlementPorts = { submit: (command) => ingress.submit(command), queries };
  const poll = async (isStopped: () => boolean): Promise<void> => {
    const now = as<TimestampMs>(clock.now());
    while (!isStopped() && (await settleNextRebates(ports, now)));
  };
  return startPolling({ what: 'settling rebates', poll, repeat, everyMs, skippedMax: 64, onTrouble });
}
