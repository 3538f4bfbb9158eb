import { expect, test } from 'vitest';
import { startMadeMarket } from './sandbox-harness.ts';

const now = Date.UTC(2026, 0, 1);
/** Each market trades within 40 s, however still it is; within a few seconds often none does. */
const passedMs = 45_000;

/** A market of ten minutes that ends at `now`, made on a machine that shows another time. */
async function marketMadeAt(wallTime: number, seed: string) {
  const { sandbox, time } = await startMadeMarket(seed, now, wallTime);
  return { sandbox, advance: time.controls.advance };
}

test('DEC-OPR-26, DEC-OPR-28: equal seeds and moments give one market, whenever it is made and however it is advanced', async () => {
  const [one, same, other] = await Promise.all([
    marketMadeAt(Date.UTC(2026, 10, 21, 12), 'a'),
    marketMadeAt(Date.UTC(2031, 4, 3, 7, 31, 2, 345), 'a'),
    marketMadeAt(Date.UTC(2026, 10, 21, 12), 'b'),
  ]);
  const made = one.sandbox.journal.digest();
  expect(one.sandbox.engine.at).toBe(now);
  expect(one.sandbox.trades).toEqual(same.sandbox.trades);
  expect(made).toBe(same.sandbox.journal.digest());
  expect(made).not.toBe(other.sandbox.journal.digest());

  await one.advance(passedMs);
  for (const ms of [1, 99, 2_450, passedMs - 2_550]) await same.advance(ms);
  expect(one.sandbox.clock.now()).toBe(now + passedMs);
  expect(one.sandbox.journal.digest()).not.toBe(made);
  expect(one.sandbox.trades.flat().some(({ at }) => at > now)).toBe(true);
  expect(one.sandbox.trades).toEqual(same.sandbox.trades);
  expect(one.sandbox.journal.digest()).toBe(same.sandbox.journal.digest());
  expect(one.sandbox.engine.digest()).toBe(same.sandbox.engine.digest());
}, 30_000);
