import type { Custody, PaymentPlace, PaymentRef } from '#custody/custody.ts';
import type { DepositSight } from '#model/wallet.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What custody says of one payment now: where it is, that it is nowhere, or nothing, because nobody reads it. */
export type PaymentSight =
  | { readonly kind: 'seen'; readonly sight: DepositSight; readonly terms: PaymentPlace['terms'] }
  | { readonly kind: 'gone' | 'unwatched' };

/**
 * Asks custody for a payment immediately before an operator's credit. The forks are counted first, so that one which is
 * noticed meanwhile makes the engine refuse the answer. DEC-WAL-101.
 * @throws NetworkUnavailable: then nothing is credited.
 */
export async function sightOfPayment(
  { custody, queries }: { readonly custody: Custody; readonly queries: ExchangeQueries },
  { network, txId, output }: PaymentRef & { readonly network: string },
): Promise<PaymentSight> {
  const adapter = custody.get(network);
  const chain = await queries.wallet.chain(network);
  if (adapter === undefined || chain === null) return { kind: 'unwatched' };
  const [place] = await adapter.placesOf([{ txId, output }]);
  if (place === 'gone') return { kind: 'gone' };
  if (place === null || place === undefined) return { kind: 'unwatched' };
  const { block, confirmations, terms } = place;
  return { kind: 'seen', sight: { forks: chain.forks, block, confirmations }, terms };
}
