import { type Candle, type CandleInterval, candleNumber, candleOpenTime, shiftCandle } from '#model/candle.ts';
import { wireLimits } from '#http/limits.ts';
import type { TimestampMs } from '#model/units.ts';
import type { HistoryReads, Reader } from '#public-api/history/history-reads.ts';
import { type CandleRange, type CandleSpan, planWindows } from '#market-data/candles/candle-plan.ts';

const { windowsPerPage, bytesKept } = wireLimits.candlePages;

/** Candles of one symbol and interval, and how they are printed. */
export interface CandleSource {
  /** Tells it from all others. */
  readonly key: string;
  readonly interval: CandleInterval;
  /** From when to when there are candles; `null`: there are none. */
  readonly span: (run: ReadHistory) => Promise<CandleSpan | null> | CandleSpan | null;
  readonly candles: (range: CandleRange) => Promise<readonly Candle[]>;
  /** Whether candles from this window on are in memory, so that history is not asked. */
  readonly isRecent: (from: TimestampMs) => boolean;
  /** The open window if it is in memory. */
  readonly current: (openTime: TimestampMs) => Candle | null;
  /** Whether a candle is printed with the close of the one before. */
  readonly isContinued: boolean;
  /** One text for each member of the answer. `previousClose`: of the candle before; `null`: this is the first. */
  readonly print: (candle: Candle, previousClose: number | null) => readonly string[];
}

/** Runs a read of history when it is its turn. */
export type ReadHistory = <Answer>(read: () => Promise<Answer>) => Promise<Answer>;

/** Texts of a member, joined by commas, and where each ends. */
interface Column {
  text: string;
  readonly ends: Uint32Array;
}

/** Closed candles of consecutive windows: a page of them, or its beginning. */
interface Page {
  readonly key: string;
  readonly firstNumber: number;
  count: number;
  lastClose: number | null;
  bytes: number;
  readonly columns: Column[];
  loading: Promise<void> | null;
}

/**
 * Printed candles in pages of consecutive windows, bounded in bytes; the pages that were not asked for longest go
 * first. A candle is kept once its window is over for every entry that can come: from then on it never changes, because
 * times of entries never decrease. History is cut back and made anew before an exchange serves, so pages never outlive
 * it. DEC-MKT-100.
 */
export class CandlePages {
  readonly #reads: HistoryReads;
  readonly #pages = new Map<string, Page>();
  #bytes = 0;

  constructor(reads: HistoryReads) {
    this.#reads = reads;
  }

  /** Bytes of texts that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The texts of each member of the answer, joined by commas; none without candles. */
  async columns(source: CandleSource, range: CandleRange, reader: Reader): Promise<readonly string[] | null> {
    const read: ReadHistory = (ask) => this.#reads.run(reader, ask);
    const span = await source.span(read);
    if (span === null) return null;
    const { interval } = source;
    const windows = planWindows(interval, range, span);
    const end = windows.findLastIndex((open) => shiftCandle(interval, open, 1) <= span.closedUntil) + 1;
    const parts: (readonly string[])[] = [];
    for (let from = 0; from < end; ) {
      const page = pageOf(interval, windows[from] as TimestampMs);
      let to = from + 1;
      while (to < end && pageOf(interval, windows[to] as TimestampMs) === page) to += 1;
      const found = await this.#page(source, span, windows[to - 1] as TimestampMs, read);
      const first = candleNumber(interval, windows[from] as TimestampMs) - found.firstNumber;
      const last = Math.min(
        candleNumber(interval, windows[to - 1] as TimestampMs) - found.firstNumber,
        found.count - 1,
      );
      if (first <= last) parts.push(found.columns.map((column) => slice(column, first, last)));
      from = to;
    }
    if (end < windows.length) parts.push(await this.#open(source, span, windows.slice(end), read));
    const filled = parts.filter(({ length }) => length > 0);
    return filled[0]?.map((_none, member) => filled.map((texts) => texts[member]).join(',')) ?? null;
  }

  /** Candles whose windows are not over: read anew each time, and printed anew. */
  async #open(
    source: CandleSource,
    span: CandleSpan,
    windows: readonly TimestampMs[],
    read: ReadHistory,
  ): Promise<readonly string[]> {
    const { interval } = source;
    const [first] = windows as [TimestampMs];
    const before = shiftCandle(interval, first, -1);
    const isAlone = !source.isContinued || before < candleOpenTime(interval, span.firstTradeAt);
    const previous = isAlone ? null : (await this.#page(source, span, before, read)).lastClose;
    const only = windows.length === 1 ? source.current(first) : null;
    const ask = () => source.candles({ from: first, to: windows.at(-1) as TimestampMs, limit: windows.length });
    const candles = only === null ? await (source.isRecent(first) ? ask() : read(ask)) : [only];
    return printed(source, candles, previous).map((texts) => texts.join(','));
  }

  /** The page of a closed window, complete up to that window at least. */
  async #page(source: CandleSource, span: CandleSpan, window: TimestampMs, read: ReadHistory): Promise<Page> {
    const { interval } = source;
    const number = pageOf(interval, window);
    const key = `${source.key} ${number}`;
    const wanted = candleNumber(interval, window);
    const page = this.#pages.get(key) ?? newPage(key, interval, number, span);
    this.#pages.delete(key);
    this.#pages.set(key, page);
    while (page.firstNumber + page.count <= wanted) {
      const before = page.count;
      page.loading ??= this.#load(source, page, { span, number, window }, read).finally(() => {
        page.loading = null;
        if (page.count === 0) this.#pages.delete(key);
      });
      await page.loading;
      // History has fewer candles than the span says: what there is is answered.
      if (page.count === before) break;
    }
    return page;
  }

  /** Continues a page up to the last closed window that belongs to it. */
  async #load(
    source: CandleSource,
    page: Page,
    of: { readonly span: CandleSpan; readonly number: number; readonly window: TimestampMs },
    read: ReadHistory,
  ): Promise<void> {
    const { interval } = source;
    const wanted = candleNumber(interval, of.window);
    const from = shiftCandle(interval, of.window, page.firstNumber + page.count - wanted);
    const closed = candleNumber(interval, candleOpenTime(interval, of.span.closedUntil)) - 1;
    const last = Math.min(closed, (of.number + 1) * windowsPerPage - 1);
    const to = shiftCandle(interval, of.window, last - wanted);
    const before = shiftCandle(interval, from, -1);
    const isFirst = before < candleOpenTime(interval, of.span.firstTradeAt);
    const ask = () => source.candles({ from: isFirst ? from : before, to, limit: windowsPerPage + 1 });
    const found = await (source.isRecent(isFirst ? from : before) ? ask() : read(ask));
    const previous = found.findLast(({ openTime }) => openTime < from)?.close ?? null;
    this.#append(
      source,
      page,
      found.filter(({ openTime }) => openTime >= from),
      previous,
    );
  }

  #append(source: CandleSource, page: Page, candles: readonly Candle[], previousClose: number | null): void {
    for (const [member, texts] of printed(source, candles, previousClose).entries()) {
      page.columns[member] ??= { text: '', ends: new Uint32Array(windowsPerPage) };
      const column = page.columns[member];
      const before = column.text.length;
      let end = before;
      for (const [index, text] of texts.entries()) {
        end += text.length + (page.count + index > 0 ? 1 : 0);
        column.ends[page.count + index] = end;
      }
      column.text = before === 0 ? texts.join(',') : `${column.text},${texts.join(',')}`;
    }
    page.count += candles.length;
    page.lastClose = candles.at(-1)?.close ?? page.lastClose;
    // A page that had to go while it was read is used once more by who waits for it, and not kept.
    if (this.#pages.get(page.key) === page) this.#account(page);
  }

  #account(page: Page): void {
    const bytes = bytesOf(page);
    this.#bytes += bytes - page.bytes;
    page.bytes = bytes;
    for (const [key, oldest] of this.#pages) {
      if (this.#bytes <= bytesKept || oldest === page) break;
      this.#pages.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }
}

const pageOf = (interval: CandleInterval, window: TimestampMs): number =>
  Math.floor(candleNumber(interval, window) / windowsPerPage);

function newPage(key: string, interval: CandleInterval, number: number, { firstTradeAt }: CandleSpan): Page {
  const firstEver = candleNumber(interval, candleOpenTime(interval, firstTradeAt));
  const firstNumber = Math.max(number * windowsPerPage, firstEver);
  return { key, firstNumber, count: 0, lastClose: null, bytes: 0, columns: [], loading: null };
}

const bytesOf = ({ columns }: Page): number =>
  columns.reduce((sum, { text, ends }) => sum + text.length + ends.byteLength, 0);

/** Texts of these entries of a column, both inclusive. */
function slice({ text, ends }: Column, first: number, last: number): string {
  const begin = first === 0 ? 0 : (ends[first - 1] as number) + 1;
  return text.slice(begin, ends[last]);
}

/** The texts of candles by member. */
function printed(source: CandleSource, candles: readonly Candle[], previousClose: number | null): readonly string[][] {
  const members: string[][] = [];
  let previous = previousClose;
  for (const candle of candles) {
    for (const [member, text] of source.print(candle, previous).entries()) {
      members[member] ??= [];
      members[member].push(text);
    }
    previous = candle.close;
  }
  return members;
}
