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
    expect(lines).toMatchObject([{ asset: 'BTC', change: '-1', reason: 'deposit', order: null }]);
    expect((await operator.ask('GET', '/v1/ledger/house/bank/lines')).body.errors).toMatchObject([
      { parameter: 'account' },
    ]);
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
