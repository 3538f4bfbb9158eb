import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderView } from '#model/order.ts';
import { as } from '#model/units.ts';
import type { AccountId, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { DepositRow, WithdrawalRow } from '#history/tables/wallet-tables.ts';
import type { AccountText, HistoryBatch, HistoryStore, Where, Window } from '#history/history-store.ts';
import type { Bar, FillRow, TradeRow } from '#history/tables/history-tables.ts';

const minute = 60_000;
const start = 1_700_000_100_000;
const alice = as<AccountId>(7);
const bob = as<AccountId>(12);
const pair = as<SymbolId>(3);
const otherPair = as<SymbolId>(10);
const always = { from: 0, to: Number.MAX_SAFE_INTEGER } as Window;
const within = (from: number, to: number): Window => ({ from, to }) as Window;

const order = (fields: Partial<Record<keyof OrderView, unknown>>): OrderView =>
  ({
    order: 1,
    account: alice,
    symbol: pair,
    side: 'buy',
    kind: 'limit',
    status: 'filled',
    price: 100,
    quantity: 5,
    budget: null,
    executed: 5,
    executedQuote: 500,
    stpMode: 'none',
    clientOrderId: null,
    closeReason: 'filled',
    acceptedAt: start,
    updatedAt: start,
    ...fields,
  }) as OrderView;
const trade = (fields: Partial<Record<keyof TradeRow, unknown>>): TradeRow =>
  ({
    symbol: pair,
    trade: 1,
    at: start,
    price: 100,
    lots: 5,
    quoteAmount: 500,
    takerSide: 'buy',
    taker: 1,
    ...fields,
  }) as TradeRow;
const fill = (fields: Partial<Record<keyof FillRow, unknown>>): FillRow =>
  ({
    account: alice,
    symbol: pair,
    trade: 1,
    at: start,
    order: 1,
    clientOrderId: null,
    taker: 1,
    fillOfTaker: 1,
    price: 100,
    lots: 5,
    quoteAmount: 500,
    side: 'buy',
    isMaker: false,
    isSelfTrade: false,
    fee: 1,
    feeAsset: 2,
    ...fields,
  }) as FillRow;
const bar = (fields: Partial<Record<keyof Bar, unknown>>): Bar =>
  ({
    symbol: pair,
    span: 'minute',
    openTime: start - (start % minute),
    open: 100,
    high: 110,
    low: 90,
    close: 105,
    lots: 5n,
    quoteAmount: 500n,
    trades: 1,
    ...fields,
  }) as Bar;
const ofOrder = (order: number | null): Where<FillRow> => ({
  account: alice,
  symbol: pair,
  ...(order === null ? {} : { order: as<FillRow['order']>(order) }),
});
const batch = (upTo: number, rows: HistoryBatch['rows']): HistoryBatch => ({ upTo: as<Seq>(upTo), rows });

/** What every history must do; `open` gives a fresh, empty one. */
export function historyContract(name: string, open: () => Promise<HistoryStore>): void {
  describe(name, () => {
    let store: HistoryStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    test('an empty history is at 0 and answers nothing', async () => {
      expect(await store.watermark()).toBe(0);
      expect(await store.rows('orders', { account: alice, symbol: pair }, always, 10, false)).toEqual([]);
      expect(await store.orderOf(alice, pair, { order: order({}).order })).toBeNull();
      for (const table of ['orders', 'withdrawals'] as const) expect(await store.ownerOf(table, 1)).toBeNull();
      expect(await store.rows('fills', { account: alice, symbol: pair }, always, 10, false)).toEqual([]);
      expect(await store.rows('trades', { symbol: pair }, always, 10, true)).toEqual([]);
      expect(await store.aggregatedTrades(pair, always, 10, true)).toEqual([]);
      expect(await store.rows('bars', { symbol: pair, span: 'day' }, always)).toEqual([]);
      expect(await store.barBefore(pair, always.to)).toBeNull();
      expect(await store.firstBar(pair)).toBeNull();
      expect(await store.tradedSymbols()).toEqual([]);
      expect((await store.seconds(pair, always)).seconds).toEqual(new Float64Array(0));
    });

    test('rows come back as they were written, with their extremes', async () => {
      const largest = Number.MAX_SAFE_INTEGER;
      const orders = [
        order({
          order: 5,
          budget: largest,
          executedQuote: largest,
          clientOrderId: 'a-B_9',
          kind: 'market',
          side: 'sell',
          stpMode: 'cancelBoth',
        }),
        order({ order: 6, closeReason: null, status: 'partiallyCanceled', acceptedAt: start + 1, kind: 'fillOrKill' }),
      ];
      const fills = [
        fill({ price: largest, quoteAmount: largest, clientOrderId: 'x', side: 'sell', isSelfTrade: true }),
        fill({ isMaker: true, isSelfTrade: true, order: 2 }),
      ];
      const trades = [trade({ price: largest, lots: largest, quoteAmount: largest, takerSide: 'sell' })];
      const bars = [bar({ lots: 2n ** 70n + 3n, quoteAmount: 2n ** 80n - 1n })];
      await store.write(batch(4, { orders, fills, trades, bars }));
      expect(await store.rows('orders', { account: alice, symbol: pair }, always, 10, true)).toEqual(orders);
      expect(await store.rows('fills', { account: alice, symbol: pair }, always, 10, true)).toEqual(fills);
      expect(await store.rows('trades', { symbol: pair }, always, 10, true)).toEqual(trades);
      expect(await store.rows('bars', { symbol: pair, span: 'minute' }, always)).toEqual(bars);
      expect(await store.watermark()).toBe(4);
    });

    test('a batch at or below the watermark changes nothing', async () => {
      await store.write(batch(9, { orders: [order({})], trades: [trade({})], bars: [bar({})] }));
      await store.write(
        batch(9, { orders: [order({ order: 2 })], trades: [trade({ trade: 2 })], bars: [bar({ trades: 9 })] }),
      );
      await store.write(batch(8, { fills: [fill({})] }));
      expect(await store.rows('orders', { account: alice, symbol: pair }, always, 10, true)).toHaveLength(1);
      expect(await store.rows('trades', { symbol: pair }, always, 10, true)).toHaveLength(1);
      expect(await store.rows('bars', { symbol: pair, span: 'minute' }, always)).toEqual([bar({})]);
      expect(await store.rows('fills', { account: alice, symbol: pair }, always, 10, true)).toEqual([]);
      await store.write(batch(10, {}));
      expect(await store.watermark()).toBe(10);
    });

    test('orders of one account and symbol come oldest first, sorted as numbers, from either end', async () => {
      const rows = [9, 10, 100, 11].map((number) =>
        order({ order: number, acceptedAt: start + (number === 9 ? 0 : 5) }),
      );
      const strangers = [order({ order: 20, account: bob }), order({ order: 21, symbol: otherPair })];
      await store.write(batch(1, { orders: [...rows, ...strangers] }));
      const numbers = async (limit: number, fromStart: boolean, from = 0, to: number = always.to): Promise<number[]> =>
        (await store.rows('orders', { account: alice, symbol: pair }, within(from, to), limit, fromStart)).map(
          (row) => row.order,
        );
      expect(await numbers(10, true)).toEqual([9, 10, 11, 100]);
      expect(await numbers(2, true)).toEqual([9, 10]);
      expect(await numbers(2, false)).toEqual([11, 100]);
      expect(await numbers(10, true, start + 5, start + 5)).toEqual([10, 11, 100]);
      expect(await numbers(10, true, 0, start + 4)).toEqual([9]);
    });

    test('an order is found by number or by the newest use of its client id, and only by its owner', async () => {
      await store.write(
        batch(1, {
          orders: [
            order({ order: 3, clientOrderId: 'same' }),
            order({ order: 4, clientOrderId: 'same', acceptedAt: start + 1 }),
            order({ order: 5, clientOrderId: 'same', account: bob }),
          ],
        }),
      );
      const number = async (ref: object, account = alice): Promise<number | undefined> =>
        (await store.orderOf(account, pair, ref as { clientOrderId: string }))?.order;
      expect(await number({ order: 3 })).toBe(3);
      expect([await store.ownerOf('orders', 5), await store.ownerOf('orders', 6)]).toEqual([bob, null]);
      expect(await number({ clientOrderId: 'same' })).toBe(4);
      expect(await number({ clientOrderId: 'same' }, bob)).toBe(5);
      expect(await number({ order: 3 }, bob)).toBeUndefined();
      expect(await number({ clientOrderId: 'SAME' })).toBeUndefined();
      expect(await store.orderOf(alice, otherPair, { order: order({ order: 3 }).order })).toBeNull();
    });

    test('accounts are found by where they withdrew to, and by the ids of their transactions', async () => {
      const payment = { account: alice, seq: 1, asset: 1, network: 'ETH', memo: null, amount: 5n, updatedAt: start };
      const withdrawal = (fields: object) =>
        ({
          ...{ ...payment, requestedAt: start, fee: 1n, value: null, status: 'success', isInside: false, nonce: null },
          ...{ confirmations: 0, withdrawOrderId: null, remark: null, address: 'shared', txId: null, ...fields },
        }) as unknown as WithdrawalRow;
      const deposit = {
        ...{ ...payment, insertedAt: start, deposit: 1, address: 'shared', txId: 'in', output: 0 },
        ...{ status: 'pending', confirmations: 0, minConfirm: 1, isInside: false },
      } as unknown as DepositRow;
      const withdrawals = [
        withdrawal({ withdrawal: 1, account: bob, txId: 'out' }),
        withdrawal({ withdrawal: 2, account: bob }),
        withdrawal({ withdrawal: 3 }),
        withdrawal({ withdrawal: 4, address: 'other', txId: 'out' }),
      ];
      await store.write(batch(1, { withdrawals, deposits: [deposit] }));
      const found = async (of: AccountText['of'], text: string) => store.accountsWith({ of, text });
      expect(await found('withdrawalAddress', 'shared')).toEqual([alice, bob]);
      expect(await found('withdrawalAddress', 'other')).toEqual([alice]);
      expect(await found('withdrawalTransaction', 'out')).toEqual([alice, bob]);
      expect(await found('depositTransaction', 'in')).toEqual([alice]);
      const none = [found('depositTransaction', 'out'), found('withdrawalAddress', 'Shared')];
      expect(await Promise.all(none)).toEqual([[], []]);
    });

    test('fills of an account, or of one of its orders, come oldest first from either end', async () => {
      await store.write(
        batch(1, {
          fills: [
            fill({ trade: 10, order: 5 }),
            fill({ trade: 9, order: 4 }),
            fill({ trade: 11, order: 5, at: start + 7 }),
            fill({ trade: 11, order: 6, at: start + 7, isMaker: true }),
            fill({ trade: 9, account: bob, order: 8 }),
          ],
        }),
      );
      const seen = async (
        orderNumber: number | null,
        limit: number,
        fromStart: boolean,
        to: number = always.to,
      ): Promise<string[]> =>
        (await store.rows('fills', ofOrder(orderNumber), within(0, to), limit, fromStart)).map(
          (row) => `${row.trade}${row.isMaker ? 'm' : 't'}`,
        );
      expect(await seen(null, 10, true)).toEqual(['9t', '10t', '11t', '11m']);
      expect(await seen(null, 2, false)).toEqual(['11t', '11m']);
      expect(await seen(5, 10, true)).toEqual(['10t', '11t']);
      expect(await seen(5, 1, false)).toEqual(['11t']);
      expect(await seen(null, 10, true, start)).toEqual(['9t', '10t']);
      expect(await seen(8, 10, true)).toEqual([]);
    });

    test('merged trades are whole at either end of a limit, however many trades they are made of', async () => {
      const rows: TradeRow[] = [];
      const push = (count: number, fields: object): void => {
        for (let index = 0; index < count; index += 1) rows.push(trade({ trade: rows.length + 1, ...fields }));
      };
      push(1200, { taker: 1 });
      push(1, { taker: 1, price: 101 });
      push(2300, { taker: 2, price: 101, takerSide: 'sell' });
      push(2, { taker: 3, at: start + 1 });
      await store.write(batch(1, { trades: rows }));
      const spans = async (limit: number, fromStart: boolean, from = 0): Promise<string[]> =>
        (await store.aggregatedTrades(pair, within(from, always.to), limit, fromStart)).map(
          (row) => `${row.first}-${row.last}:${row.lots}@${row.price}${row.takerSide}`,
        );
      const all = ['1-1200:6000@100buy', '1201-1201:5@101buy', '1202-3501:11500@101sell', '3502-3503:10@100buy'];
      expect(await spans(10, true)).toEqual(all);
      expect(await spans(10, false)).toEqual(all);
      expect(await spans(1, true)).toEqual(all.slice(0, 1));
      expect(await spans(2, false)).toEqual(all.slice(2));
      expect(await spans(10, true, start + 1)).toEqual(all.slice(3));
    });

    test('coarse bars are exact folds of minute bars, also when minutes come late or again', async () => {
      const hour = start - (start % 3_600_000);
      const minutes = [0, 14, 15, 59, 60, 60 * 24].map((index) =>
        bar({
          openTime: hour + index * minute,
          open: 100 + index,
          close: 101 + index,
          high: 200 + index,
          low: 50 - (index % 9),
          lots: 2n ** 60n + BigInt(index),
          quoteAmount: 2n ** 63n + 7n,
          trades: index + 1,
        }),
      );
      await store.write(batch(1, { bars: minutes.slice(0, 3) }));
      await store.write(
        batch(2, { bars: [{ ...(minutes[2] as Bar), close: 999, trades: 20 } as Bar, ...minutes.slice(3)] }),
      );
      const [first] = await store.rows('bars', { symbol: pair, span: 'hour' }, within(hour, hour));
      expect(first).toEqual(
        bar({
          span: 'hour',
          openTime: hour,
          open: 100,
          close: 160,
          high: 259,
          low: 44,
          lots: 4n * 2n ** 60n + 88n,
          quoteAmount: 4n * (2n ** 63n + 7n),
          trades: 1 + 15 + 20 + 60,
        }),
      );
      const quarters = await store.rows('bars', { symbol: pair, span: 'quarter' }, always);
      expect(quarters.map((row) => (row.openTime - hour) / minute)).toEqual([0, 15, 45, 60, 60 * 24]);
      expect(quarters.map((row) => row.close)).toEqual([115, 999, 160, 161, 60 * 24 + 101]);
      const days = await store.rows('bars', { symbol: pair, span: 'day' }, always);
      expect(days.reduce((sum, row) => sum + row.lots, 0n)).toBe(minutes.reduce((sum, row) => sum + row.lots, 0n));
      expect((await store.barBefore(pair, minutes[3]?.openTime as Bar['openTime']))?.openTime).toBe(
        minutes[2]?.openTime,
      );
      expect((await store.firstBar(pair))?.openTime).toBe(hour);
      expect(
        await store.rows('bars', { symbol: pair, span: 'minute' }, within(hour + 1, hour + 15 * minute)),
      ).toHaveLength(2);
    });

    test('seconds are sums, extremes and the last price of their trades', async () => {
      await store.write(
        batch(1, {
          trades: [
            trade({ trade: 1, at: start + 1, price: 100, lots: Number.MAX_SAFE_INTEGER }),
            trade({ trade: 2, at: start + 999, price: 120, lots: Number.MAX_SAFE_INTEGER }),
            trade({ trade: 3, at: start + 999, price: 110 }),
            trade({ trade: 4, at: start + 1000, price: 7 }),
            trade({ trade: 5, symbol: otherPair }),
          ],
        }),
      );
      const columns = await store.seconds(pair, within(start, always.to));
      expect([...columns.seconds]).toEqual([start / 1000, start / 1000 + 1]);
      expect([...columns.high]).toEqual([120, 7]);
      expect([...columns.low]).toEqual([100, 7]);
      expect([...columns.close]).toEqual([110, 7]);
      expect([...columns.trades]).toEqual([3, 1]);
      const lots = BigInt(columns.lotsHigh[0] as number) * 2n ** 30n + BigInt(columns.lotsLow[0] as number);
      expect(lots).toBe(2n * BigInt(Number.MAX_SAFE_INTEGER) + 5n);
      expect((await store.seconds(pair, within(start + 1000, start + 1000))).seconds).toHaveLength(1);
    });

    test('the symbols that traded are known', async () => {
      await store.write(batch(1, { bars: [bar({ symbol: otherPair }), bar({}), bar({ openTime: 0 })] }));
      expect(await store.tradedSymbols()).toEqual([pair, otherPair]);
    });

    test('pruning lets old public trades go and keeps everything that statistics need', async () => {
      const hour = 3_600_000;
      const ages = [30, 26, 24, 1].map((hours, index) => trade({ trade: index + 1, at: start - hours * hour }));
      await store.write(batch(1, { trades: ages, fills: [fill({ at: 1 })], bars: [bar({ openTime: 0 })] }));
      expect(await store.prune(as(start), { trades: null })).toBe(0);
      expect(await store.prune(as(start), { trades: 28 * hour })).toBe(1);
      expect(await store.prune(as(start), { trades: 0 })).toBe(1);
      expect(await store.prune(as(start), { trades: 0 })).toBe(0);
      expect((await store.rows('trades', { symbol: pair }, always, 10, true)).map((row) => row.trade)).toEqual([3, 4]);
      expect(await store.rows('fills', { account: alice, symbol: pair }, always, 10, true)).toHaveLength(1);
      expect(await store.firstBar(pair)).not.toBeNull();
    });

    test('pruning lets old rows go that belong to nobody', async () => {
      const days = [20, 15, 13].map((age) => start - age * 86_400_000);
      const events = days.map((at) => ({ ...{ at: as<TimestampMs>(at), seq: as<Seq>(1), line: 1 }, ...halted }));
      await store.write(batch(1, { webhookEvents: events }));
      expect(await store.prune(as(start), { webhookEvents: 0 })).toBe(2);
      expect(await store.prune(as(start), { webhookEvents: 0 })).toBe(0);
      expect((await store.rows('webhookEvents', {}, always)).map(({ at }) => at)).toEqual([days[2]]);
    });
  });
}

const halted = { event: 'pair.halted', content: '{}' } as const;
