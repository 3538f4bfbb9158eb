import { useEffect, useRef, useState } from 'preact/hooks';
import { openOrders } from '#web/data/account.ts';
import type { Pair } from '#web/data/markets.ts';
import { lastMoveOf, lastPriceOf } from '#web/data/last-price.ts';
import { openBookView } from '#web/data/streams/streams.ts';
import { direction, grouped } from '#web/design/number-text.ts';
import { Empty, Loading } from '#web/design/states.tsx';
import { Steady } from '#web/design/steady.ts';
import { bookRows, steps } from '#web/pages/trade/book-rows.ts';
import { choosePrice } from '#web/pages/trade/ticket-state.ts';

/** Prices of own orders of a side, in ticks of the step. */
function ownPrices(pair: Pair, side: 'bids' | 'asks', step: number): ReadonlySet<number> {
  const unit = 10 ** pair.quotePrecision;
  const own = [...(openOrders.value?.values() ?? [])].filter(
    (order) => order.symbol === pair.symbol && order.side === (side === 'bids' ? 'BUY' : 'SELL'),
  );
  return new Set(
    own.map(({ price }) => {
      const tick = Math.round(Number(price) * unit);
      return (side === 'bids' ? Math.floor(tick / step) : Math.ceil(tick / step)) * step;
    }),
  );
}

interface LineProps {
  readonly price: string;
  readonly quantity: string;
  readonly sum: string;
  /** Share of the side that rests up to here, in percent. */
  readonly share: number;
  readonly style: 'up' | 'down';
  readonly isOwn: boolean;
}

/** A line of the book; one whose texts stay is not made anew. DEC-WEB-81. */
class Line extends Steady<LineProps> {
  render({ price, quantity, sum, share, style, isOwn }: LineProps) {
    return (
      <tr onClick={() => choosePrice(price)}>
        <td class={style}>
          {isOwn ? <span class="own-mark" title="Your order" /> : null}
          {grouped(price)}
        </td>
        <td>{grouped(quantity)}</td>
        <td class="depth-bar" style={{ backgroundSize: `${share}% 18px` }}>
          {grouped(sum)}
        </td>
      </tr>
    );
  }
}

interface SideProps {
  readonly pair: Pair;
  readonly side: 'bids' | 'asks';
  readonly levels: Float64Array;
  readonly step: number;
  readonly count: number;
}

function BookSide({ pair, side, levels, step, count }: SideProps) {
  const rows = bookRows(side, levels, step, count);
  const most = rows.at(-1)?.sum ?? 1;
  const own = ownPrices(pair, side, step);
  const { quotePrecision, baseAssetPrecision } = pair;
  const lotsText = (lots: number): string => (lots / 10 ** baseAssetPrecision).toFixed(baseAssetPrecision);
  const shown = side === 'asks' ? rows.toReversed() : rows;
  return (
    <tbody class={side}>
      {shown.map((row) => (
        <Line
          key={row.price}
          price={(row.price / 10 ** quotePrecision).toFixed(quotePrecision)}
          quantity={lotsText(row.lots)}
          sum={lotsText(row.sum)}
          share={Math.round((row.sum / most) * 1000) / 10}
          style={side === 'bids' ? 'up' : 'down'}
          isOwn={own.has(row.price)}
        />
      ))}
    </tbody>
  );
}

/** Last price, and how far the sides are apart. */
function Middle({ pair, bid, ask }: { readonly pair: Pair; readonly bid: number; readonly ask: number }) {
  const last = lastPriceOf(pair.symbol);
  const spread = ((ask - bid) / 10 ** pair.quotePrecision).toFixed(pair.quotePrecision);
  return (
    <tbody>
      <tr class="book-middle">
        <td colSpan={3}>
          <div class="book-middle-line">
            <span class={`price ${direction(lastMoveOf(pair.symbol))}`}>
              {last === null ? '–' : grouped(last, pair.quotePrecision)}
            </span>
            <span class="soft">{Number.isFinite(ask - bid) ? `Spread ${grouped(spread)}` : ''}</span>
          </div>
        </td>
      </tr>
    </tbody>
  );
}

const rowHeight = 20;
/** Heads and the line in the middle. */
const otherHeight = 112;

/** How many lines of each side a place has room for. */
function useRowCount() {
  const place = useRef<HTMLElement>(null);
  const [count, setCount] = useState(10);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0;
      setCount(Math.max(4, Math.floor((height - otherHeight) / (2 * rowHeight))));
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, count };
}

/** The order book, grouped as one likes it, with one's own orders marked; a click takes the price. DEC-WEB-09. */
export function BookPanel({ pair }: { readonly pair: Pair }) {
  const [step, setStep] = useState<number>(steps[0]);
  const view = openBookView.value;
  const { place, count } = useRowCount();
  const stepText = (ticks: number): string =>
    (ticks / 10 ** pair.quotePrecision).toFixed(Math.max(0, pair.quotePrecision - Math.log10(ticks)));
  return (
    <section ref={place} class="pane book-panel" aria-label="Order book">
      <div class="pane-head">
        <h2>Order book</h2>
        <select
          class="small-select"
          aria-label="Group prices by"
          value={String(step)}
          onChange={(event) => setStep(Number(event.currentTarget.value))}
        >
          {steps.map((ticks) => (
            <option key={ticks} value={ticks}>
              {stepText(ticks)}
            </option>
          ))}
        </select>
      </div>
      {view === null || view.symbol !== pair.symbol ? (
        <Loading text="Reading the book" />
      ) : view.bids.length + view.asks.length === 0 ? (
        <Empty text="Nobody offers anything." />
      ) : (
        <table class="book-table">
          <thead>
            <tr>
              <th scope="col">Price ({pair.quoteAsset})</th>
              <th scope="col">Quantity ({pair.baseAsset})</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          <BookSide pair={pair} side="asks" levels={view.asks} step={step} count={count} />
          <Middle pair={pair} bid={view.bids[0] ?? Number.NaN} ask={view.asks[0] ?? Number.NaN} />
          <BookSide pair={pair} side="bids" levels={view.bids} step={step} count={count} />
        </table>
      )}
    </section>
  );
}
