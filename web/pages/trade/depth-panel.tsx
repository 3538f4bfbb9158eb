import type { Pair } from '#web/data/markets.ts';
import { openBookView } from '#web/data/streams/streams.ts';
import { compact, grouped } from '#web/design/number-text.ts';
import { Empty, Loading } from '#web/design/states.tsx';
import { depthCurve } from '#web/pages/trade/book-rows.ts';

const width = 1000;
const height = 400;
/** The picture shows so much of the price to each side. */
const share = 0.02;

type Curve = ReturnType<typeof depthCurve>;

/** A stair from the middle outwards, closed along the bottom. */
function stairs(curve: Curve, x: (price: number) => number, y: (sum: number) => number, edge: number): string {
  const [first] = curve;
  if (first === undefined) return '';
  const points = curve.map(({ price, sum }, index) => {
    const before = curve[index - 1]?.sum ?? 0;
    return `L${x(price)} ${y(before)}L${x(price)} ${y(sum)}`;
  });
  const last = curve.at(-1)?.sum ?? 0;
  return `M${x(first.price)} ${height}${points.join('')}L${edge} ${y(last)}L${edge} ${height}Z`;
}

/** What rests up to each price, around the middle. */
export function DepthPanel({ pair }: { readonly pair: Pair }) {
  const view = openBookView.value;
  if (view === null || view.symbol !== pair.symbol) return <Loading text="Reading the book" />;
  const [bid, ask] = [view.bids[0], view.asks[0]];
  const middle = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : (bid ?? ask);
  if (middle === undefined) return <Empty text="Nobody offers anything." />;
  const [low, high] = [middle * (1 - share), middle * (1 + share)];
  const bids = depthCurve(view.bids, low);
  const asks = depthCurve(view.asks, high);
  const most = Math.max(bids.at(-1)?.sum ?? 0, asks.at(-1)?.sum ?? 0, 1);
  const x = (price: number): number => Math.round(((price - low) / (high - low)) * width);
  const y = (sum: number): number => Math.round(height - (sum / most) * (height - 10));
  const priceText = (tick: number): string =>
    grouped((Math.round(tick) / 10 ** pair.quotePrecision).toFixed(pair.quotePrecision));
  const lotsText = (sum: number): string => `${compact(sum / 10 ** pair.baseAssetPrecision)} ${pair.baseAsset}`;
  return (
    <figure class="depth-chart">
      <figcaption>
        <span class="up">Bids {lotsText(bids.at(-1)?.sum ?? 0)}</span>
        <span class="down">Asks {lotsText(asks.at(-1)?.sum ?? 0)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="depth-bids" d={stairs(bids, x, y, 0)} />
        <path class="depth-asks" d={stairs(asks, x, y, width)} />
      </svg>
      <div class="depth-prices">
        <span>{priceText(low)}</span>
        <span>{priceText(middle)}</span>
        <span>{priceText(high)}</span>
      </div>
    </figure>
  );
}
