import type { Command } from '#model/command.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What cancelling orders of frozen accounts needs to submit commands. */
export interface FrozenOrdersPorts {
  submit(command: Command): Promise<Pick<Outcome, 'events'>>;
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
