import { expect, test } from 'vitest';
import type { AssetRules } from '#model/asset.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import { symbolFault } from '#model/symbol-fault.ts';
import { as } from '#model/units.ts';

const assetOf = (id: number, code: string, scale: number): AssetRules => ({
  id: as(id),
  code,
  fullName: code,
  scale,
  cap: as(1n),
  coinId: '',
  isDelisted: false,
});
const base = assetOf(1, 'BTC', 8);
const quote = assetOf(0, 'USDT', 6);

const listing: SymbolListing = {
  name: 'BTCUSDT',
  base: base.id,
  quote: quote.id,
  priceDecimals: 2,
  quantityDecimals: 4,
  status: 'paused',
  openAt: null,
  tradeSideType: 'all',
  orderKinds: ['limit'],
  apiTradingAllowed: true,
  minLots: as(1),
  minNotional: as(1),
  minNotionalMarket: as(1),
  maxNotional: as(1000),
  maxNotionalMarket: as(1000),
  makerFeePpm: 0,
  takerFeePpm: 1_000_000,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
  collarPpm: 0,
  fullName: 'Bitcoin',
  contractAddress: '',
  specialTreatment: false,
};
const faultOf = (change: Partial<SymbolListing>, listed: SymbolRules | null = null) =>
  symbolFault({ ...listing, ...change }, { listed, base, quote });

test('DEC-OPR-160: a listing inside all bounds has no fault', () => {
  expect(faultOf({})).toBe(null);
  expect(faultOf({ status: 'online' }, { ...listing, id: as(3) })).toBe(null);
});

test.each<[Partial<SymbolListing>, string]>([
  [{ name: 'btcusdt' }, 'name must be 2 to 24 capital letters and digits'],
  [{ quantityDecimals: 7 }, 'quantityDecimals must be 0 to 6: the decimals that both assets have'],
  [{ priceDecimals: 3 }, 'priceDecimals must be 0 to 2: with quantityDecimals at most the 6 decimals of USDT'],
  [{ minLots: as(0) }, 'minLots must be above zero and at most 9007199254740991 smallest units'],
  [{ minNotional: as(1001) }, 'minNotional must not be above the maximum of the same kind'],
  [{ minNotionalMarket: as(1001) }, 'minNotionalMarket must not be above the maximum of the same kind'],
  [{ makerFeePpm: 1_000_001 }, 'makerFeePpm must be 0 to 1000000 parts per million'],
  [{ takerFeePpm: 0.5 }, 'takerFeePpm must be 0 to 1000000 parts per million'],
  [{ collarPpm: -1 }, 'collarPpm must be 0 to 1000000 parts per million'],
  [{ bidMultiplierUpPpm: 1_000_000_001 }, 'bidMultiplierUpPpm must be 0 to 1000000000 parts per million'],
  [{ askMultiplierDownPpm: 1_000_001 }, 'askMultiplierDownPpm must be 0 to 1000000 parts per million'],
  [{ orderKinds: [] }, 'orderKinds must name at least one kind of order'],
  [{ orderKinds: ['market', 'market'] }, 'orderKinds must name no kind of order twice'],
  [{ status: 'online', openAt: as(5) }, 'openAt must be null for a pair that is online'],
  [{ openAt: as(-1) }, 'openAt must be a moment'],
])('DEC-OPR-160: %j is named as the member at fault, with its bound', (change, said) => {
  const fault = faultOf(change);
  expect(`${fault?.member} ${fault?.detail}`).toBe(said);
});

test('DEC-OPR-160: assets must be listed and differ', () => {
  expect(symbolFault(listing, { listed: null, base: null, quote })?.member).toBe('base');
  expect(symbolFault(listing, { listed: null, base, quote: null })?.member).toBe('quote');
  expect(symbolFault(listing, { listed: null, base, quote: base })?.detail).toBe('must not be the base asset');
});

test.each(['base', 'quote', 'priceDecimals', 'quantityDecimals'] as const)(
  'DEC-OPR-160: %s of a listed pair cannot change',
  (member) => {
    const listed = { ...listing, id: as<SymbolRules['id']>(3) };
    expect(faultOf({ [member]: 5 as never }, listed)).toEqual({
      member,
      detail: 'cannot change once the pair is listed',
    });
  },
);
