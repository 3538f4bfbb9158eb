import { describe, expect, test } from 'vitest';
import type { AssetListing } from '#domain/asset.ts';
import { orderKinds } from '#domain/order.ts';
import type { SymbolListing } from '#domain/symbol.ts';
import type { AssetId, Balance, Lots, Quanta } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { TestExchange } from '../exchange-harness.ts';
import { startExchange } from '../exchange-harness.ts';

const asset = (changes: Partial<AssetListing> = {}): AssetListing => ({
  code: 'BTC',
  fullName: 'Bitcoin',
  scale: 8,
  cap: as<Balance>(10n ** 17n),
  coinId: '0'.repeat(32),
  ...changes,
});
const pair = (changes: Partial<SymbolListing> = {}): SymbolListing => ({
  name: 'BTCUSDT',
  base: as<AssetId>(0),
  quote: as<AssetId>(1),
  priceDecimals: 2,
  quantityDecimals: 4,
  status: 'online',
  tradeSideType: 'all',
  orderKinds: [...orderKinds],
  apiTradingAllowed: true,
  minLots: as<Lots>(1),
  minNotional: as<Quanta>(1),
  minNotionalMarket: as<Quanta>(1),
  maxNotional: as<Quanta>(10 ** 12),
  maxNotionalMarket: as<Quanta>(10 ** 12),
  makerFeePpm: 0,
  takerFeePpm: 500,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
  collarPpm: 50_000,
  fullName: '',
  contractAddress: '',
  specialTreatment: false,
  ...changes,
});

/** Refusals of a command, by name. */
async function refusals(
  exchange: TestExchange,
  command: Parameters<TestExchange['submit']>[0],
): Promise<readonly string[]> {
  const { events } = await exchange.submit(command);
  return events.flatMap((event) => (event.kind === 'commandRefused' ? [event.reason] : []));
}

const listAsset = (changes: Partial<AssetListing>) =>
  refusals(startExchange(), { kind: 'configureAsset', asset: asset(changes) });
async function listPair(changes: Partial<SymbolListing>): Promise<readonly string[]> {
  const exchange = startExchange();
  await exchange.submit({ kind: 'configureAsset', asset: asset() });
  await exchange.submit({ kind: 'configureAsset', asset: asset({ code: 'USDT', scale: 6 }) });
  return refusals(exchange, { kind: 'configureSymbol', symbol: pair(changes) });
}

describe('DEC-ORD-01: an asset has 0 to 12 decimals and a cap below 2^62 of its smallest unit', () => {
  test('at the bounds it is listed', async () => {
    expect(await listAsset({ scale: 0 })).toEqual([]);
    expect(await listAsset({ scale: 12, cap: as<Balance>(2n ** 62n - 1n) })).toEqual([]);
  });
  test.each([{ scale: 13 }, { scale: -1 }, { scale: 1.5 }, { cap: as<Balance>(2n ** 62n) }, { cap: as<Balance>(0n) }])(
    'beyond them it is refused: %o',
    async (changes) => {
      expect(await listAsset(changes)).toEqual(['invalidConfiguration']);
    },
  );
});

describe('DEC-ORD-02, E18: a pair whose products would need rounding is refused', () => {
  test('decimals of price and quantity fill the scale of the quote asset exactly', async () => {
    expect(await listPair({})).toEqual([]);
  });
  test.each([
    { priceDecimals: 3 },
    { quantityDecimals: 5 },
    { priceDecimals: -1, quantityDecimals: 4 },
    { priceDecimals: 0, quantityDecimals: 9 },
    { minLots: as<Lots>(0) },
    { quote: as<AssetId>(0) },
  ])('%o', async (changes) => {
    expect(await listPair(changes)).toEqual(['invalidConfiguration']);
  });
});

test('DEC-ORD-02: the scales of a listed pair never change', async () => {
  const exchange = startExchange();
  await exchange.submit({ kind: 'configureAsset', asset: asset() });
  await exchange.submit({ kind: 'configureAsset', asset: asset({ code: 'USDT', scale: 6 }) });
  expect(await refusals(exchange, { kind: 'configureSymbol', symbol: pair() })).toEqual([]);
  expect(await refusals(exchange, { kind: 'configureSymbol', symbol: pair({ takerFeePpm: 100 }) })).toEqual([]);
  const rescaled = pair({ priceDecimals: 1 });
  expect(await refusals(exchange, { kind: 'configureSymbol', symbol: rescaled })).toEqual(['invalidConfiguration']);
});
