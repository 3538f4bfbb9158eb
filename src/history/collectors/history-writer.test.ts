import { beforeEach, expect, test } from 'vitest';
import type { AccountView } from '#model/account.ts';
import type { Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import { as } from '#model/units.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { type HistoryBatch, HistoryUnavailable } from '#history/history-store.ts';
import type { RowLists } from '#history/tables/history-tables.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import {
  type HistoryWriter,
  type HistoryWriterOptions,
  startHistoryWriter,
} from '#history/collectors/history-writer.ts';

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const pair = as<SymbolId>(0);
const order = (number: number, account: number): OrderView =>
  ({
    order: number,
    account,
    symbol: 0,
    side: 'buy',
    kind: 'limit',
    status: 'canceled',
    price: 1,
    quantity: 1,
    budget: null,
    executed: 0,
    executedQuote: 0,
    stpMode: 'none',
    clientOrderId: null,
    closeReason: 'byUser',
    acceptedAt: number,
    updatedAt: 1,
  }) as unknown as OrderView;
const trade = (number: number, taker: number, maker: number): Trade =>
  ({
    symbol: 0,
    trade: number,
    price: 10 + number,
    lots: 2,
    quoteAmount: 20,
    takerSide: 'sell',
    taker: 100,
    maker: 99,
    takerAccount: taker,
    makerAccount: maker,
    takerClientOrderId: 't',
    makerClientOrderId: 'm',
    fillOfTaker: 1,
    takerFee: 3,
    takerFeeAsset: 1,
    makerFee: 4,
    makerFeeAsset: 2,
  }) as unknown as Trade;
const account = (id: number, simulated: boolean): AccountView => ({ account: id, simulated }) as unknown as AccountView;

/** Time that passes when the test says so, and a store that can be watched, held up and broken. */
class Bench {
  store = new MemoryHistoryStore();
  readonly batches: HistoryBatch[] = [];
  readonly failures: unknown[] = [];
  timers: { dueMs: number; run: () => void }[] = [];
  nowMs = 0;
  broken = false;
  hold: Promise<void> = Promise.resolve();

  start(options: Partial<HistoryWriterOptions> = {}): Promise<HistoryWriter> {
    const { store } = this;
    const write = async (batch: HistoryBatch): Promise<void> => {
      await this.hold;
      if (this.broken) throw new Error('no space left');
      this.batches.push(batch);
      await store.write(batch);
    };
    const watched = new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (name === 'write') return write;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    return startHistoryWriter({
      store: watched,
      setTimer: (delayMs, run) => {
        const timer = { dueMs: this.nowMs + delayMs, run };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((other) => other !== timer);
        };
      },
      onFailure: (error) => this.failures.push(error),
      ...options,
    });
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (;;) {
      const due = this.timers.find((timer) => timer.dueMs <= this.nowMs);
      if (due === undefined) return;
      this.timers = this.timers.filter((timer) => timer !== due);
      due.run();
      await new Promise(setImmediate);
    }
  }
}

let bench: Bench;
/** Rows of one of the batches that were written. */
const rowsOf = (index: number): RowLists => bench.batches.at(index)?.rows as unknown as RowLists;
beforeEach(() => {
  bench = new Bench();
});
const entry = (writer: HistoryWriter, seq: number, ...events: ((writer: HistoryWriter) => void)[]): void => {
  writer.entryBegan(as<Seq>(seq), as<TimestampMs>(seq * 1000));
  for (const event of events) event(writer);
};
const closes =
  (number: number, owner = 7) =>
  (writer: HistoryWriter): void =>
    writer.orderClosed(order(number, owner));
const trades =
  (number: number, taker = 7, maker = 8) =>
  (writer: HistoryWriter): void =>
    writer.tradeExecuted(trade(number, taker, maker));

test('rows wait for company for a moment, then go as one batch', async () => {
  const writer = await bench.start();
  entry(writer, 1, closes(1));
  entry(writer, 2, closes(2), trades(1));
  await bench.pass(49);
  expect(bench.batches).toEqual([]);
  await bench.pass(1);
  expect(bench.batches).toHaveLength(1);
  expect(bench.batches[0]).toMatchObject({
    upTo: 2,
    rows: { orders: [{ order: 1 }, { order: 2 }], trades: [{ trade: 1, at: 2000 }] },
  });
  expect(
    rowsOf(0).fills.map((fill) => [
      fill.account,
      fill.order,
      fill.side,
      fill.isMaker,
      fill.fee,
      fill.feeAsset,
      fill.clientOrderId,
    ]),
  ).toEqual([
    [7, 100, 'sell', false, 3, 1, 't'],
    [8, 99, 'buy', true, 4, 2, 'm'],
  ]);
});

test('a full batch goes at once and ends between entries; what comes meanwhile gathers up to a bound', async () => {
  let release = (): void => {};
  bench.hold = new Promise((resolve) => {
    release = resolve;
  });
  const writer = await bench.start({ batchRows: 2, batchRowsMax: 6, queueRowsMax: 24 });
  for (let seq = 1; seq <= 6; seq += 1) entry(writer, seq, closes(2 * seq), closes(2 * seq + 1));
  expect(writer.lag()).toEqual({ rows: 12, rowsMax: 24, entries: 6, lost: false });
  expect(writer.hasRoom()).toBe(false);
  release();
  await bench.pass(50);
  await bench.pass(50);
  expect(bench.batches.map((batch) => [batch.upTo, batch.rows.orders?.length])).toEqual([
    [1, 2],
    [4, 6],
    [6, 4],
  ]);
  expect(writer.lag()).toMatchObject({ rows: 0, entries: 0 });
  expect(writer.hasRoom()).toBe(true);
});

test('orders and fills of simulated accounts are not kept, their public trades are', async () => {
  const writer = await bench.start();
  writer.knowAccounts([account(7, true), account(8, false)]);
  entry(writer, 1, closes(1), closes(2, 8), trades(1), (it) =>
    it.fact({ kind: 'accountOpened', account: account(9, true) }),
  );
  entry(writer, 2, trades(2, 9, 7), closes(3, 9));
  await writer.flush(as<Seq>(2));
  expect(rowsOf(0).orders.map((row) => row.account)).toEqual([8]);
  expect(rowsOf(0).fills.map((row) => row.account)).toEqual([8]);
  expect(rowsOf(0).trades.map((row) => row.trade)).toEqual([1, 2]);
});

test('flush writes at once and waits for entries that are still to come', async () => {
  const writer = await bench.start();
  await writer.flush(as<Seq>(0));
  entry(writer, 1, closes(1));
  let done = 0;
  const first = writer.flush(as<Seq>(1)).then(() => {
    done += 1;
  });
  const second = writer.flush(as<Seq>(3)).then(() => {
    done += 10;
  });
  await first;
  expect(done).toBe(1);
  entry(writer, 2, closes(2));
  entry(writer, 3, closes(3));
  await bench.pass(0);
  await second;
  expect(await bench.store.watermark()).toBe(3);
});

test('entries without rows need no write to be visible, and move the watermark now and then', async () => {
  const writer = await bench.start();
  for (let seq = 1; seq <= 5; seq += 1) entry(writer, seq);
  await writer.flush(as<Seq>(5));
  expect(bench.batches).toEqual([]);
  await bench.pass(1000);
  expect(bench.batches.map((batch) => batch.upTo)).toEqual([5]);
});

test('it resumes at the watermark: what is stored already is passed over, and the minute goes on', async () => {
  const before = await bench.start();
  entry(before, 1, trades(1));
  entry(before, 2, trades(2));
  await before.close();
  const after = await bench.start();
  for (const seq of [1, 2]) entry(after, seq, trades(seq));
  entry(after, 3, trades(3));
  await after.flush(as<Seq>(3));
  expect(rowsOf(-1).trades.map((row) => row.trade)).toEqual([3]);
  expect(await bench.store.rows('bars', { symbol: pair, span: 'minute' }, always)).toMatchObject([
    { open: 11, close: 13, trades: 3, lots: 6n },
  ]);
});

test('a feed that begins after the watermark, or leaves an entry out, is a broken invariant', async () => {
  const late = await bench.start();
  expect(() => entry(late, 2)).toThrow('from its watermark on');
  const torn = await bench.start();
  entry(torn, 1);
  expect(() => entry(torn, 3)).toThrow('every entry');
});

test('a write that fails is reported, refuses those who wait, and is tried again without loss', async () => {
  const writer = await bench.start();
  bench.broken = true;
  entry(writer, 1, closes(1));
  await expect(writer.flush(as<Seq>(1))).rejects.toThrow(HistoryUnavailable);
  entry(writer, 2, closes(2));
  await expect(writer.flush(as<Seq>(2))).rejects.toThrow(HistoryUnavailable);
  expect(bench.failures).toHaveLength(1);
  bench.broken = false;
  await bench.pass(1000);
  await writer.flush(as<Seq>(2));
  expect(bench.batches.map((batch) => batch.upTo)).toEqual([1, 2]);
});

test('a queue that overflows is let go by name instead of growing', async () => {
  const writer = await bench.start({ queueRowsMax: 3 });
  bench.hold = new Promise(() => {});
  for (let seq = 1; seq <= 4; seq += 1) entry(writer, seq, closes(seq));
  expect(writer.lag()).toMatchObject({ rows: 0, lost: true });
  await expect(writer.flush(as<Seq>(1))).rejects.toThrow(HistoryUnavailable);
});

test('closing writes what is there', async () => {
  const writer = await bench.start();
  entry(writer, 1, closes(1));
  await writer.close();
  expect(bench.batches.map((batch) => batch.upTo)).toEqual([1]);
  expect(bench.timers).toEqual([]);
});
