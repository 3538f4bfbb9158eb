import type { MarkView } from '#model/contract.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { barSpanMs, barSpans } from '#history/tables/bar-spans.ts';
import { type MarkBarRow, type MarkKind, markKinds } from '#history/tables/contract-tables.ts';
import type { HistoryStore } from '#history/history-store.ts';

const latest = { from: 0 as TimestampMs, to: Number.MAX_SAFE_INTEGER as TimestampMs };

/** Bars of one contract and kind, in the order of `barSpans`. */
type Bars = (MarkBarRow | undefined)[];
/** A bar of the open batch, which nobody else has yet. */
type OpenBar = { -readonly [Name in keyof MarkBarRow]: MarkBarRow[Name] };

/** The current bars of index and fair prices, of every span. A bar opens with the close of the one before. */
export class MarkBook {
  readonly #bars = new Map<SymbolId, Record<MarkKind, Bars>>();
  /** Bars that the open batch has: they grow where they are. */
  readonly #open = new Set<MarkBarRow>();

  /** Continues the newest stored bars. */
  async resume(history: HistoryStore): Promise<void> {
    for (const contract of await history.markedContracts()) {
      for (const kind of markKinds) {
        for (const [index, span] of barSpans.entries()) {
          const [bar] = await history.rows('markBars', { contract, kind, span }, latest, 1, false);
          this.#of(contract)[kind][index] = bar;
        }
      }
    }
  }

  /**
   * Takes up prices, and tells the bars that the open batch does not have yet; the others grow in it. A price that is
   * not known changes none.
   */
  add({ contract, index, fair, at }: MarkView, seq: Seq): readonly MarkBarRow[] {
    const added: MarkBarRow[] = [];
    const of = this.#of(contract);
    for (const kind of markKinds) {
      const price = kind === 'index' ? index : fair;
      if (price === 0) continue;
      for (const [place, span] of barSpans.entries()) {
        const openTime = (Math.floor(at / barSpanMs[span]) * barSpanMs[span]) as TimestampMs;
        const last = of[kind][place];
        if (last !== undefined && last.openTime === openTime && this.#open.has(last)) {
          grow(last, price, seq);
          continue;
        }
        const bar = nextBar(last, { contract, kind, span, openTime, seq }, price);
        of[kind][place] = bar;
        this.#open.add(bar);
        added.push(bar);
      }
    }
    return added;
  }

  /** Call it before what goes into another batch. */
  beginBatch(): void {
    this.#open.clear();
  }

  #of(contract: SymbolId): Record<MarkKind, Bars> {
    const known = this.#bars.get(contract);
    if (known !== undefined) return known;
    const bars = { index: [], fair: [] };
    this.#bars.set(contract, bars);
    return bars;
  }
}

function grow(bar: OpenBar, price: number, seq: Seq): void {
  bar.seq = seq;
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
}

type Place = Pick<MarkBarRow, 'contract' | 'kind' | 'span' | 'openTime' | 'seq'>;

/** The bar after one of an earlier time, or a new state of the same one. */
function nextBar(last: MarkBarRow | undefined, place: Place, price: number): MarkBarRow {
  const isSame = last !== undefined && last.openTime === place.openTime;
  const open = isSame ? last.open : (last?.close ?? price);
  const before = isSame ? last : { high: open, low: open };
  return { ...place, open, high: Math.max(before.high, price), low: Math.min(before.low, price), close: price };
}
