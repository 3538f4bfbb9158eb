import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { pathFault, pathOf, type PathShape } from '#sandbox/path-shapes.ts';
import type { Sandbox } from './sandbox-harness.ts';
import { startMarket } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const crash = { kind: 'flashCrash', fallPpm: 300_000, fallSeconds: 4, bottomSeconds: 4, recoverySeconds: 8 } as const;

const follow = (sandbox: Sandbox, asset: string, shape: PathShape, volatility = 0): void =>
  sandbox.simulation.follow([asset], pathOf(shape, volatility));
const worthOf = (sandbox: Sandbox, asset: string) =>
  sandbox.simulation.values().find((value) => value.asset === asset)!;

test('DEC-KIT-63, DEC-KIT-69: a flash crash leads books and trades of pair and contract down and up again', async () => {
  const sandbox = await startMarket('crash');
  const names = ['BTCUSDT', 'BTC_USDT'] as const;
  const before = { pair: await sandbox.mid(names[0]), contract: await sandbox.mid(names[1]) };
  const eth = await sandbox.mid('ETHUSDT');
  const prices: number[] = [];
  follow(sandbox, 'BTC', { ...crash, recoveredPpm: 1_000_000 });
  for (let second = 1; second <= 4; second += 1) {
    await sandbox.pass(1_000);
    // DEC-KIT-69: no more than a second behind.
    expect((await sandbox.mid(names[0])) / before.pair).toBeLessThan(0.7 ** ((second - 1) / 4));
  }
  await sandbox.pass(2_000);
  expect((await sandbox.mid(names[0])) / before.pair).toBeCloseTo(0.7, 2);
  expect((await sandbox.mid(names[1])) / before.contract).toBeCloseTo(0.7, 1);
  // Trades of ETH against BTC take it along a little.
  expect((await sandbox.mid('ETHUSDT')) / eth).toBeGreaterThan(0.9);
  expect(worthOf(sandbox, 'BTC').path).toEqual({ kind: 'flashCrash', leftMs: 10_000 });
  await sandbox.pass(10_000);
  prices.push(...sandbox.trades[sandbox.symbolId('BTCUSDT')]!.map(({ price }) => price / before.pair));
  expect((await sandbox.mid(names[0])) / before.pair).toBeCloseTo(1, 2);
  expect(Math.min(...prices)).toBeLessThan(0.75);
  expect(worthOf(sandbox, 'BTC').path).toBeNull();
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-63: a jump, a range, a depeg and an end before time', async () => {
  const sandbox = await startMarket('shapes');
  const sol = worthOf(sandbox, 'SOL').usd;
  follow(sandbox, 'SOL', { kind: 'jump', changePpm: 100_000, seconds: 30 });
  await sandbox.pass(8_000);
  expect(worthOf(sandbox, 'SOL').usd / sol).toBeCloseTo(1.1, 6);
  expect((await sandbox.mid('SOLUSDT')) / (sol * 10 ** 2)).toBeCloseTo(1.1, 2);

  const doge = worthOf(sandbox, 'DOGE').usd;
  follow(sandbox, 'DOGE', { kind: 'range', widthPpm: 1_000, seconds: 30 }, 20);
  const reached: number[] = [];
  for (let step = 0; step < 20; step += 1) {
    await sandbox.pass(1_000);
    reached.push(worthOf(sandbox, 'DOGE').usd / doge);
  }
  expect([Math.min(...reached) >= 0.999 - 1e-9, Math.max(...reached) <= 1.001 + 1e-9]).toEqual([true, true]);
  expect(new Set(reached).size).toBeGreaterThan(10);

  const terms = { fallPpm: 80_000, fallSeconds: 0, bottomSeconds: 60, recoverySeconds: 0, recoveredPpm: 0 };
  const usdc = await sandbox.mid('USDCUSDT');
  follow(sandbox, 'USDC', { kind: 'depeg', ...terms });
  await sandbox.pass(25_000);
  expect((await sandbox.mid('USDCUSDT')) / usdc).toBeCloseTo(0.92, 2);
  expect(sandbox.simulation.clearPaths()).toBe(1);
  expect(sandbox.simulation.values().filter(({ path }) => path !== null)).toEqual([]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-63: trades lead the last price along, however steep a path is', async () => {
  const sandbox = await startMarket('steep');
  const before = await sandbox.mid('SOLUSDT');
  follow(sandbox, 'SOL', { kind: 'jump', changePpm: 99_000_000, seconds: 1 });
  await sandbox.pass(20_000);
  const { bids, asks } = await sandbox.queries.book(as(sandbox.symbolId('SOLUSDT')));
  expect(bids[0]![0] / before).toBeGreaterThan(1.3);
  expect(asks[0]![0] / bids[0]![0]).toBeLessThan(1.06);
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-63: no value goes where prices have no meaning', () => {
  const values = createFairValues(assetProfiles, createPrng(1));
  for (let again = 0; again < 3; again += 1) {
    values.follow('SOL', pathOf({ kind: 'jump', changePpm: 99_000_000, seconds: 1 }, 0));
    values.advance(60_000, noon);
  }
  expect(values.of('SOL').usd).toBeCloseTo(188_000, 6);
  expect(values.followedBy('SOL')).toBeNull();
});

test.each([
  ['no time', { kind: 'segments', segments: [{ changePpm: 5, seconds: 0 }] }, 'must take some time'],
  [
    'more than a day in all',
    { kind: 'segments', segments: [1, 2].map(() => ({ changePpm: 5, seconds: 50_000 })) },
    'must take at most 86400 seconds in all',
  ],
  [
    'more than a hundred times',
    { kind: 'segments', segments: [1, 2].map(() => ({ changePpm: 19_000_000, seconds: 1 })) },
    'must not lead to more than 100 times the value, or less than its 100th',
  ],
] as const)('DEC-KIT-63: a path of %s is refused', (_what, shape, fault) => {
  expect(pathFault(pathOf(shape, 1))).toBe(fault);
});
