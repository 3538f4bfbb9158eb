import '#web/design/spark.css';

const width = 120;
const height = 32;
const margin = 2;

/** The path of a line through values, the lowest at the bottom; empty below two values. */
export function sparkPath(values: readonly number[]): string {
  if (values.length < 2) return '';
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (index: number): number => Math.round((index / (values.length - 1)) * width * 10) / 10;
  const y = (value: number): number =>
    high === low
      ? height / 2
      : Math.round((margin + ((high - value) / (high - low)) * (height - 2 * margin)) * 10) / 10;
  return `M${values.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`;
}

/** A small line of a price, in the colour of the way that it went. */
export function SparkLine({ values, style }: { readonly values: readonly number[]; readonly style: string }) {
  const path = sparkPath(values);
  if (path === '') return null;
  return (
    <svg class={`spark ${style}`} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="spark-area" d={`${path}L${width} ${height}L0 ${height}Z`} />
      <path class="spark-line" d={path} />
    </svg>
  );
}
