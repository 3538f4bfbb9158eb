import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let without: TestOperator;
let elsewhere: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ hasChains: true });
  without = await startTestOperator();
  elsewhere = await startTestOperator({
    hasChains: true,
    context: (context) => ({ ...context, simulation: { ...context.simulation!, isActing: false } }),
  });
});
afterAll(() => Promise.all([operator.close(), without.close(), elsewhere.close()]));

const path = '/v1/market/moves';
const fall = { assets: ['BTC', 'ETH'], changePpm: -300_000, seconds: 120 };

describe('DEC-FUT-65: moves of the simulated market', () => {
  test('a move is taken, and its end is told', async () => {
    const { status, body } = await operator.ask('POST', path, fall);
    expect([status, body.assets]).toEqual([200, fall.assets]);
    expect(body.endsAt).toBe(operator.exchange.clock.now() + 120_000);
  });

  test('an asset that the traders do not value is refused by name', async () => {
    for (const assets of [
      ['BTC', 'USDT'],
      ['BTC', 'NOPE'],
    ]) {
      const { status, body } = await operator.ask('POST', path, { ...fall, assets });
      expect([status, body.errors[0].pointer]).toEqual([400, '/assets/1']);
    }
  });

  test.each([
    ['a fall to nothing', { changePpm: -1_000_000 }],
    ['a rise beyond ten times', { changePpm: 9_000_001 }],
    ['no time', { seconds: 0 }],
    ['more than a day', { seconds: 86_401 }],
    ['no assets', { assets: [] }],
  ])('%s is refused', async (_what, change) => {
    expect((await operator.ask('POST', path, { ...fall, ...change })).status).toBe(400);
  });

  test('DEC-CLU-23: a node whose traders do not act, because another one leads, takes no move', async () => {
    const { status, body } = await elsewhere.ask('POST', path, fall);
    expect([status, body.code]).toEqual([409, 'tradersElsewhere']);
    expect((await elsewhere.ask('POST', path, { ...fall, assets: ['NOPE'] })).status).toBe(400);
  });

  test('without simulated traders there is no such path', async () => {
    expect((await without.ask('POST', path, fall)).body.code).toBe('unknownPath');
  });
});
