import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import { listingOf } from './permissive-listing.ts';

/** Whose fills the streams of a benchmark push. */
export const account: AccountId = as(4);

const asset = (id: number, code: string, scale: number): Listing['assets'][number] => ({
  id: as(id),
  code,
  fullName: code,
  scale,
  cap: as(10n ** 18n),
  coinId: '0'.repeat(32),
  isDelisted: false,
});

/** One pair. */
export const listing: Listing = {
  assets: [asset(0, 'USDT', 9), asset(1, 'BTC', 8)],
  symbols: [
    {
      id: as(0),
      ...listingOf({
        name: 'BTCUSDT',
        base: as(1),
        quote: as(0),
        quantityDecimals: 6,
        makerFeePpm: 0,
        takerFeePpm: 500,
      }),
    },
  ],
  isTradingOpen: true,
  feeToken: null,
};
