import { Worker } from 'node:worker_threads';
import {
  batchBlocks,
  type HistoryReply,
  type HistoryRequest,
  type HistoryWorkerData,
  packBatch,
  type PlainMethod,
} from '#history/worker/history-messages.ts';
import {
  type Group,
  type GroupsOf,
  type HistoryBatch,
  HistoryDamaged,
  type HistoryStore,
  HistoryUnavailable,
  type Where,
  type Window,
} from '#history/history-store.ts';
import type { RowOf, TableSet } from '#history/tables/history-table.ts';
import { type HistoryTables, historyTables } from '#history/tables/history-tables.ts';
import { unpackGroups } from '#history/worker/packed-groups.ts';
import { type PackedRows, unpackInTurns } from '#history/worker/packed-rows.ts';

/** Greatest number of pending calls; further ones are refused. */
const waitingMax = 10_000;
/** Rows are garbage once they are stored: a young generation for a few batches is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };
/** Worker threads run compiled code, also when tests run the sources. */
const workerFile = new URL('../../dist/history/worker/history-worker.js', import.meta.url);

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
  readonly #workerData: HistoryWorkerData;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onDamage: (error: HistoryDamaged) => void;
  #worker: Worker | null = null;
  #lastId = 0;
  #closed = false;

  /**
   * `path` names the database file. Opens it with the first call. `onDamage` is called for each call that found
   * damage.
   */
  constructor(path: string, onDamage: (error: HistoryDamaged) => void = () => {}, tables: TableSet = historyTables) {
    this.#workerData = { path, tables };
    this.#onDamage = onDamage;
  }

  async write(batch: HistoryBatch): Promise<void> {
    const packed = packBatch(this.#workerData.tables, batch);
    await this.#call({ id: this.#nextId(), method: 'write', batch: packed }, batchBlocks(packed));
  }

  async rows<Name extends keyof HistoryTables>(
    ...args: Parameters<HistoryStore['rows']>
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    return this.#unpacked<Name>(args[0], await this.#call({ id: this.#nextId(), method: 'rows', args }, []));
  }

  async page<Name extends keyof HistoryTables>(
    ...args: Parameters<HistoryStore['page']>
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    return this.#unpacked<Name>(args[0], await this.#call({ id: this.#nextId(), method: 'page', args }, []));
  }

  async scan<Name extends keyof HistoryTables>(
    ...args: Parameters<HistoryStore['scan']>
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    return this.#unpacked<Name>(args[0], await this.#call({ id: this.#nextId(), method: 'scan', args }, []));
  }

  async grouped<Name extends keyof HistoryTables, By extends string, Sum extends string>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    of: GroupsOf<By, Sum>,
  ): Promise<readonly Group<RowOf<HistoryTables[Name]>, By, Sum>[]> {
    const reply = await this.#call({ id: this.#nextId(), method: 'grouped', args: [name, where, window, of] }, []);
    return unpackGroups(this.#workerData.tables[name]!, of, (reply as { readonly packed: PackedRows }).packed);
  }

  count(...args: Parameters<HistoryStore['count']>): ReturnType<HistoryStore['count']> {
    return this.#plain('count', args);
  }

  watermark(...args: Parameters<HistoryStore['watermark']>): ReturnType<HistoryStore['watermark']> {
    return this.#plain('watermark', args);
  }

  orderOf(...args: Parameters<HistoryStore['orderOf']>): ReturnType<HistoryStore['orderOf']> {
    return this.#plain('orderOf', args);
  }

  ownerOf(...args: Parameters<HistoryStore['ownerOf']>): ReturnType<HistoryStore['ownerOf']> {
    return this.#plain('ownerOf', args);
  }

  accountsWith(...args: Parameters<HistoryStore['accountsWith']>): ReturnType<HistoryStore['accountsWith']> {
    return this.#plain('accountsWith', args);
  }

  balances(...args: Parameters<HistoryStore['balances']>): ReturnType<HistoryStore['balances']> {
    return this.#plain('balances', args);
  }

  aggregatedTrades(
    ...args: Parameters<HistoryStore['aggregatedTrades']>
  ): ReturnType<HistoryStore['aggregatedTrades']> {
    return this.#plain('aggregatedTrades', args);
  }

  barBefore(...args: Parameters<HistoryStore['barBefore']>): ReturnType<HistoryStore['barBefore']> {
    return this.#plain('barBefore', args);
  }

  firstBar(...args: Parameters<HistoryStore['firstBar']>): ReturnType<HistoryStore['firstBar']> {
    return this.#plain('firstBar', args);
  }

  seconds(...args: Parameters<HistoryStore['seconds']>): ReturnType<HistoryStore['seconds']> {
    return this.#plain('seconds', args);
  }

  tradedSymbols(...args: Parameters<HistoryStore['tradedSymbols']>): ReturnType<HistoryStore['tradedSymbols']> {
    return this.#plain('tradedSymbols', args);
  }

  markedContracts(...args: Parameters<HistoryStore['markedContracts']>): ReturnType<HistoryStore['markedContracts']> {
    return this.#plain('markedContracts', args);
  }

  prune(...args: Parameters<HistoryStore['prune']>): ReturnType<HistoryStore['prune']> {
    return this.#plain('prune', args);
  }

  /** Writes a copy of what is there now into a new file, which only its owner may read. */
  copyTo(path: string): Promise<void> {
    return this.#plain('copyTo', [path]);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (this.#closed || worker === null) {
      this.#closed = true;
      return;
    }
    // The file is released only when the thread has exited.
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    const closing = this.#plain('close', []);
    this.#closed = true;
    await closing;
    await gone;
  }

  async #plain<Method extends PlainMethod>(
    method: Method,
    args: Parameters<WorkerHistoryStore[Method]>,
  ): Promise<Awaited<ReturnType<WorkerHistoryStore[Method]>>> {
    const reply = await this.#call({ id: this.#nextId(), method, args }, []);
    return (reply as { readonly value: Awaited<ReturnType<WorkerHistoryStore[Method]>> }).value;
  }

  #unpacked<Name extends keyof HistoryTables>(
    name: string,
    reply: HistoryReply,
  ): Promise<RowOf<HistoryTables[Name]>[]> {
    const table = this.#workerData.tables[name] as HistoryTables[Name];
    return unpackInTurns(table, (reply as { readonly packed: PackedRows }).packed);
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
    const worker = new Worker(workerFile, { workerData: this.#workerData, execArgv: [], resourceLimits });
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
