import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { startMadeMarket } from './sandbox-harness.ts';

const now = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

/** A market with a history of ten minutes that trades by a clock which stands. */
async function liveMarket(seed: string) {
  const { sandbox, time } = await startMadeMarket(seed, now);
  await time.controls.advance(1_000);
  const depth = async (name: string) => {
    const { bids, asks } = await sandbox.queries.book(as(sandbox.symbolId(name)));
    return [bids.length, asks.length];
  };
  return { sandbox, time, depth };
}
type LiveMarket = Awaited<ReturnType<typeof liveMarket>>;

/** An hour coarsely, a second finely, an hour of which ten minutes pass. */
async function story({ sandbox, time }: LiveMarket) {
  await time.controls.advance(60 * minuteMs);
  await time.controls.advance(1_000);
  await time.controls.advance(60 * minuteMs, { isOver: () => time.clock.now() > now + 71 * minuteMs });
  return sandbox.journal.digest();
}

test('DEC-KIT-05, DEC-KIT-08: an hour that passes coarsely trades in each minute, ends with whole books, and is repeated to the byte', async () => {
  const [one, same] = await Promise.all([liveMarket('a'), liveMarket('a')]);
  const { sandbox, depth } = one;
  const wholeBook = await depth('BTCUSDT');
  expect(Math.min(...wholeBook)).toBeGreaterThan(200);
  const commands = sandbox.journal.commands;
  const digest = await story(one);
  expect(sandbox.journal.commands - commands).toBeLessThan(60_000);
  expect(await story(same)).toBe(digest);
  expect(same.sandbox.engine.digest()).toBe(sandbox.engine.digest());

  const bitcoin = sandbox.trades[sandbox.symbolId('BTCUSDT')]!;
  const minutes = new Set(bitcoin.map(({ at }) => Math.floor((at - now) / minuteMs)));
  for (let minute = 1; minute < 60; minute += 1) expect(minutes).toContain(minute);
  const prices = bitcoin.map(({ price }) => price);
  for (const [at, price] of prices.slice(1).entries()) expect(Math.abs(price / prices[at]! - 1)).toBeLessThan(0.05);
  for (const name of ['BTCUSDT', 'ETHUSDT']) {
    const [bids, asks] = await depth(name);
    expect([name, bids! > 150, asks! > 150]).toEqual([name, true, true]);
  }
  expect(sandbox.troubles).toEqual([]);
  expect(sandbox.faults()).toEqual([]);
  await Promise.all([one.sandbox.simulation.stop(), same.sandbox.simulation.stop()]);
}, 60_000);
