import { orderKinds } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { as } from '#model/units.ts';

const permissive: SymbolListing = {
  name: '',
  base: as(0),
  quote: as(0),
  priceDecimals: 2,
  quantityDecimals: 4,
  status: 'online',
  openAt: null,
  tradeSideType: 'all',
  orderKinds,
  apiTradingAllowed: true,
  minLots: as(1),
  minNotional: as(1),
  minNotionalMarket: as(1),
  maxNotional: as(2 ** 50),
  maxNotionalMarket: as(2 ** 50),
  makerFeePpm: 1000,
  takerFeePpm: 2000,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
  collarPpm: 50_000,
  fullName: '',
  contractAddress: '',
  specialTreatment: false,
};

/** Listing of a pair that allows everything, with `changes` on top. */
export const listingOf = (changes: Partial<SymbolListing> & { readonly name: string }): SymbolListing => ({
  ...permissive,
  fullName: changes.name,
  ...changes,
});
