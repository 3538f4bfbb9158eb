import assert from 'node:assert/strict';

/**
 * The tests of a file that a runner is given: the second one fails on purpose, the third tells whether it began with
 * what was there before the first. `bourse` is what `useBourse` answered.
 */
export function tellStory(bourse, { test, beforeAll }) {
  beforeAll(async () => {
    await bourse.operator.advanceClock({ ms: 60_000 });
  });
  const minutes = async () => {
    const { serverTime } = await (await fetch(`${bourse.baseUrl}/api/v3/time`)).json();
    return (serverTime - Date.parse('2026-01-01T00:00:00Z')) / 60_000;
  };
  test('begins', async () => {
    assert.equal(await minutes(), 1);
    await fetch(`${bourse.baseUrl}/api/v3/depth?symbol=NONE`);
  });
  test('breaks', async () => {
    await bourse.operator.advanceClock({ ms: 60_000 });
    await fetch(`${bourse.baseUrl}/api/v3/order?symbol=BTCUSDT`, { method: 'POST' });
    assert.equal(await minutes(), 7);
  });
  test('begins again', async () => assert.equal(await minutes(), 1));
}
