import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderRequest, Side } from '#model/order.ts';
import { type AccountId, as, type Balance } from '#model/units.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

/* Alice and bob trade two pairs; tests follow each other. */
let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  const { exchange, alice } = operator;
  const asset = { fullName: 'Ether', scale: 8, cap: as<Balance>(10n ** 18n), coinId: '1'.repeat(32) };
  await exchange.submit({ kind: 'configureAsset', asset: { code: 'ETH', ...asset } });
  for (const base of ['BTC', 'ETH']) {
    const path = `/v1/pairs/${base}USDT`;
    expect((await operator.ask('PUT', path, { ...bitcoinPair, base })).status).toBeLessThan(300);
    expect((await operator.ask('PATCH', path, { status: 'online' })).status).toBe(200);
  }
  for (const coin of [1, 2])
    await exchange.submit({
      ...{ kind: 'creditFunds', account: alice.account, asset: as(coin), amount: as<Balance>(10n ** 9n) },
    });
  await place(alice.account, 'sell', [0, 1, 0, 1, 0, 1], 1000);
  await place(operator.bob.account, 'buy', [0, 1, 0], 1000);
});
afterAll(() => operator.close());

async function place(account: AccountId, side: Side, symbols: readonly number[], price: number): Promise<void> {
  for (const symbol of symbols) {
    const order: OrderRequest = {
      ...{ symbol: as(symbol), side, kind: 'limit', price: as(price * 100), quantity: as(100), budget: null },
      ...{ clientOrderId: null, stpMode: 'none' },
    };
    const { events } = await operator.exchange.submit({ kind: 'placeOrder', account, order });
    expect(events.map(({ kind }) => kind)).toContain('orderAccepted');
  }
}
const orders = (who: 'alice' | 'bob' = 'alice'): string => `/v1/accounts/${operator[who].uid}/orders`;
const get = async (path: string): Promise<OperatorReply['body']> => (await operator.ask('GET', path)).body;
/** All items of a list, so many a page. */
async function all(path: string, limit: number): Promise<OperatorReply['body'][]> {
  const items = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`${path}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
const codes = (replies: readonly OperatorReply[]) => replies.map(({ status, body }) => [status, body.code]);

describe('DEC-OPR-232: orders and fills of an account', () => {
  test.each(['open', 'closed'])(
    '%s orders are listed newest first, on all pairs or one, however they are paged',
    async (state) => {
      const list = `${orders()}?state=${state}&`;
      const whole = await all(list, 500);
      expect(whole).toHaveLength(3);
      const ids = whole.map(({ order }) => order);
      for (const limit of [1, 2]) expect((await all(list, limit)).map(({ order }) => order)).toEqual(ids);
      const moments = whole.map(({ acceptedAt }) => acceptedAt);
      expect(moments).toEqual(moments.toSorted((first, second) => second - first));
      const bitcoin = await all(`${list}pair=BTCUSDT&`, 1);
      expect(bitcoin.map(({ order }) => order)).toEqual(
        whole.filter(({ pair }) => pair === 'BTCUSDT').map(({ order }) => order),
      );
      expect(await all(`${list}to=${moments.at(-1) - 1}&`, 2)).toEqual([]);
      expect(whole[0]).toMatchObject({
        ...{ side: 'sell', kind: 'limit', price: '1000', quantity: '0.01', budget: null, clientOrderId: null },
        ...(state === 'open'
          ? { status: 'new', executed: '0', executedAmount: '0', closeReason: null }
          : { status: 'filled', executed: '0.01', executedAmount: '10' }),
      });
    },
  );

  test('fills name the order as the account knows it', async () => {
    const list = `/v1/accounts/${operator.alice.uid}/fills?`;
    const whole = await all(list, 500);
    for (const limit of [1, 2]) expect(await all(list, limit)).toEqual(whole);
    expect(whole.map(({ pair }) => pair).toSorted()).toEqual(['BTCUSDT', 'BTCUSDT', 'ETHUSDT']);
    const closed = await all(`${orders()}?state=closed&`, 500);
    expect(whole.map(({ order }) => order).toSorted()).toEqual(closed.map(({ order }) => order).toSorted());
    expect(whole[0]).toMatchObject({
      ...{ side: 'sell', isMaker: true, isSelfTrade: false, price: '1000', quantity: '0.01', amount: '10' },
      feeAsset: 'USDT',
    });
    expect(await all(`${list}pair=ETHUSDT&`, 1)).toEqual(whole.filter(({ pair }) => pair === 'ETHUSDT'));
  });

  test('an unknown account, pair or cursor is refused', async () => {
    const paths = ['/v1/accounts/4711/orders', `${orders()}?pair=NONE`, `${orders()}?cursor=MTox`];
    const replies = await Promise.all(paths.map((path) => operator.ask('GET', path)));
    expect(codes(replies)).toEqual([
      [404, 'unknownAccount'],
      [404, 'unknownPair'],
      [400, 'invalidMember'],
    ]);
  });
});

describe('DEC-OPR-233: operators cancel orders of an account', () => {
  test('one that is open, and no other', async () => {
    const [open] = await all(`${orders()}?`, 500);
    const [closed] = await all(`${orders()}?state=closed&`, 500);
    const before = operator.digest();
    const refused = [
      await operator.ask('DELETE', `${orders('bob')}/${open.order}`),
      await operator.ask('DELETE', `${orders()}/${closed.order}`),
      await operator.ask('DELETE', `${orders()}/C02__100999999999999999`),
      await operator.ask('DELETE', `${orders()}/17`),
    ];
    expect(codes(refused).map(([status]) => status)).toEqual([404, 404, 404, 400]);
    expect(operator.digest()).toBe(before);
    const headers = { 'idempotency-key': 'once' };
    for (const _ of [1, 2]) {
      const { status, body } = await operator.ask('DELETE', `${orders()}/${open.order}`, undefined, { headers });
      expect([status, body]).toEqual([
        200,
        { ...open, status: 'canceled', closeReason: 'byUser', updatedAt: body.updatedAt },
      ]);
    }
    expect((await all(`${orders()}?`, 500)).map(({ order }) => order)).not.toContain(open.order);
  });

  test('all on one pair, then all; the money is free again', async () => {
    await place(operator.alice.account, 'sell', [0, 1, 1], 2000);
    const open = await all(`${orders()}?`, 500);
    const cancelled = await operator.ask('DELETE', `${orders()}?pair=BTCUSDT`);
    expect(cancelled.body).toEqual({ openOrders: open.filter(({ pair }) => pair !== 'BTCUSDT').length });
    await place(operator.alice.account, 'sell', [0], 2000);
    for (const _ of [1, 2])
      expect((await operator.ask('DELETE', `${orders()}?reason=Gone`)).body).toEqual({ openOrders: 0 });
    const { spot } = await get(`/v1/accounts/${operator.alice.uid}/balances`);
    expect(spot.map(({ held }: { held: string }) => held)).toEqual(['0', '0', '0']);
    const unknown = await operator.ask('DELETE', `${orders()}?contract=NO_NE`);
    expect(codes([unknown])).toEqual([[404, 'unknownContract']]);
  });
});
