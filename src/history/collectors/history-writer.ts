import type { SetTimer } from '#base/clock.ts';
import type { AccountView } from '#model/account.ts';
import type { ContractRules, PositionView } from '#model/contract.ts';
import { copyOrder, noopSink } from '#model/event-record.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { FillRow, RowLists, TradeRow } from '#history/tables/history-tables.ts';
import { BatchQueue, type HistoryLag, type OpenBatch } from '#history/collectors/batch-queue.ts';
import { ContractCollector } from '#history/collectors/contract-collector.ts';
import { LedgerCollector, type SimulatedSums, storedSums } from '#history/collectors/ledger-collector.ts';
import { MarkBook } from '#history/collectors/mark-book.ts';
import { MinuteBook } from '#history/collectors/minute-book.ts';
import { RebateCollector } from '#history/collectors/rebate-collector.ts';
import { WebhookCollector } from '#history/collectors/webhook-collector.ts';
import { type AddRow, WalletCollector } from '#history/collectors/wallet-collector.ts';

/** Store, limits and callbacks of the writer. */
export interface HistoryWriterOptions {
  readonly store: HistoryStore;
  readonly setTimer: SetTimer;
  /** A batch of this many rows is written at once. */
  readonly batchRows?: number;
  /** A batch of this many rows is closed even while another one is being written. */
  readonly batchRowsMax?: number;
  /** Longest time that rows wait for a batch to fill. */
  readonly batchDelayMs?: number;
  /** Longest time that the stored watermark lags behind entries without rows. */
  readonly idleDelayMs?: number;
  /** Greatest queue, in rows; beyond it the writer gives up, see `HistoryLag.lost`. */
  readonly queueRowsMax?: number;
  /** Called with the error of each failed write; the write is retried. */
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
 * Writes history from the events: closed orders, trades, fills, minute bars, what happens in the wallet, rebates, and
 * what happens to contracts.
 * Rows are collected in batches that end between two entries; one batch is written at a time, and the engine never
 * waits for it. The events of an entry must be delivered synchronously. Entries up to the store's watermark are
 * ignored, so recovery may replay from any entry up to it. Of simulated accounts only public trades are kept.
 */
export interface HistoryWriter extends EventSink {
  /** Accounts that were opened before the first event delivered here. */
  knowAccounts(accounts: readonly AccountView[]): void;
  /** Pairs that were listed before the first event delivered here. */
  knowPairs(pairs: readonly SymbolRules[]): void;
  /** Contracts that were configured before the first event delivered here. */
  knowContracts(contracts: readonly ContractRules[]): void;
  /**
   * Resolves once history contains everything up to an entry, which may be a future one. Writes without delay.
   * @throws HistoryUnavailable when a write fails meanwhile or history is lost.
   */
  flush(upTo: Seq): Promise<void>;
  lag(): HistoryLag;
  /** Whether new commands may be accepted: false while the queue is half full. */
  hasRoom(): boolean;
  /** Ends within this call and drops what is not written yet. For an entry that failed halfway. */
  abandon(): void;
  /** Writes what is queued and ends. Call it after the last event. The store stays open. */
  close(): Promise<void>;
}

/** Starts a writer at the store's watermark. */
export async function startHistoryWriter(options: HistoryWriterOptions): Promise<HistoryWriter> {
  const minutes = new MinuteBook();
  for (const symbol of await options.store.tradedSymbols()) {
    const bar = await options.store.barBefore(symbol, as<TimestampMs>(Number.MAX_SAFE_INTEGER));
    if (bar !== null) minutes.resume(bar);
  }
  const marks = new MarkBook();
  await marks.resume(options.store);
  const watermark = await options.store.watermark();
  const sums = await storedSums(options.store);
  const entryEnded = (): void => collector.ended();
  const queue = new BatchQueue({ ...defaults, ...options, entryEnded }, minutes, watermark);
  const collector: RowCollector = new RowCollector({ minutes, marks, sums }, queue);
  return {
    ...noopSink,
    entryBegan: (seq, at) => {
      queue.entryBegan(seq);
      collector.began(seq, at, seq > watermark);
    },
    tradeExecuted: (trade) => collector.trade(trade),
    rebateAccrued: (accrual) => collector.rebate(accrual),
    positionChanged: (position) => collector.position(position),
    orderClosed: (order) => collector.order(order),
    posted: (...posting) => collector.posted(...posting),
    fact: (fact) => collector.fact(fact),
    knowAccounts: (accounts) => {
      for (const account of accounts) collector.know(account);
    },
    knowPairs: (pairs) => {
      for (const pair of pairs) collector.knowPair(pair);
    },
    knowContracts: (contracts) => {
      for (const { id } of contracts) collector.knowContract(id);
    },
    flush: (upTo) => queue.flush(upTo),
    lag: () => queue.lag(),
    hasRoom: () => queue.hasRoom(),
    abandon: () => queue.abandon(),
    close: () => queue.close(),
  };
}

/** What goes on from what history ends with. */
interface Resumed {
  readonly minutes: MinuteBook;
  readonly marks: MarkBook;
  readonly sums: SimulatedSums;
}

/** Turns events into rows. */
class RowCollector {
  readonly #minutes: MinuteBook;
  readonly #queue: BatchQueue;
  readonly #wallet: WalletCollector;
  readonly #ledger: LedgerCollector;
  readonly #rebates: RebateCollector;
  readonly #contracts: ContractCollector;
  readonly #webhooks: WebhookCollector;
  #counts = false;
  #at = as<TimestampMs>(0);

  constructor({ minutes, marks, sums }: Resumed, queue: BatchQueue) {
    this.#minutes = minutes;
    this.#queue = queue;
    const addRow: AddRow = (table, row) => {
      const batch = queue.open();
      if (batch !== null) add(batch, table, row);
    };
    this.#wallet = new WalletCollector(addRow);
    this.#ledger = new LedgerCollector(addRow, sums, (account) => this.#wallet.isKept(account));
    this.#rebates = new RebateCollector(addRow, (account) => this.#wallet.isKept(account));
    this.#contracts = new ContractCollector(addRow, () => queue.open(), marks);
    this.#webhooks = new WebhookCollector(addRow, (account) => this.#wallet.isKept(account));
  }

  know(account: AccountView): void {
    this.#wallet.know(account);
    this.#webhooks.account(account, this.#counts);
  }

  knowPair(pair: SymbolRules): void {
    this.#webhooks.pair(pair, this.#counts);
  }

  knowContract(contract: SymbolId): void {
    this.#contracts.know(contract);
  }

  began(seq: Seq, at: TimestampMs, counts: boolean): void {
    this.#counts = counts;
    this.#at = at;
    this.#wallet.began(seq);
    this.#ledger.began(seq, at);
    this.#rebates.began(seq, at);
    this.#contracts.began(seq, at);
    this.#webhooks.began(seq, at);
  }

  ended(): void {
    this.#ledger.ended();
  }

  posted(...posting: Parameters<EventSink['posted']>): void {
    if (!this.#counts) return;
    this.#ledger.posted(...posting);
    const [account, , free, , why] = posting;
    this.#webhooks.posted(account, free, why);
  }

  fact(fact: Fact): void {
    if (fact.kind === 'accountOpened' || fact.kind === 'accountChanged') this.know(fact.account);
    else if (fact.kind === 'symbolConfigured') this.knowPair(fact.symbol);
    else if (fact.kind === 'contractConfigured') this.knowContract(fact.contract.id);
    else if (this.#counts) {
      this.#wallet.fact(fact);
      this.#ledger.fact(fact);
      this.#rebates.fact(fact);
      this.#contracts.fact(fact);
      this.#webhooks.fact(fact);
    }
  }

  rebate(accrual: RebateAccrual): void {
    if (this.#counts) this.#rebates.accrued(accrual);
  }

  position(position: PositionView): void {
    if (this.#counts) this.#contracts.position(position);
  }

  order(order: OrderView): void {
    if (!this.#counts || !this.#wallet.isKept(order.account)) return;
    const batch = this.#queue.open();
    if (batch === null) return;
    add(batch, 'orders', copyOrder(order));
  }

  trade(trade: Trade): void {
    if (!this.#counts) return;
    const batch = this.#queue.open();
    if (batch === null) return;
    add(batch, 'trades', tradeRow(trade, this.#at));
    this.#contracts.trade(trade);
    if (this.#wallet.isKept(trade.takerAccount)) add(batch, 'fills', takerFill(trade, this.#at));
    if (this.#wallet.isKept(trade.makerAccount)) add(batch, 'fills', makerFill(trade, this.#at));
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
