import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';

const hourMs = 3_600_000;
const codes = assetProfiles.map((asset) => asset.code);

/** Hourly logarithmic returns of every asset. */
function walk(seed: number, hours: number): Map<string, number[]> {
  const values = createFairValues(assetProfiles, createPrng(seed));
  const returns = new Map(codes.map((code): [string, number[]] => [code, []]));
  for (let hour = 0; hour < hours; hour += 1) {
    const before = codes.map((code) => values.of(code).usd);
    values.advance(hourMs, (hour + 1) * hourMs);
    for (const [index, code] of codes.entries()) {
      returns.get(code)?.push(Math.log(values.of(code).usd / (before[index] as number)));
    }
  }
  return returns;
}
const deviation = (list: readonly number[]): number => Math.sqrt(list.reduce((sum, x) => sum + x * x, 0) / list.length);
const correlation = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, index) => sum + x * (b[index] as number), 0) / a.length / (deviation(a) * deviation(b));

describe('fair values', () => {
  test('the same seed gives the same values, another seed others', () => {
    expect(walk(7, 50)).toEqual(walk(7, 50));
    expect(walk(7, 50)).not.toEqual(walk(8, 50));
  });

  test('each asset moves as much in a day as its profile says', () => {
    const returns = walk(1, 24 * 200);
    for (const asset of assetProfiles) {
      const daily = deviation(returns.get(asset.code) as number[]) * Math.sqrt(24);
      expect(daily).toBeGreaterThanOrEqual(asset.dailyVolatility * 0.75);
      expect(daily).toBeLessThanOrEqual(asset.dailyVolatility * 1.3);
    }
  });

  test('large assets move together and the dollar coin on its own', () => {
    const returns = walk(2, 24 * 100);
    const of = (code: string): number[] => returns.get(code) as number[];
    expect(correlation(of('BTC'), of('ETH'))).toBeGreaterThan(0.65);
    expect(correlation(of('BTC'), of('SOL'))).toBeGreaterThan(0.5);
    expect(Math.abs(correlation(of('BTC'), of('USDC')))).toBeLessThan(0.1);
  });

  test('a month never runs away from the initial values', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const values = createFairValues(assetProfiles, createPrng(seed));
      for (let hour = 0; hour < 24 * 31; hour += 1) values.advance(hourMs, (hour + 1) * hourMs);
      for (const asset of assetProfiles) {
        const ratio = values.of(asset.code).usd / asset.initialUsd;
        expect(ratio).toBeGreaterThan(0.5);
        expect(ratio).toBeLessThan(2);
      }
    }
  });

  test('a move is spread over its time, on top of what chance does, and takes the place of an earlier one', () => {
    const [moved, calm] = [3, 3].map((seed) => createFairValues(assetProfiles, createPrng(seed)));
    const off = (): number => Math.log(moved!.of('BTC').usd / calm!.of('BTC').usd);
    moved!.move('BTC', 1, 60_000);
    moved!.move('BTC', -0.3, 120_000);
    moved!.move('USDT', -0.3, 120_000);
    for (const [elapsed, expected] of [
      [30_000, -0.075],
      [30_000, -0.15],
      [90_000, -0.3],
      [90_000, -0.3],
    ] as const) {
      for (const values of [moved!, calm!]) values.advance(elapsed, elapsed);
      expect(off()).toBeCloseTo(expected, 4);
    }
    expect(moved!.of('ETH').usd).toBe(calm!.of('ETH').usd);
    expect(moved!.of('USDT').usd).toBe(1);
  });

  test('standing time changes nothing, an anchor is taken over, a pull is bounded', () => {
    const values = createFairValues(assetProfiles, createPrng(3));
    values.anchor('BTC', 90_000);
    values.advance(0, 0);
    expect(values.of('BTC').usd).toBeCloseTo(90_000, 4);
    values.pull('BTC', 10);
    expect(values.of('BTC').usd).toBeCloseTo(90_000 * Math.exp(0.05), 4);
    values.pull('USDT', 0.01);
    expect(values.of('USDT').usd).toBe(1);
    expect(() => values.anchor('BTC', 0)).toThrow(RangeError);
    expect(() => values.of('NOPE').usd).toThrow(RangeError);
  });
});
