import { describe, expect, test } from 'vitest';
import type { AssetId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { contractListing, demoContracts } from '#sandbox/contract-listing.ts';
import { demoAssets } from '#sandbox/listing.ts';

const idOf = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));
const settleScale = demoAssets[idOf('USDT')]?.scale ?? -1;
const listed = demoContracts.map((contract) => ({ contract, terms: contractListing(contract, idOf) }));

describe('the contracts of the sandbox', () => {
  test('DEC-FUT-07: sizes, ticks, bounds and rates of the four contracts', () => {
    const rows = listed.map(({ terms }) => [
      terms.name,
      terms.size / 10 ** terms.sizeDecimals,
      1 / 10 ** terms.priceDecimals,
    ]);
    expect(rows).toEqual([
      ['BTC_USDT', 0.0001, 0.1],
      ['ETH_USDT', 0.01, 0.01],
      ['SOL_USDT', 1, 0.01],
      ['DOGE_USDT', 100, 0.00001],
    ]);
    for (const { terms } of listed) {
      expect(terms).toMatchObject({ state: 'enabled', minLots: 1, maxLots: 4_500_000 });
      expect(terms).toMatchObject({ takerFeePpm: 400, makerFeePpm: 100, liquidationFeePpm: 400 });
      expect(terms).toMatchObject({ bidLimitPpm: 100_000, askLimitPpm: 100_000 });
      expect(terms).toMatchObject({ minFundingPpm: -1_800, maxFundingPpm: 1_800, fundingHours: 8 });
    }
  });

  test.each(listed)('a tick of one $terms.name is a whole number of the settle asset', ({ terms }) => {
    expect(terms.base).toBeGreaterThanOrEqual(0);
    expect(terms.settle).toBeGreaterThanOrEqual(0);
    expect(settleScale - terms.sizeDecimals - terms.priceDecimals).toBeGreaterThanOrEqual(0);
    const perTickLot = terms.size * 10 ** (settleScale - terms.sizeDecimals - terms.priceDecimals);
    expect(Number.isSafeInteger(perTickLot) && perTickLot >= 1).toBe(true);
  });

  test.each(listed)(
    'DEC-FUT-53: the greatest position of $terms.name costs less than a position may',
    ({ contract, terms }) => {
      const price = assetProfiles.find((asset) => asset.code === contract.base)?.initialUsd ?? Number.NaN;
      const ticks = BigInt(Math.round(price * 10 ** terms.priceDecimals));
      const perTickLot = BigInt(terms.size) * 10n ** BigInt(settleScale - terms.sizeDecimals - terms.priceDecimals);
      const greatest = BigInt(terms.tiers.at(-1)?.maxLots ?? 0);
      expect(ticks * greatest * perTickLot).toBeGreaterThan(0n);
      expect(ticks * greatest * perTickLot).toBeLessThan(2n ** 60n);
    },
  );

  test.each(listed)('DEC-FUT-08: $terms.name has five or six tiers that tighten as positions grow', ({ terms }) => {
    expect([5, 6]).toContain(terms.tiers.length);
    terms.tiers.forEach((tier, index) => {
      expect(Number.isInteger(tier.maxLeverage) && tier.maxLeverage >= 1).toBe(true);
      expect(tier.maxLeverage * tier.initialPpm).toBe(1_000_000);
      // Below the liquidation fee there would be nothing left to pay it with.
      expect(tier.maintenancePpm).toBeGreaterThan(terms.liquidationFeePpm);
      expect(tier.maintenancePpm).toBeLessThan(tier.initialPpm);
      const before = terms.tiers[index - 1];
      if (before === undefined) return;
      expect(tier.maxLots).toBeGreaterThan(before.maxLots);
      expect(tier.maintenancePpm).toBeGreaterThan(before.maintenancePpm);
      expect(tier.initialPpm).toBeGreaterThan(before.initialPpm);
    });
    expect(terms.tiers.at(-1)?.maxLots).toBe(terms.maxLots);
  });
});
