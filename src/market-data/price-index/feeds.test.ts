import { expect, test } from 'vitest';
import type { ContractRules } from '#model/contract.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import { createSpotFeed } from '#market-data/price-index/spot-feed.ts';
import type { SpotPrices } from '#market-data/price-index/spot-price.ts';

const contract = { id: as(7), base: as(1), settle: as(0) } as ContractRules;
const symbol = { id: as(3), base: as(1), quote: as(0), priceDecimals: 2, status: 'online' } as SymbolRules;
const now = 1_700_000_000_000;

/** What the own spot market says at these ticks. */
async function spotPrice(
  bid: number | null,
  ask: number | null,
  last: number | null,
  rules: Partial<SymbolRules> = {},
) {
  const prices = { bid, ask, last } as SpotPrices;
  const symbols = async () => [
    { ...symbol, id: as<SymbolRules['id']>(2), base: as<SymbolRules['base']>(5) },
    { ...symbol, ...rules },
  ];
  const feed = createSpotFeed({
    symbols,
    pricesOf: (id) => (id === 3 ? prices : { bid: null, ask: null, last: null }),
    weight: 100,
  });
  const [source] = await feed.sourcesOf(contract, as(now));
  return source?.price ?? null;
}

test('DEC-FUT-41: the own spot market gives its last price, within best bid and ask', async () => {
  // 650.00 is 65,000 ticks of 10^-2, that is 65,000,000,000 steps of 10^-8.
  expect(await spotPrice(64_990, 65_010, 65_000)).toBe(65_000_000_000);
  expect(await spotPrice(64_990, 65_010, 60_000)).toBe(64_990_000_000);
  expect(await spotPrice(64_990, 65_010, 70_000)).toBe(65_010_000_000);
});

test('DEC-FUT-41: before the first trade it gives the middle, and without one side nothing', async () => {
  expect(await spotPrice(64_990, 65_011, null)).toBe(65_000_500_000);
  expect(await spotPrice(null, 65_010, 65_000)).toBeNull();
  expect(await spotPrice(64_990, null, 65_000)).toBeNull();
});

test('DEC-FUT-41: a paused symbol, another quote and a price beyond what is exact give nothing', async () => {
  expect(await spotPrice(64_990, 65_010, 65_000, { status: 'paused' })).toBeNull();
  expect(await spotPrice(64_990, 65_010, 65_000, { quote: as(4) })).toBeNull();
  expect(await spotPrice(10 ** 15, 10 ** 15, 10 ** 15)).toBeNull();
  // 3 ticks of 10^-9 are 0.3 steps.
  expect(await spotPrice(3, 3, 3, { priceDecimals: 9 })).toBeNull();
});

test('DEC-FUT-43: a given price takes the place of the one before, and at most 20 sources are taken', async () => {
  const feed = createOperatorFeed();
  const give = (name: string, price: number) =>
    feed.give(contract.id, { name, price, weight: 1, at: as(now), liveUntil: as(now + 1000) });
  for (let index = 0; index < 20; index += 1) expect(give(`S${index}`, 100)).toBe(true);
  expect([give('S20', 100), give('S3', 103)]).toEqual([false, true]);
  const said = await feed.sourcesOf(contract, as(now));
  expect(said.map(({ name, price }) => [name, price])).toContainEqual(['S3', 103]);
  expect(said).toHaveLength(20);
  expect([feed.remove(contract.id, 'S3'), feed.remove(contract.id, 'S3'), give('S20', 100)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(await feed.sourcesOf({ ...contract, id: as(8) }, as(now))).toEqual([]);
});

test('DEC-FUT-43: a stale price is told of for an hour, then makes room', async () => {
  const feed = createOperatorFeed();
  feed.give(contract.id, { name: 'DESK', price: 100, weight: 1, at: as(now), liveUntil: as(now + 1000) });
  expect(await feed.sourcesOf(contract, as(now + 3_601_000))).toHaveLength(1);
  expect(await feed.sourcesOf(contract, as(now + 3_601_001))).toEqual([]);
});
