import { expect, test } from 'vitest';
import { startSandbox } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const days = 24 * hour;

async function liveMarket() {
  const sandbox = startSandbox('steps', noon);
  sandbox.clock.set(noon - 20 * 60_000);
  await sandbox.open();
  await sandbox.simulation.seedHistory({ now: noon, onProgress: () => {} });
  await sandbox.simulation.start();
  await sandbox.pass(5_000);
  return sandbox;
}

test.each([
  ['an hour back', [-hour]],
  ['400 days forth and back', [400 * days, -400 * days]],
  ['forth and back again and again', Array.from({ length: 40 }, (_, step) => (step % 2 === 0 ? 1 : -1) * step * hour)],
])('the simulated market trades on when the machine’s clock is set %s', async (_name, steps) => {
  const sandbox = await liveMarket();
  const openOrders = async (): Promise<number> => {
    const accounts = (await sandbox.queries.accounts()).filter(({ simulated }) => simulated);
    const open = await Promise.all(accounts.map(({ account }) => sandbox.queries.openOrders(account, null)));
    return open.flat().length;
  };
  const before = await openOrders();
  for (const step of steps) {
    sandbox.wall.time += step;
    await sandbox.pass(300);
  }
  const position = await sandbox.queries.position();
  sandbox.trades.length = 0;
  await sandbox.pass(40_000);
  const trades = sandbox.trades.flatMap((ofSymbol) => ofSymbol ?? []);
  expect(trades.length).toBeGreaterThan(20);
  expect(Math.min(...trades.map(({ at }) => at))).toBeGreaterThanOrEqual(position.at);
  expect(sandbox.clock.now()).toBe(sandbox.wall.time);
  expect(await openOrders()).toBeLessThan(before * 1.2);
  expect([...sandbox.refusals.keys()].filter((reason) => reason !== 'noOpposingOrder')).toEqual([]);
  expect(sandbox.troubles).toEqual([]);
  expect(sandbox.faults()).toEqual([]);
});
