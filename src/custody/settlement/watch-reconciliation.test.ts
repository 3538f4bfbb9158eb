import { expect, test } from 'vitest';
import type { ReconciledAsset } from '#custody/settlement/reconcile.ts';
import { startReconciliation } from '#custody/settlement/watch-reconciliation.ts';

const hourMs = 3_600_000;
/** A row of the reconciliation. */
const row = (code: string, difference: bigint, isComplete = true): ReconciledAsset =>
  ({
    asset: { id: code === 'ETH' ? 0 : 1, code, scale: 2 },
    difference,
    isComplete,
    isExplained: isComplete && difference === 0n,
  }) as unknown as ReconciledAsset;

/** A watch over readings, one after the other; the last one stays. */
function watching(...readings: readonly (readonly ReconciledAsset[])[]) {
  const told: string[] = [];
  const left = [...readings];
  const monotonic = { time: 0, now: () => monotonic.time };
  let count = 0;
  const watch = startReconciliation({
    reconcile: async () => {
      count += 1;
      return left.length > 1 ? left.shift()! : left[0]!;
    },
    monotonic,
    repeat: () => () => {},
    pause: async (ms) => void (monotonic.time += ms),
    notice: (message) => told.push(message),
    onTrouble: (what, error) => told.push(`${what}: ${error}`),
  });
  return { watch, told, monotonic, count: () => count, shown: () => shownOf(watch) };
}
const shownOf = ({ findings }: ReturnType<typeof startReconciliation>) =>
  findings().assets.map(({ asset, difference }) => `${asset.code} ${difference}`);

test('DEC-OPR-299: a difference that stays for three readings is one, and told once', async () => {
  const world = watching([row('ETH', -150n), row('USDT', 0n)]);
  await world.watch.run();
  expect([world.shown(), world.count()]).toEqual([['ETH -150', 'USDT 0'], 3]);
  world.monotonic.time += hourMs;
  await world.watch.run();
  expect(world.told).toEqual(['Reconciliation: custody has 1.5 ETH less than the ledger explains.']);
});

test('DEC-OPR-299: money that moves while it is read is none', async () => {
  const world = watching([row('ETH', 7n)], [row('ETH', 0n)]);
  await world.watch.run();
  expect([world.shown(), world.count(), world.told]).toEqual([['ETH 0'], 2, []]);
});

test('DEC-OPR-299: it looks every hour, and what is explained again is told', async () => {
  const different = [row('ETH', 1n)];
  const world = watching(different, different, different, [row('ETH', 0n)]);
  await world.watch.run();
  world.monotonic.time += hourMs - 4001;
  await world.watch.run();
  expect(world.count()).toBe(3);
  world.monotonic.time += hourMs;
  await world.watch.run();
  expect([world.count(), world.shown(), world.told[1]]).toEqual([
    4,
    ['ETH 0'],
    'Reconciliation: what custody has of ETH is explained again.',
  ]);
});

test('DEC-OPR-299: a network without an answer keeps what was found, ages, and is asked again soon', async () => {
  const different = [row('ETH', 5n)];
  const silent = [row('ETH', 0n, false), row('USDT', 0n)];
  const world = watching(different, different, different, silent);
  await world.watch.run();
  const { ageMs } = world.watch.findings();
  world.monotonic.time += hourMs;
  await world.watch.run();
  expect(world.shown()).toEqual(['ETH 5', 'USDT 0']);
  expect(world.watch.findings().ageMs - ageMs).toBe(hourMs);
  world.monotonic.time += 299_999;
  await world.watch.run();
  expect(world.count()).toBe(4);
  world.monotonic.time += 1;
  await world.watch.run();
  expect(world.count()).toBe(5);
});

test('DEC-OPR-299: a failure is told, and what was found stays', async () => {
  const told: string[] = [];
  const watch = startReconciliation({
    reconcile: async () => {
      throw new Error('broken');
    },
    monotonic: { now: () => 5 },
    repeat: () => () => {},
    pause: async () => {},
    notice: () => {},
    onTrouble: (what, error) => told.push(`${what}: ${(error as Error).message}`),
  });
  await watch.run();
  expect([told, watch.findings()]).toEqual([['comparing the ledger with custody: broken'], { assets: [], ageMs: 0 }]);
});
