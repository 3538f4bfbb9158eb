import type { MarkView } from '#domain/contract.ts';
import type { Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import { type BarSpan, barSpanMs, barSpans } from '#history/bar-spans.ts';
import { type MarkBarRow, type MarkKind, markKinds } from '#history/contract-tables.ts';
import type { HistoryStore } from '#history/history-store.ts';

const latest = { from: 0 as TimestampMs, to: Number.MAX_SAFE_INTEGER as TimestampMs };

/** The current bars of index and fair prices, of every span. A bar opens with the close of the one before. */
export class MarkBook {
  readonly #bars = new Map<string, MarkBarRow>();

  /** Continues the newest stored bars. */
  async resume(history: HistoryStore): Promise<void> {
    for (const contract of await history.markedContracts()) {
      for (const kind of markKinds) {
        for (const span of barSpans) {
          const [bar] = await history.rows('markBars', { contract, kind, span }, latest, 1, false);
          if (bar !== undefined) this.#bars.set(keyOf(contract, kind, span), bar);
        }
      }
    }
  }

  /** The bars that these prices change; a price that is not known changes none. */
  add({ contract, index, fair, at }: MarkView, seq: Seq): readonly MarkBarRow[] {
    const changed: MarkBarRow[] = [];
    for (const kind of markKinds) {
      const price = kind === 'index' ? index : fair;
      if (price === 0) continue;
      for (const span of barSpans) {
        const key = keyOf(contract, kind, span);
        const openTime = (Math.floor(at / barSpanMs[span]) * barSpanMs[span]) as TimestampMs;
        const bar = grown(this.#bars.get(key), { contract, kind, span, openTime, seq }, price);
        this.#bars.set(key, bar);
        changed.push(bar);
      }
    }
    return changed;
  }
}

/** Names a contract's bars of a kind and span. */
const keyOf = (contract: SymbolId, kind: MarkKind, span: BarSpan): string => `${contract}/${kind}/${span}`;

type Place = Pick<MarkBarRow, 'contract' | 'kind' | 'span' | 'openTime' | 'seq'>;

function grown(last: MarkBarRow | undefined, place: Place, price: number): MarkBarRow {
  const isSame = last !== undefined && last.openTime === place.openTime;
  const open = isSame ? last.open : (last?.close ?? price);
  const before = isSame ? last : { high: open, low: open };
  return { ...place, open, high: Math.max(before.high, price), low: Math.min(before.low, price), close: price };
}
