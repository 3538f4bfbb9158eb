import type { NetworkCustody, PaymentRef } from '#custody/custody.ts';
import type { DepositSight } from '#model/wallet.ts';

/** What custody says of a payment with so many confirmations, whose block stays the same. */
export const seenWith = (confirmations: number, forks = 0): DepositSight => ({
  forks,
  block: { height: 1, hash: 'block 1' },
  confirmations,
});

/** Confirmations of payments; 0: gone, `null`: nobody looks. */
export const confirmationsOf = async (
  custody: NetworkCustody,
  payments: readonly PaymentRef[],
): Promise<readonly (number | null)[]> =>
  (await custody.placesOf(payments)).map((place) => (place === 'gone' ? 0 : (place?.confirmations ?? null)));
