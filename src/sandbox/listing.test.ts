import { describe, expect, test } from 'vitest';
import type { AssetId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { coins, demoAssets, demoFeeToken, demoPairs, symbolListing } from '#sandbox/listing.ts';
import { assetProfiles, marketProfile } from '#sandbox/agents/market-profile.ts';

const idOf = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));
const scaleOf = (code: string): number => demoAssets[idOf(code)]?.scale ?? -1;
const symbols = demoPairs.map((pair) => ({ pair, rules: symbolListing(pair, idOf) }));

describe('the demo listing', () => {
  test('DEC-ORD-01: assets have distinct tickers and coin ids, scales up to 12 and caps below 2^62', () => {
    expect(new Set(demoAssets.map((asset) => asset.code)).size).toBe(demoAssets.length);
    expect(new Set(demoAssets.map((asset) => asset.coinId)).size).toBe(demoAssets.length);
    for (const asset of demoAssets) {
      expect(asset.code).toMatch(/^[A-Z0-9]{2,12}$/);
      expect(asset.coinId).toMatch(/^[0-9a-f]{32}$/);
      expect(asset.scale).toBeGreaterThanOrEqual(0);
      expect(asset.scale).toBeLessThanOrEqual(12);
      expect(asset.cap > 0n && asset.cap < 2n ** 62n).toBe(true);
    }
    expect(demoAssets[0]?.coinId).toBe('128f589271cb4951b03e71e6323eb7be');
  });

  test('there are at least twelve pairs over at least five quote and price scales', () => {
    expect(new Set(demoPairs.map((pair) => pair.name)).size).toBe(demoPairs.length);
    expect(demoPairs.length).toBeGreaterThanOrEqual(12);
    expect(new Set(demoPairs.map((pair) => `${pair.quote}/${pair.priceDecimals}`)).size).toBeGreaterThanOrEqual(5);
    for (const name of ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'DOGEUSDT', 'SVCUSDT', 'ETHBTC', 'SHIBUSDT']) {
      expect(demoPairs.map((pair) => pair.name)).toContain(name);
    }
  });

  test.each(symbols)('$pair.name keeps every product whole and safe', ({ pair, rules }) => {
    expect(pair.name).toBe(pair.base + pair.quote);
    expect(rules.base).toBeGreaterThanOrEqual(0);
    expect(rules.quote).toBeGreaterThanOrEqual(0);
    expect(pair.priceDecimals + pair.quantityDecimals).toBeLessThanOrEqual(scaleOf(pair.quote));
    expect(pair.quantityDecimals).toBeLessThanOrEqual(scaleOf(pair.base));
    for (const amount of [rules.minNotional, rules.minNotionalMarket, rules.maxNotional, rules.maxNotionalMarket]) {
      expect(Number.isSafeInteger(amount)).toBe(true);
    }
    expect(rules.minLots).toBeGreaterThanOrEqual(1);
    expect(rules.minNotional).toBeLessThan(rules.maxNotionalMarket);
    expect(rules.maxNotionalMarket).toBeLessThanOrEqual(rules.maxNotional);
    expect([...rules.orderKinds].sort()).toEqual(['fillOrKill', 'immediateOrCancel', 'limit', 'market', 'postOnly']);
  });

  test.each(symbols)('$pair.name prices finely enough to quote and coarsely enough to read', ({ pair }) => {
    const value = (code: string): number =>
      assetProfiles.find((asset) => asset.code === code)?.initialUsd ?? Number.NaN;
    const ticks = (value(pair.base) / value(pair.quote)) * 10 ** pair.priceDecimals;
    expect(ticks).toBeGreaterThan(1_000);
    expect(ticks).toBeLessThan(1e8);
    expect(marketProfile(pair.name)).toBeDefined();
  });

  test('SHIBUSDT ticks below a hundred-millionth and the fee token is listed', () => {
    expect(demoPairs.find((pair) => pair.name === 'SHIBUSDT')?.priceDecimals).toBeGreaterThan(8);
    expect(idOf(demoFeeToken.token)).toBeGreaterThanOrEqual(0);
    expect(demoPairs.some((pair) => pair.name === demoFeeToken.token + demoFeeToken.valuedIn)).toBe(true);
  });

  test('whole coins become smallest units without loss', () => {
    expect(coins('USDT', 1_000_000)).toBe(1_000_000_000_000_000n);
    expect(coins('SHIB', 2.5)).toBe(250n);
    expect(() => coins('NOPE', 1)).toThrow(RangeError);
  });
});
