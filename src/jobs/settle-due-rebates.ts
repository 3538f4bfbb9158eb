import { isoDate } from '#base/clock.ts';
import type { Command } from '#model/command.ts';
import type { TimestampMs } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What settling rebates needs of an exchange. */
export interface RebateSettlementPorts {
  submit(command: Command): Promise<Pick<Outcome, 'events'>>;
  readonly queries: Pick<ExchangeQueries, 'rebates'>;
}

/**
 * Submits one `settleRebates` for the oldest day that is over at `now`, a time of the exchange. Answers whether there
 * was such a day; nothing is submitted without one. What it did stands in the journal: a repetition, also after a
 * restart, goes on where the last one ended. DEC-SUB-22.
 * @throws Error if the engine refused; whatever `submit` throws.
 */
export async function settleNextRebates(ports: RebateSettlementPorts, now: TimestampMs): Promise<boolean> {
  const day = await ports.queries.rebates.dueDay(now);
  if (day === null) return false;
  const { events } = await ports.submit({ kind: 'settleRebates', day });
  for (const event of events) {
    if (event.kind === 'commandRefused')
      throw new Error(`rebates of ${isoDate(day)} were not settled: ${event.reason}`);
  }
  return true;
}

/**
 * Settles every day that is over at `now`, oldest first, until nothing of them is left.
 * @throws as `settleNextRebates`.
 */
export async function settleDueRebates(ports: RebateSettlementPorts, now: TimestampMs): Promise<void> {
  let isSomethingLeft = true;
  while (isSomethingLeft) isSomethingLeft = await settleNextRebates(ports, now);
}
