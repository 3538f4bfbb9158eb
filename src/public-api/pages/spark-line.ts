/** A price of a chart. */
export interface ChartPoint {
  /** Where in the chart's time: 0 at its start, 1 at its end. */
  readonly at: number;
  readonly price: number;
}

/** Units of the picture, two to a pixel of the page: whole numbers are exact enough and short. */
const width = 240;
const height = 64;
/** Above the highest and below the lowest price, so that the line is not cut. */
const margin = 4;

/**
 * Prices over time as an inline SVG in the colour of its text; the lowest price is at the bottom and the highest at the
 * top. Points ascend in time. Nothing without points.
 */
export function sparkLine(points: readonly ChartPoint[]): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const low = points.reduce((least, { price }) => Math.min(least, price), first.price);
  const high = points.reduce((most, { price }) => Math.max(most, price), first.price);
  const x = (at: number): number => Math.round(at * width);
  const y = (price: number): number =>
    high === low ? height / 2 : Math.round(margin + ((high - price) / (high - low)) * (height - 2 * margin));
  const line = points.map(({ at, price }) => `${x(at)} ${y(price)}`).join('L');
  return (
    `<svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">` +
    `<path class="area" d="M${line}L${x(last.at)} ${height}L${x(first.at)} ${height}Z"/>` +
    `<path class="line" d="M${line}"/></svg>`
  );
}
