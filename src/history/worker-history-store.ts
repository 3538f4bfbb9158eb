import { Worker } from 'node:worker_threads';
import type { AggregatedTrade } from '#domain/aggregated-trade.ts';
import type { OrderRef, OrderView } from '#domain/order.ts';
import type { AccountId, OrderNumber, Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import type { PackedRows } from '#history/history-rows.ts';
import {
  batchBlocks,
  type HistoryReply,
  type HistoryRequest,
  packBatch,
  packedAnswers,
  type PlainAnswers,
} from '#history/history-messages.ts';
import {
  type Bar,
  type BarSpan,
  type FillRow,
  type HistoryBatch,
  HistoryDamaged,
  type HistoryRetention,
  type HistoryStore,
  HistoryUnavailable,
  type SecondColumns,
  type TradeRow,
  type Window,
} from '#history/history-store.ts';

/** Calls that may wait for the worker; one more is refused. */
const waitingMax = 10_000;
/** Rows are garbage as soon as the database has them: room for a few batches is enough for what is new. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };
/** Worker threads run compiled code, also when tests run the sources. */
const workerFile = new URL('../../dist/history/history-worker.js', import.meta.url);

interface Waiting {
  resolve(reply: HistoryReply): void;
  reject(error: Error): void;
}

/**
 * The SQLite history on a thread of its own. The asking thread spends a fraction of a microsecond per column: rows
 * cross as blocks of numbers. Answers come in the order of the calls. A worker that dies fails the calls that waited;
 * the next call starts another, and a write may be repeated because the watermark ignores what was written already.
 */
export class WorkerHistoryStore implements HistoryStore {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onDamage: (error: HistoryDamaged) => void;
  #worker: Worker | null = null;
  #lastId = 0;
  #closed = false;

  /** `path` names the database file. Opens it with the first call. `onDamage` hears of each call that found damage. */
  constructor(path: string, onDamage: (error: HistoryDamaged) => void = () => {}) {
    this.#path = path;
    this.#onDamage = onDamage;
  }

  async write(batch: HistoryBatch): Promise<void> {
    const packed = packBatch(batch);
    await this.#call({ id: this.#nextId(), method: 'write', batch: packed }, batchBlocks(packed));
  }

  watermark(): Promise<Seq> {
    return this.#plain('watermark', []);
  }

  async ordersOf(
    account: AccountId,
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly OrderView[]> {
    return packedAnswers.ordersOf.unpack(await this.#packed('ordersOf', [account, symbol, window, limit, fromStart]));
  }

  orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null> {
    return this.#plain('orderOf', [account, symbol, ref]);
  }

  async fillsOf(
    account: AccountId,
    symbol: SymbolId,
    order: OrderNumber | null,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly FillRow[]> {
    const args = [account, symbol, order, window, limit, fromStart];
    return packedAnswers.fillsOf.unpack(await this.#packed('fillsOf', args));
  }

  async trades(symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly TradeRow[]> {
    return packedAnswers.trades.unpack(await this.#packed('trades', [symbol, window, limit, fromStart]));
  }

  aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]> {
    return this.#plain('aggregatedTrades', [symbol, window, limit, fromStart]);
  }

  async bars(symbol: SymbolId, span: BarSpan, window: Window): Promise<readonly Bar[]> {
    return packedAnswers.bars.unpack(await this.#packed('bars', [symbol, span, window]));
  }

  barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null> {
    return this.#plain('barBefore', [symbol, before]);
  }

  firstBar(symbol: SymbolId): Promise<Bar | null> {
    return this.#plain('firstBar', [symbol]);
  }

  seconds(symbol: SymbolId, window: Window): Promise<SecondColumns> {
    return this.#plain('seconds', [symbol, window]);
  }

  tradedSymbols(): Promise<readonly SymbolId[]> {
    return this.#plain('tradedSymbols', []);
  }

  prune(now: TimestampMs, retention: HistoryRetention): Promise<number> {
    return this.#plain('prune', [now, retention]);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (this.#closed || worker === null) {
      this.#closed = true;
      return;
    }
    // The file is free once the thread is gone, not before.
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    const closing = this.#plain('close', []);
    this.#closed = true;
    await closing;
    await gone;
  }

  async #plain<Method extends keyof PlainAnswers>(
    method: Method,
    args: readonly unknown[],
  ): Promise<PlainAnswers[Method]> {
    const reply = await this.#call({ id: this.#nextId(), method, args }, []);
    return (reply as { readonly value: PlainAnswers[Method] }).value;
  }

  async #packed(method: keyof typeof packedAnswers, args: readonly unknown[]): Promise<PackedRows> {
    const reply = await this.#call({ id: this.#nextId(), method, args }, []);
    return (reply as { readonly packed: PackedRows }).packed;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #call(request: HistoryRequest, blocks: ArrayBuffer[]): Promise<HistoryReply> {
    if (this.#closed) return Promise.reject(new HistoryUnavailable('history is closed'));
    if (this.#waiting.size >= waitingMax)
      return Promise.reject(new HistoryUnavailable('too many calls wait for history'));
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage(request, blocks);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerFile, { workerData: { path: this.#path }, execArgv: [], resourceLimits });
    worker.on('message', (reply: HistoryReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('failure' in reply) waiting?.reject(this.#failure(reply));
      else waiting?.resolve(reply);
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, new Error(`history worker ended with ${code}`)));
    return worker;
  }

  #failure({ failure, code, isDamage }: Extract<HistoryReply, { readonly failure: string }>): HistoryUnavailable {
    const cause = Object.assign(new Error(failure), code === null || code === '' ? {} : { code });
    if (!isDamage) return new HistoryUnavailable(failure, { cause });
    const damaged = new HistoryDamaged(failure, { cause });
    this.#onDamage(damaged);
    return damaged;
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of lost) waiting.reject(new HistoryUnavailable('the history worker ended', { cause }));
  }
}
