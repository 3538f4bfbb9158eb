import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { type MarketCondition, usualCondition } from '#sandbox/agents/market-conditions.ts';
import type { Sandbox } from './sandbox-harness.ts';
import { startMarket } from './sandbox-harness.ts';

const pair = 'SOLUSDT';
const contract = 'SOL_USDT';

const market = (seed: string): Promise<Sandbox> => startMarket(seed, 3_000);
const bookOf = (sandbox: Sandbox, name: string) => sandbox.queries.book(as(sandbox.symbolId(name)));
const set = async (sandbox: Sandbox, name: string, change: Partial<MarketCondition>): Promise<void> => {
  sandbox.simulation.setCondition([name], { ...usualCondition, ...change });
  await sandbox.pass(300);
};
const spreadOf = async (sandbox: Sandbox, name: string): Promise<number> => {
  const { bids, asks } = await bookOf(sandbox, name);
  return asks[0]![0] - bids[0]![0];
};
/** Lots of the first ten levels of both sides. */
const depthOf = async (sandbox: Sandbox, name: string): Promise<number> => {
  const { bids, asks } = await bookOf(sandbox, name);
  return [...bids.slice(0, 10), ...asks.slice(0, 10)].reduce((sum, [, lots]) => sum + Number(lots), 0);
};
const tradesOf = (sandbox: Sandbox, name: string): number => sandbox.trades[sandbox.symbolId(name)]?.length ?? 0;

test('DEC-KIT-60, DEC-KIT-61: agents stand still, go, come back; sides, spread, depth and trades become others', async () => {
  const sandbox = await market('conditions');
  const usual = { spread: await spreadOf(sandbox, pair), depth: await depthOf(sandbox, pair) };

  await set(sandbox, pair, { agents: 'still' });
  const [standing, trades] = [await bookOf(sandbox, pair), tradesOf(sandbox, pair)];
  await sandbox.pass(20_000);
  expect(await bookOf(sandbox, pair)).toEqual(standing);
  expect(tradesOf(sandbox, pair)).toBe(trades);

  await set(sandbox, pair, { agents: 'off' });
  expect(await bookOf(sandbox, pair)).toMatchObject({ bids: [], asks: [] });
  expect((await bookOf(sandbox, 'ETHUSDT')).bids.length).toBeGreaterThan(50);

  await set(sandbox, pair, { sides: 'sell' });
  await sandbox.pass(5_000);
  const oneSided = await bookOf(sandbox, pair);
  expect([oneSided.bids, oneSided.asks.length > 50]).toEqual([[], true]);

  await set(sandbox, pair, { spread: 20 });
  expect((await spreadOf(sandbox, pair)) / usual.spread).toBeGreaterThan(8);
  await set(sandbox, pair, { depth: 0.02 });
  expect((await depthOf(sandbox, pair)) / usual.depth).toBeLessThan(0.3);
  await set(sandbox, pair, { trades: 100 });
  const before = tradesOf(sandbox, pair);
  await sandbox.pass(10_000);
  expect(tradesOf(sandbox, pair) - before).toBeGreaterThan(40);

  await set(sandbox, contract, { sides: 'buy' });
  const { bids, asks } = await bookOf(sandbox, contract);
  expect([bids.length > 20, asks]).toEqual([true, []]);

  expect(sandbox.simulation.clearConditions()).toBe(2);
  await sandbox.pass(300);
  expect((await spreadOf(sandbox, pair)) / usual.spread).toBeLessThan(4);
  expect((await bookOf(sandbox, contract)).asks.length).toBeGreaterThan(20);
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-60: a condition ends by the clock of the exchange', async () => {
  const sandbox = await market('ending');
  const state = () => sandbox.simulation.markets().find(({ name }) => name === pair)!.condition;
  await set(sandbox, pair, { agents: 'off', endsAt: sandbox.clock.now() + 2_000 });
  expect((await bookOf(sandbox, pair)).bids).toEqual([]);
  expect(state().agents).toBe('off');
  await sandbox.pass(2_000);
  expect((await bookOf(sandbox, pair)).bids.length).toBeGreaterThan(50);
  expect(state()).toEqual(usualCondition);
  expect(() => sandbox.simulation.setCondition(['NOPEUSDT'], usualCondition)).toThrow(RangeError);
  await sandbox.simulation.stop();
});

test('DEC-KIT-62: the same seed and the same acts at the same times give the same journal', async () => {
  const digests: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const sandbox = await market('repeated');
    await set(sandbox, pair, { sides: 'buy', spread: 5 });
    await set(sandbox, pair, { agents: 'off' });
    sandbox.simulation.clearConditions();
    await sandbox.pass(2_000);
    await sandbox.simulation.stop();
    digests.push(sandbox.journal.digest());
  }
  expect(digests[0]).toBe(digests[1]);
});
