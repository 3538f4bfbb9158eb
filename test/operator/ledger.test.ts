import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssetId, as, type Lots, type PriceTicks, type Quanta, type SymbolId } from '#model/units.ts';
import { btcUsdt } from '../api/gateway-harness.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  const { exchange, alice, bob } = operator;
  const symbol = { ...btcUsdt, base: as<AssetId>(1), quote: as<AssetId>(0) };
  await exchange.submit({ kind: 'configureSymbol', symbol });
  await exchange.submit({ kind: 'creditFunds', account: bob.account, asset: as(1), amount: as(100_000_000n) });
  const order = { symbol: as<SymbolId>(0), price: as<PriceTicks>(2_000_000), quantity: as<Lots>(500_000) };
  exchange.clock.time += 1000;
  await exchange.place(bob.account, { ...order, side: 'sell' });
  await exchange.place(alice.account, { ...order, side: 'buy', budget: null as Quanta | null });
  await exchange.place(alice.account, { ...order, side: 'buy', price: as(100_000) });
});
afterAll(() => operator.close());

const linesOf = async (path: string) => (await operator.ask('GET', path)).body.items;

describe('balances', () => {
  test('are those of both wallets', async () => {
    const { body } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/balances`);
    expect(body).toEqual({
      uid: operator.alice.uid,
      spot: [
        { asset: 'USDT', free: '989500', held: '500' },
        { asset: 'BTC', free: '0.49975', held: '0' },
      ],
      futures: [],
    });
  });
  test('of an unknown account are 404', async () => {
    expect((await operator.ask('GET', '/v1/accounts/1/balances')).body.code).toBe('unknownAccount');
  });
});

describe('ledger lines', () => {
  test('are newest first, each with what it changed', async () => {
    const lines = await linesOf(`/v1/accounts/${operator.alice.uid}/ledger/spot?asset=USDT`);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({
      asset: 'USDT',
      change: '1000000',
      freeChange: '1000000',
      heldChange: '0',
      reason: 'deposit',
    });
    const times = lines.map(({ at, seq }: { at: number; seq: number }) => [at, seq]);
    expect(times).toEqual([...times].sort((one, other) => other[0] - one[0] || other[1] - one[1]));
  });

  test('sum up to what the account owns', async () => {
    for (const asset of ['USDT', 'BTC']) {
      const lines = await linesOf(`/v1/accounts/${operator.alice.uid}/ledger/spot?asset=${asset}`);
      const sum = lines.reduce((total: number, { change }: { change: string }) => total + Number(change), 0);
      const { body } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/balances`);
      const own = body.spot.find((each: { asset: string }) => each.asset === asset);
      expect([asset, sum]).toEqual([asset, Number(own.free) + Number(own.held)]);
    }
  });

  test('pages of one line each are the same as one page', async () => {
    const path = `/v1/accounts/${operator.bob.uid}/ledger/spot`;
    const all = await linesOf(path);
    const found = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await operator.ask('GET', `${path}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(body.items).toHaveLength(1);
      found.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(found).toEqual(all);
    expect(all.length).toBeGreaterThan(2);
  });

  test('lie within the window that is asked for, both ends included', async () => {
    const path = `/v1/accounts/${operator.bob.uid}/ledger/spot`;
    const all = await linesOf(path);
    const last = all[0].at;
    const within = (from: number, to: number) => all.filter(({ at }: { at: number }) => at >= from && at <= to);
    expect(await linesOf(`${path}?from=${last}`)).toEqual(within(last, Infinity));
    expect(await linesOf(`${path}?to=${last - 1}`)).toEqual(within(0, last - 1));
    expect(within(last, last).length).toBeLessThan(all.length);
  });

  test('of the house are read by its name', async () => {
    const lines = await linesOf('/v1/ledger/house/grants/lines?asset=BTC');
    expect(lines).toMatchObject([{ asset: 'BTC', change: '-1', reason: 'deposit', reference: null, balance: '-1' }]);
    expect((await operator.ask('GET', '/v1/ledger/house/bank/lines')).body.errors).toMatchObject([
      { parameter: 'account' },
    ]);
  });

  test('DEC-OPR-220: each tells what was owned afterwards, and the order behind it', async () => {
    const usdt = await linesOf(`/v1/accounts/${operator.alice.uid}/ledger/spot?asset=USDT`);
    expect(usdt[0]).toMatchObject({ balance: '990000', reason: 'fill', reference: { type: 'order' } });
    const { id } = usdt[0].reference;
    expect((await linesOf(`/v1/accounts/${operator.alice.uid}/fills`))[0]).toMatchObject({ order: id });
    const oldestFirst = usdt.toReversed();
    let owned = 0;
    for (const { change, balance } of oldestFirst) expect(Number(balance)).toBe((owned += Number(change)));
  });

  test('DEC-OPR-221: of one reason, and of the outside and the house, line by line within a command', async () => {
    const { uid } = operator.alice;
    const fees = await linesOf(`/v1/accounts/${uid}/ledger/spot?reason=fee`);
    expect(fees.length).toBeGreaterThan(0);
    expect(fees.every(({ reason }: { reason: string }) => reason === 'fee')).toBe(true);
    expect(await linesOf(`/v1/accounts/${uid}/ledger/spot?reason=fee&asset=USDT`)).toEqual([]);
    const own = await linesOf('/v1/ledger/house/fees/lines');
    expect(own).toMatchObject([{ asset: 'BTC', change: '0.00025', balance: '0.00025', seq: fees[0].seq }]);
    expect(own[0].line).not.toBe(fees[0].line);
    expect((await operator.ask('GET', `/v1/accounts/${uid}/ledger/spot?reason=theft`)).body.errors).toMatchObject([
      { parameter: 'reason' },
    ]);
    expect(await linesOf('/v1/ledger/house/outside/lines')).toEqual([]);
  });

  test('cursors of other lists and unknown assets are refused', async () => {
    const path = `/v1/accounts/${operator.bob.uid}/ledger/spot`;
    const { body } = await operator.ask('GET', '/v1/assets?limit=1');
    expect((await operator.ask('GET', `${path}?cursor=${body.nextCursor}`)).body.errors).toMatchObject([
      { parameter: 'cursor' },
    ]);
    expect((await operator.ask('GET', `${path}?asset=NOPE`)).body.errors).toMatchObject([{ parameter: 'asset' }]);
  });
});

describe('as of a moment', () => {
  const balancesAt = async (uid: number, at: number) =>
    (await operator.ask('GET', `/v1/accounts/${uid}/balances-at?at=${at}`)).body;
  const firstTrade = async () => {
    const lines = await linesOf(`/v1/accounts/${operator.alice.uid}/ledger/spot?reason=fill`);
    return lines.at(-1).at as number;
  };

  test('DEC-OPR-223: balances are those after everything up to it', async () => {
    const { uid } = operator.alice;
    const at = await firstTrade();
    expect(await balancesAt(uid, at - 1)).toEqual({
      ...{ uid, at: at - 1, futures: [] },
      spot: [{ asset: 'USDT', balance: '1000000' }],
    });
    expect(await balancesAt(uid, at)).toEqual({
      ...{ uid, at, futures: [] },
      spot: [
        { asset: 'USDT', balance: '990000' },
        { asset: 'BTC', balance: '0.49975' },
      ],
    });
  });

  test('DEC-OPR-224: the trial balance sums to zero, and is that of now where nothing came since', async () => {
    const at = await firstTrade();
    const now = (await operator.ask('GET', '/v1/ledger/trial-balance')).body;
    expect((await operator.ask('GET', `/v1/ledger/trial-balance?at=${at}`)).body).toEqual(now);
    const before = (await operator.ask('GET', `/v1/ledger/trial-balance?at=${at - 1}`)).body;
    expect(before.items).toMatchObject([
      { asset: 'USDT', users: '2000000', house: [{ account: 'grants', balance: '-2000000' }], sum: '0' },
      { asset: 'BTC', users: '1', house: [{ account: 'grants', balance: '-1' }], sum: '0' },
    ]);
  });

  test('DEC-OPR-223: moments to come, before all money, and none are refused', async () => {
    const { uid } = operator.alice;
    const future = operator.exchange.clock.time + 1;
    for (const path of [`/v1/accounts/${uid}/balances-at`, '/v1/ledger/trial-balance']) {
      for (const at of [future, 1_700_000_000, 0, 'now', -1, 1.5]) {
        const { status, body } = await operator.ask('GET', `${path}?at=${at}`);
        expect([path, at, status, body.errors?.[0].parameter]).toEqual([path, at, 400, 'at']);
      }
      expect((await operator.ask('GET', `${path}?at=${future - 1}`)).status).toBe(200);
    }
    expect((await operator.ask('GET', `/v1/accounts/${uid}/balances-at`)).status).toBe(400);
    expect((await balancesAt(1, future - 1)).code).toBe('unknownAccount');
  });
});

describe('acts of operators', () => {
  test('DEC-OPR-10: are listed with actor, command and refusal', async () => {
    await operator.ask(
      'PUT',
      `/v1/accounts/${operator.bob.uid}/kyc-level`,
      { kycLevel: 3 },
      { headers: { 'idempotency-key': 'kyc-1' } },
    );
    await operator.ask('PUT', '/v1/assets/USDT', { fullName: 'x', scale: 2, cap: '1', coinId: '0'.repeat(32) });
    const { body } = await operator.ask('GET', '/v1/acts?limit=2');
    expect(body.items).toMatchObject([
      { actor: 'root', command: 'configureAsset', idempotencyKey: null, refusal: 'invalidConfiguration' },
      { actor: 'root', command: 'setKycLevel', idempotencyKey: 'kyc-1', refusal: null },
    ]);
  });
});

describe('DEC-OPR-15: the trial balance', () => {
  test('adds up to zero per asset, with everybody by name', async () => {
    const { body } = await operator.ask('GET', '/v1/ledger/trial-balance');
    expect(body.items.map(({ asset, sum }: { asset: string; sum: string }) => ({ asset, sum }))).toEqual([
      { asset: 'USDT', sum: '0' },
      { asset: 'BTC', sum: '0' },
    ]);
    const bitcoin = body.items[1];
    expect(bitcoin).toMatchObject({ users: '0.99975', futures: '0', outside: '0' });
    expect(bitcoin.house).toContainEqual({ account: 'fees', balance: '0.00025' });
    expect(bitcoin.house).toContainEqual({ account: 'grants', balance: '-1' });
  });
});
