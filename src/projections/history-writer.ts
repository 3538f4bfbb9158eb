import type { AccountView } from '#domain/account.ts';
import { copyOrder, noopSink } from '#domain/event-record.ts';
import type { EventSink, Trade } from '#domain/events.ts';
import type { OrderView } from '#domain/order.ts';
import type { AccountId, Seq, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { FillRow, RowLists, TradeRow } from '#history/history-tables.ts';
import { BatchQueue, type HistoryLag, type Later, type OpenBatch } from '#projections/batch-queue.ts';
import { MinuteBook } from '#projections/minute-book.ts';

/** What history is written to and whom the writer tells. */
export interface HistoryWriterOptions {
  readonly store: HistoryStore;
  readonly later: Later;
  /** A batch of this many rows is written without waiting for its time. */
  readonly batchRows?: number;
  /** One this large is closed though the last one is still being written. */
  readonly batchRowsMax?: number;
  /** The longest that rows wait for company. */
  readonly batchDelayMs?: number;
  /** How long entries without rows may leave the stored watermark behind. */
  readonly idleDelayMs?: number;
  /** Rows that wait at most; one more and this writer gives up, see `HistoryLag.lost`. */
  readonly queueRowsMax?: number;
  /** Told of every write that failed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}
const defaults = {
  batchRows: 2000,
  batchRowsMax: 20_000,
  batchDelayMs: 50,
  idleDelayMs: 1000,
  queueRowsMax: 1_000_000,
};

/**
 * Follows the events and writes what history keeps: closed orders, trades, fills and minute bars. Rows gather into
 * batches that end between two entries; one batch is written at a time and the engine never waits for it. The events of
 * an entry must be delivered in one go. Entries up to the store's watermark are passed over, so recovery may replay
 * from anywhere at or before it. Orders and fills of simulated accounts are not kept; their public trades are.
 */
export interface HistoryWriter extends EventSink {
  /** Accounts that were opened before the first event delivered here. */
  knowAccounts(accounts: readonly AccountView[]): void;
  /**
   * Resolves once history answers with everything up to an entry, which may still be to come; writes at once.
   * @throws HistoryUnavailable when a write fails meanwhile or history is lost.
   */
  flush(upTo: Seq): Promise<void>;
  lag(): HistoryLag;
  /** Whether new work may be taken: false while half the queue waits. */
  hasRoom(): boolean;
  /** Ends at once, within this call: what is not written yet is let go. For an entry that broke in its midst. */
  abandon(): void;
  /** Writes what is there and ends. Call once nothing more is delivered. The store stays open. */
  close(): Promise<void>;
}

/** Starts where the store stands. */
export async function startHistoryWriter(options: HistoryWriterOptions): Promise<HistoryWriter> {
  const minutes = new MinuteBook();
  for (const symbol of await options.store.tradedSymbols()) {
    const bar = await options.store.barBefore(symbol, as<TimestampMs>(Number.MAX_SAFE_INTEGER));
    if (bar !== null) minutes.resume(bar);
  }
  const watermark = await options.store.watermark();
  const queue = new BatchQueue({ ...defaults, ...options }, minutes, watermark);
  const collector = new RowCollector(minutes, queue);
  return {
    ...noopSink,
    entryBegan: (seq, at) => {
      queue.entryBegan(seq);
      collector.began(seq > watermark, at);
    },
    tradeExecuted: (trade) => collector.trade(trade),
    orderClosed: (order) => collector.order(order),
    fact: (fact) => {
      if (fact.kind === 'accountOpened' || fact.kind === 'accountChanged') collector.know(fact.account);
    },
    knowAccounts: (accounts) => {
      for (const account of accounts) collector.know(account);
    },
    flush: (upTo) => queue.flush(upTo),
    lag: () => queue.lag(),
    hasRoom: () => queue.hasRoom(),
    abandon: () => queue.abandon(),
    close: () => queue.close(),
  };
}

/** Turns events into rows. */
class RowCollector {
  readonly #minutes: MinuteBook;
  readonly #queue: BatchQueue;
  readonly #simulated = new Set<AccountId>();
  #counts = false;
  #at = as<TimestampMs>(0);

  constructor(minutes: MinuteBook, queue: BatchQueue) {
    this.#minutes = minutes;
    this.#queue = queue;
  }

  know(account: AccountView): void {
    if (account.simulated) this.#simulated.add(account.account);
    else this.#simulated.delete(account.account);
  }

  began(counts: boolean, at: TimestampMs): void {
    this.#counts = counts;
    this.#at = at;
  }

  order(order: OrderView): void {
    if (!this.#counts || this.#simulated.has(order.account)) return;
    const batch = this.#queue.open();
    if (batch === null) return;
    add(batch, 'orders', copyOrder(order));
  }

  trade(trade: Trade): void {
    if (!this.#counts) return;
    const batch = this.#queue.open();
    if (batch === null) return;
    add(batch, 'trades', tradeRow(trade, this.#at));
    if (!this.#simulated.has(trade.takerAccount)) add(batch, 'fills', takerFill(trade, this.#at));
    if (!this.#simulated.has(trade.makerAccount)) add(batch, 'fills', makerFill(trade, this.#at));
    this.#minutes.add(trade, this.#at, batch);
  }
}

function add<Name extends keyof RowLists>(batch: OpenBatch, table: Name, row: RowLists[Name][number]): void {
  batch.rows[table].push(row);
  batch.rowCount += 1;
}

const tradeRow = (trade: Trade, at: TimestampMs): TradeRow => ({
  symbol: trade.symbol,
  trade: trade.trade,
  at,
  price: trade.price,
  lots: trade.lots,
  quoteAmount: trade.quoteAmount,
  takerSide: trade.takerSide,
  taker: trade.taker,
});

const takerFill = (trade: Trade, at: TimestampMs): FillRow => ({
  account: trade.takerAccount,
  symbol: trade.symbol,
  trade: trade.trade,
  at,
  order: trade.taker,
  clientOrderId: trade.takerClientOrderId,
  taker: trade.taker,
  fillOfTaker: trade.fillOfTaker,
  price: trade.price,
  lots: trade.lots,
  quoteAmount: trade.quoteAmount,
  side: trade.takerSide,
  isMaker: false,
  isSelfTrade: trade.takerAccount === trade.makerAccount,
  fee: trade.takerFee,
  feeAsset: trade.takerFeeAsset,
});

const makerFill = (trade: Trade, at: TimestampMs): FillRow => ({
  ...takerFill(trade, at),
  account: trade.makerAccount,
  order: trade.maker,
  clientOrderId: trade.makerClientOrderId,
  side: trade.takerSide === 'buy' ? 'sell' : 'buy',
  isMaker: true,
  fee: trade.makerFee,
  feeAsset: trade.makerFeeAsset,
});
