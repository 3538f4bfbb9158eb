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

describe('DEC-KIT-60: conditions of markets', () => {
  const at = '/v1/market/conditions';
  const usual = { agents: 'on', sides: 'both', spreadPpm: 1_000_000, depthPpm: 1_000_000, tradesPpm: 1_000_000 };
  const shown = async () => (await operator.ask('GET', '/v1/market')).body;

  test('what is left out is as usual; the state is shown, and ended at once', async () => {
    const change = { sides: 'buy', depthPpm: 50_000 };
    const { status, body } = await operator.ask('PUT', at, {
      markets: ['BTCUSDT', 'BTC_USDT'],
      ...change,
      seconds: 60,
    });
    const endsAt = operator.exchange.clock.now() + 60_000;
    const changed = ['BTCUSDT', 'BTC_USDT'].map((market) => ({ market, ...usual, ...change, endsAt }));
    expect([status, body]).toEqual([200, { markets: changed }]);
    const { isActing, markets } = await shown();
    expect(isActing).toBe(true);
    expect(markets.filter(({ sides }: { readonly sides: string }) => sides === 'buy')).toMatchObject(changed);
    expect((await operator.ask('DELETE', at)).body).toEqual({ ended: 2 });
    const [first] = (await shown()).markets;
    const unlisted = { base: null, price: null, isHalted: false };
    expect(first).toEqual({ market: 'BTCUSDT', ...usual, endsAt: null, ...unlisted });
  });

  test.each([
    ['a market that nobody trades', { markets: ['BTCUSDT', 'NOPEUSDT'] }, '/markets/1'],
    ['no market', { markets: [] }, '/markets'],
    ['a spread of nothing', { spreadPpm: 0 }, '/spreadPpm'],
    ['a spread beyond its bound', { spreadPpm: 1_000_000_001 }, '/spreadPpm'],
    ['a depth of nothing', { depthPpm: 0 }, '/depthPpm'],
    ['trades below zero', { tradesPpm: -1 }, '/tradesPpm'],
    ['no time', { seconds: 0 }, '/seconds'],
    ['a side that is none', { sides: 'none' }, '/sides'],
    ['agents that are neither', { agents: 'asleep' }, '/agents'],
    ['an unknown member', { spread: 2 }, '/spread'],
  ])('%s is refused by name, and nothing changes', async (_what, change, pointer) => {
    const before = await shown();
    const { status, body } = await operator.ask('PUT', at, { markets: ['BTCUSDT'], ...change });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(await shown()).toEqual(before);
  });

  test('where traders do not act or there are none, there is nothing to change', async () => {
    const asked = { markets: ['BTCUSDT'], agents: 'off' };
    expect((await elsewhere.ask('PUT', at, asked)).body.code).toBe('tradersElsewhere');
    expect((await elsewhere.ask('DELETE', at)).body.code).toBe('tradersElsewhere');
    for (const [method, path, body] of [
      ['GET', '/v1/market', undefined],
      ['PUT', at, asked],
      ['DELETE', at, undefined],
    ] as const)
      expect((await without.ask(method, path, body)).body.code).toBe('unknownPath');
  });
});

describe('DEC-KIT-63: paths', () => {
  const at = '/v1/market/paths';
  const fall = { fallPpm: 80_000, fallSeconds: 1, bottomSeconds: 60, recoverySeconds: 30 };

  test.each([
    [{ kind: 'trend', changePpm: -100_000, seconds: 60 }, 60],
    [{ kind: 'drift', changePpmPerHour: 20_000, seconds: 7200 }, 7200],
    [{ kind: 'volatility', seconds: 30 }, 30],
    [{ kind: 'jump', changePpm: 50_000, seconds: 10 }, 10],
    [{ kind: 'range', widthPpm: 2_000, seconds: 20 }, 20],
    [{ kind: 'flashCrash', ...fall }, 91],
    [{ kind: 'depeg', ...fall, recoveredPpm: 0 }, 91],
    [{ kind: 'segments', segments: [1, 2].map((seconds) => ({ changePpm: 1_000, seconds })) }, 3],
  ])('%j is taken, and its end is told', async (path, seconds) => {
    const { status, body } = await operator.ask('POST', at, { assets: ['BTC'], path });
    const endsAt = operator.exchange.clock.now() + seconds * 1000;
    expect([status, body]).toEqual([200, { assets: ['BTC'], endsAt }]);
  });

  const jump = { kind: 'jump', changePpm: 1, seconds: 1 };
  test.each([
    ['an asset that nobody values', { assets: ['BTC', 'USDT'], path: jump }, 400, '/assets/1'],
    ['a kind that is none', { path: { ...jump, kind: 'hop' } }, 400, '/path/kind'],
    ['a fall to nothing', { path: { ...jump, changePpm: -1_000_000 } }, 400, '/path/changePpm'],
    ['time below zero', { path: { ...jump, seconds: -1 } }, 400, '/path/seconds'],
    ['a member of another kind', { path: { ...jump, widthPpm: 1 } }, 400, '/path/widthPpm'],
    ['chance beyond its bound', { path: jump, volatilityPpm: 20_000_001 }, 400, '/volatilityPpm'],
    ['no time at all', { path: { kind: 'segments', segments: [{ changePpm: 1, seconds: 0 }] } }, 422, '/path'],
  ])('%s is refused by name', async (_what, change, status, pointer) => {
    const answer = await operator.ask('POST', at, { assets: ['BTC'], ...change });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer]);
  });

  test('all paths are ended at once; where traders do not act or there are none, nothing is led', async () => {
    expect((await operator.ask('DELETE', at)).body).toEqual({ ended: 0 });
    expect((await operator.ask('GET', '/v1/market')).body.values).toEqual([]);
    const asked = { assets: ['BTC'], path: jump };
    expect((await elsewhere.ask('POST', at, asked)).body.code).toBe('tradersElsewhere');
    expect((await elsewhere.ask('DELETE', at)).body.code).toBe('tradersElsewhere');
    expect((await without.ask('POST', at, asked)).body.code).toBe('unknownPath');
  });
});

describe('DEC-KIT-64, DEC-KIT-65: replays', () => {
  const at = '/v1/market/replays';
  const recordedAt = 1_700_000_000_000;
  const record = [0, 1, 2].map((each) => `${each},36500.${each},0.5,1,${recordedAt + each * 1000},true`).join('\n');
  const asked = { market: 'BTCUSDT', format: 'trades', record };

  test('a record is taken, listed with its progress, and ended', async () => {
    const now = operator.exchange.clock.now();
    const { status, body } = await operator.ask('POST', at, { ...asked, factor: '2.5', volumePpm: 3_000_000 });
    const id = body.id as string;
    const shown = {
      ...{ id, market: 'BTCUSDT', format: 'trades', factor: '2.5', volumePpm: 3_000_000, price: 'present' },
      ...{ state: 'waiting', startAt: now, endsAt: now + 800, recordedFrom: recordedAt, entries: 3, played: 0 },
    };
    expect([status, body]).toEqual([201, shown]);
    expect((await operator.ask('GET', at)).body).toEqual({ items: [shown] });
    expect((await operator.ask('DELETE', `${at}/${id}`)).body).toEqual({ ...shown, state: 'ended' });
    expect((await operator.ask('DELETE', `${at}/${id}`)).body.code).toBe('unknownReplay');
    expect((await operator.ask('GET', at)).body).toEqual({ items: [] });
  });

  test('a long record fits, and is told once for one Idempotency-Key', async () => {
    const lines = Array.from({ length: 50_000 }, (_, each) => `${each},36500,0.5,1,${recordedAt + each * 100},true`);
    const long = { ...asked, record: lines.join('\n') };
    const headers = { 'idempotency-key': 'long-record' };
    const first = await operator.ask('POST', at, long, { headers });
    expect([first.status, first.body.entries]).toEqual([201, 50_000]);
    expect((await operator.ask('POST', at, long, { headers })).body).toEqual(first.body);
    expect((await operator.ask('POST', at, asked, { headers })).body.code).toBe('idempotencyKeyInUse');
    await operator.ask('DELETE', `${at}/${first.body.id}`);
  });

  test.each([
    ['a market that nobody trades', { market: 'NOPEUSDT' }, '/market', 'must be one of BTCUSDT'],
    ['a format that is none', { format: 'ticks' }, '/format', 'must be one of trades, candles'],
    [
      'a record that is none',
      { record: `${record}\n7,x` },
      '/record',
      'must be readable: line 4, column price must be',
    ],
    ['nothing', { record: '' }, '/record', 'must have at least 1 characters'],
    ['a factor of nothing', { factor: '0' }, '/factor', 'must be from 0.01 to 1000'],
    ['more volume than a thousand times', { volumePpm: 1_000_000_001 }, '/volumePpm', 'must be at most 1000000000'],
    ['a beginning that never comes', { startAt: Number.MAX_SAFE_INTEGER }, '/startAt', 'must not be after'],
    ['a beginning in the past', { startAt: 1 }, '/startAt', 'must not be in the past'],
    ['a price that is none', { price: 'mine' }, '/price', 'must be one of recorded, present'],
    ['an unknown member', { speed: 2 }, '/speed', 'is not known here'],
  ])('%s is refused by name, and nothing begins', async (_what, change, pointer, detail) => {
    const { status, body } = await operator.ask('POST', at, { ...asked, ...change });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(body.errors[0].detail).toContain(detail);
    expect((await operator.ask('GET', at)).body.items).toEqual([]);
  });

  test('where traders do not act or there are none, nothing is replayed', async () => {
    expect((await elsewhere.ask('POST', at, asked)).body.code).toBe('tradersElsewhere');
    expect((await elsewhere.ask('DELETE', `${at}/replay-1`)).body.code).toBe('tradersElsewhere');
    expect((await without.ask('POST', at, asked)).body.code).toBe('unknownPath');
    expect((await without.ask('GET', at)).body.code).toBe('unknownPath');
  });

  test('what would take longer than ten years is refused', async () => {
    const long = `${record}\n4,1,1,1,${recordedAt + 4e11},true`;
    const { status, body } = await operator.ask('POST', at, { ...asked, record: long, factor: '0.5' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/factor']);
  });

  test('more than twenty at a time are refused', async () => {
    const ids: string[] = [];
    for (let each = 0; each < 20; each += 1) ids.push((await operator.ask('POST', at, asked)).body.id);
    const { status, body } = await operator.ask('POST', at, asked);
    expect([status, body.code]).toEqual([409, 'tooManyReplays']);
    for (const id of ids) await operator.ask('DELETE', `${at}/${id}`);
  });
});
