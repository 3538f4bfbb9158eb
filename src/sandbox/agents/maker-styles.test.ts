import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { AssetId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { makerPlansOf } from '#sandbox/agents/maker-styles.ts';
import { assetProfiles, marketProfile } from '#sandbox/agents/market-profile.ts';
import { tradedMarkets } from '#sandbox/agents/traded-market.ts';
import { contractListing, demoContracts } from '#sandbox/contract-listing.ts';
import { demoAssets, demoPairs, symbolListing } from '#sandbox/listing.ts';

const idOf = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));
const { pairs, contracts } = tradedMarkets(
  {
    assets: demoAssets.map((asset, index) => ({ ...asset, id: as<AssetId>(index), isDelisted: false })),
    symbols: demoPairs.map((pair, index) => ({ ...symbolListing(pair, idOf), id: as<SymbolId>(index) })),
    contracts: demoContracts.map((contract, index) => ({
      ...contractListing(contract, idOf),
      id: as<SymbolId>(100 + index),
      createdAt: as(0),
    })),
    isTradingOpen: true,
    feeToken: null,
  },
  createFairValues(assetProfiles, createPrng(1)),
  { of: ({ name }) => marketProfile(name) },
);

test('every listed pair and contract is traded, and a contract knows the pair of its coins', () => {
  expect(pairs.map(({ rules }) => rules.name)).toEqual(demoPairs.map(({ name }) => name));
  expect(contracts.length).toBe(demoContracts.length);
  for (const { base, quote, spot } of contracts) expect(spot?.rules.name).toBe(`${base.code}${quote.code}`);
});

test('of the makers of a market the first alone quotes the best price, the others further off and wider', () => {
  for (const market of [...pairs, ...contracts]) {
    const plans = makerPlansOf(market).map(([, plan]) => plan);
    expect(plans.map(({ shape }) => shape.hasBest)).toEqual(plans.map((_, index) => index === 0));
    for (const [index, { shape, intervalMs }] of plans.slice(1).entries()) {
      const inner = plans[index]!;
      expect(shape.gapTicks).toBeGreaterThanOrEqual(inner.shape.gapTicks);
      expect(shape.spacingTicks).toBeGreaterThanOrEqual(inner.shape.spacingTicks);
      expect(intervalMs).toBeGreaterThan(inner.intervalMs);
    }
  }
});

test('no two makers have the same grid, and those of contracts stay within the bands around the index', () => {
  const markets = [...pairs, ...contracts];
  const salts = markets.flatMap((market) => makerPlansOf(market).map(([, { shape }]) => shape.salt));
  expect(new Set(salts).size).toBe(salts.length);
  for (const contract of contracts)
    for (const [, { shape }] of makerPlansOf(contract))
      expect(shape.reach * 1_000_000).toBeLessThan(contract.contractRules.bidLimitPpm);
});
