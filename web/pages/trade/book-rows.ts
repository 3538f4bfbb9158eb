/** A line of a book: all that rests within a step of prices. */
export interface BookRow {
  /** In ticks. */
  readonly price: number;
  /** In lots: within the step, and up to it. */
  readonly lots: number;
  readonly sum: number;
}

/** Steps that a book is grouped by, in ticks. */
export const steps = [1, 10, 100, 1000] as const;

/** Lines of one side, best first: bids are rounded down to the step, asks up. `levels`: price and lots in turn. */
export function bookRows(side: 'bids' | 'asks', levels: Float64Array, step: number, count: number): readonly BookRow[] {
  const rows: { price: number; lots: number; sum: number }[] = [];
  let sum = 0;
  for (let at = 0; at + 1 < levels.length; at += 2) {
    const tick = levels[at] as number;
    const lots = levels[at + 1] as number;
    const price = (side === 'bids' ? Math.floor(tick / step) : Math.ceil(tick / step)) * step;
    sum += lots;
    const last = rows.at(-1);
    if (last?.price === price) {
      last.lots += lots;
      last.sum = sum;
    } else if (rows.length === count) break;
    else rows.push({ price, lots, sum });
  }
  return rows;
}

/** What rests up to each price around the middle, for a picture; each side from the middle outwards. */
export function depthCurve(
  levels: Float64Array,
  farthest: number,
): readonly { readonly price: number; readonly sum: number }[] {
  const points: { price: number; sum: number }[] = [];
  let sum = 0;
  for (let at = 0; at + 1 < levels.length; at += 2) {
    const price = levels[at] as number;
    const isBeyond = farthest < (levels[0] as number) ? price < farthest : price > farthest;
    if (isBeyond) break;
    sum += levels[at + 1] as number;
    points.push({ price, sum });
  }
  return points;
}
