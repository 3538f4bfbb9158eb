import { assert } from '#base/assert.ts';
import type { SetTimer } from '#base/clock.ts';
import type { Seq, SymbolId } from '#model/units.ts';
import { type HistoryBatch, type HistoryStore, HistoryUnavailable } from '#history/history-store.ts';
import { emptyRows, type RowLists } from '#history/tables/history-tables.ts';
import type { MinuteBook } from '#history/collectors/minute-book.ts';

/** How far history is behind. */
export interface HistoryLag {
  /** Rows not written yet. Order entry stops at half of `rowsMax`. */
  readonly rows: number;
  readonly rowsMax: number;
  /** Entries not written yet. */
  readonly entries: number;
  /** The queue overflowed and was dropped: history stops until a restart replays from its watermark. */
  readonly lost: boolean;
}

/** Store, limits and callbacks of the queue. */
export interface BatchQueueOptions {
  readonly store: HistoryStore;
  readonly setTimer: SetTimer;
  readonly batchRows: number;
  readonly batchRowsMax: number;
  readonly batchDelayMs: number;
  readonly idleDelayMs: number;
  readonly queueRowsMax: number;
  readonly onFailure: (error: unknown) => void;
  /** Called between two entries, before the batch is looked at: adds rows that wait for the end of the entry before. */
  readonly entryEnded: () => void;
}

/** Rows of the entries since the last batch was closed. */
export interface OpenBatch {
  /** Rows of all tables but bars. */
  rowCount: number;
  readonly rows: RowLists;
  /** Symbols whose current minute changed. */
  readonly growing: Set<SymbolId>;
}

interface Waiter {
  readonly upTo: Seq;
  resolve(): void;
  reject(error: Error): void;
}

const retryDelayMs = 1000;
const emptyBatch = (): OpenBatch => ({ rowCount: 0, rows: emptyRows(), growing: new Set() });

/** Batches for the store: one being written, closed ones in a queue, one open. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #minutes: MinuteBook;
  #open = emptyBatch();
  #closed: { readonly rowCount: number; readonly batch: HistoryBatch }[] = [];
  #closedRows = 0;
  #writing: Promise<void> | null = null;
  #waiters: Waiter[] = [];
  #timer: { readonly delayMs: number; cancel(): void } | null = null;
  /** Last entry delivered here. */
  #seen: Seq;
  /** Every entry up to this one is in a closed batch or older. */
  #closedUpTo: Seq;
  /** The store's watermark. */
  #stored: Seq;
  #delivered = false;
  /** The last write failed and is tried again later. */
  #failing = false;
  #lost = false;

  constructor(options: BatchQueueOptions, minutes: MinuteBook, watermark: Seq) {
    this.#options = options;
    this.#minutes = minutes;
    this.#seen = watermark;
    this.#closedUpTo = watermark;
    this.#stored = watermark;
  }

  /** The rows that follow belong to entry `seq`; earlier entries are complete. */
  entryBegan(seq: Seq): void {
    if (!this.#delivered) assert(seq <= this.#seen + 1, 'history is fed from its watermark on');
    this.#delivered = true;
    if (seq <= this.#seen) return;
    assert(seq === this.#seen + 1, 'history sees every entry in order');
    this.#options.entryEnded();
    if (this.#open.rowCount >= this.#options.batchRows) {
      // During a write the open batch keeps growing: one large write takes less time than two small ones.
      if (this.#writing === null || this.#open.rowCount >= this.#options.batchRowsMax) this.#close();
      this.#write();
    }
    this.#seen = seq;
    this.#schedule(this.#waiters.length > 0 ? 0 : this.#options.idleDelayMs);
  }

  /** The open batch; `null`: rows are dropped, history is lost. */
  open(): OpenBatch | null {
    if (this.#lost) return null;
    if (this.#closedRows + this.#open.rowCount >= this.#options.queueRowsMax) {
      this.#lose();
      return null;
    }
    if (this.#open.rowCount === 0) this.#schedule(this.#options.batchDelayMs);
    return this.#open;
  }

  flush(upTo: Seq): Promise<void> {
    this.#options.entryEnded();
    if (this.#lost) return Promise.reject(new HistoryUnavailable('history is behind for good'));
    if (upTo <= this.#visibleUpTo()) return Promise.resolve();
    if (this.#failing) return Promise.reject(new HistoryUnavailable('history cannot be written at the moment'));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo, resolve, reject });
      this.#writeNow();
    });
  }

  lag(): HistoryLag {
    return {
      rows: this.#closedRows + this.#open.rowCount,
      rowsMax: this.#options.queueRowsMax,
      entries: this.#seen - this.#stored,
      lost: this.#lost,
    };
  }

  /** False while the queue is half full; the other half is for commands that were already accepted. */
  hasRoom(): boolean {
    return this.#closedRows + this.#open.rowCount < this.#options.queueRowsMax / 2;
  }

  /** Drops every batch that is not being written: neither their rows nor a watermark are written any more. */
  abandon(): void {
    this.#lose();
  }

  async close(): Promise<void> {
    while (!this.#lost && this.#stored < this.#seen) {
      this.#writeNow();
      const before = this.#stored;
      await this.#writing;
      if (this.#stored === before) break;
    }
    this.#lose();
  }

  /** Last entry whose rows are visible in the store; entries without rows count as visible. */
  #visibleUpTo(): Seq {
    return this.#open.rowCount === 0 && this.#closed.length === 0 && this.#writing === null ? this.#seen : this.#stored;
  }

  /** Writes after `delayMs` at the latest. */
  #schedule(delayMs: number): void {
    if (this.#lost || this.#failing || (this.#timer !== null && this.#timer.delayMs <= delayMs)) return;
    this.#startTimer(delayMs);
  }

  #startTimer(delayMs: number): void {
    this.#timer?.cancel();
    const cancel = this.#options.setTimer(delayMs, () => {
      this.#timer = null;
      this.#failing = false;
      this.#writeNow();
    });
    this.#timer = { delayMs, cancel };
  }

  #writeNow(): void {
    if (this.#lost) return;
    this.#options.entryEnded();
    if (this.#writing === null && this.#closed.length === 0) this.#close();
    this.#write();
  }

  #close(): void {
    if (this.#seen === this.#closedUpTo) return;
    const { rowCount, rows } = this.#open;
    const batch = { upTo: this.#seen, rows: { ...rows, bars: this.#minutes.take(this.#open) } };
    this.#closed.push({ rowCount, batch });
    this.#closedRows += rowCount;
    this.#closedUpTo = this.#seen;
    this.#open = emptyBatch();
  }

  #write(): void {
    const next = this.#closed[0];
    if (this.#writing !== null || this.#failing || next === undefined) return;
    this.#writing = this.#options.store.write(next.batch).then(
      () => this.#written(next.rowCount, next.batch.upTo),
      (error: unknown) => this.#failed(error),
    );
  }

  #written(rowCount: number, upTo: Seq): void {
    this.#writing = null;
    if (this.#lost) return;
    this.#closed.shift();
    this.#closedRows -= rowCount;
    this.#stored = upTo;
    const visible = this.#visibleUpTo();
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.upTo > visible);
    for (const waiter of waiters) if (waiter.upTo <= visible) waiter.resolve();
    if (this.#waiters.length > 0 || this.#open.rowCount >= this.#options.batchRows) this.#writeNow();
    else this.#write();
    if (this.#seen > this.#closedUpTo) {
      this.#schedule(this.#open.rowCount > 0 ? this.#options.batchDelayMs : this.#options.idleDelayMs);
    }
  }

  /** Keeps the batch first in the queue; the store ignores it if it was written after all. */
  #failed(error: unknown): void {
    this.#writing = null;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters)
      waiter.reject(new HistoryUnavailable('history could not be written', { cause: error }));
    this.#failing = true;
    if (!this.#lost) this.#startTimer(retryDelayMs);
    this.#options.onFailure(error);
  }

  #lose(): void {
    this.#lost = true;
    this.#timer?.cancel();
    this.#timer = null;
    this.#open = emptyBatch();
    this.#closed = [];
    this.#closedRows = 0;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(new HistoryUnavailable('history is behind for good'));
  }
}
