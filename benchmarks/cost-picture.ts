import { digits } from './line-texts.ts';

/** A measured cost at a size. */
export interface CostPoint {
  readonly at: number;
  readonly cost: number;
}

/** Costs against size, of one or several. */
export interface CostPicture {
  readonly title: string;
  /** What the sizes count. */
  readonly across: string;
  readonly unit: string;
  /** Each with the same sizes, ascending and above zero. */
  readonly series: readonly { readonly name: string; readonly points: readonly CostPoint[] }[];
}

const width = 720;
const height = 380;
const plot = { left: 80, right: 690, top: 60, bottom: 310 } as const;
const colours = ['#1f5fa8', '#b5521b', '#4d7a2a'] as const;

/** Steps of an axis from zero to at least `most`, at most six. */
function stepsTo(most: number): number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;

/** An SVG image of the picture: sizes on a logarithmic axis, costs from zero on. */
export function costPictureSvg({ title, across, unit, series }: CostPicture): string {
  const sizes = (series[0]?.points ?? []).map(({ at }) => at);
  const [least, greatest] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)];
  const steps = stepsTo(Math.max(...series.flatMap(({ points }) => points.map(({ cost }) => cost))));
  const most = steps.at(-1)!;
  const xOf = (at: number): number =>
    plot.left + ((Math.log10(at) - least) / (greatest - least)) * (plot.right - plot.left);
  const yOf = (cost: number): number => plot.bottom - (cost / most) * (plot.bottom - plot.top);
  const rows = steps.map(
    (step) =>
      `<path d="M${plot.left} ${yOf(step).toFixed(1)}H${plot.right}" stroke="#d0d0d0"/>` +
      text(plot.left - 8, yOf(step) + 4, digits(step), 'text-anchor="end"'),
  );
  const columns = sizes.map((at) => text(xOf(at), plot.bottom + 20, at.toLocaleString('en'), 'text-anchor="middle"'));
  const lines = series.map(({ name, points }, index) => {
    const colour = colours[index % colours.length]!;
    const places = points.map(({ at, cost }) => `${xOf(at).toFixed(1)},${yOf(cost).toFixed(1)}`);
    const dots = points.map(({ at, cost }) => {
      const label = text(xOf(at), yOf(cost) - 10, digits(cost), `text-anchor="middle" fill="${colour}"`);
      return `<circle cx="${xOf(at).toFixed(1)}" cy="${yOf(cost).toFixed(1)}" r="4" fill="${colour}"/>${label}`;
    });
    const legend = text(plot.left + index * 200, height - 12, `● ${name}`, `fill="${colour}"`);
    const line = `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    return `${line}${dots.join('')}${legend}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(plot.left, 28, `${title}, ${unit}`, 'font-size="16"'),
    ...rows,
    ...columns,
    text((plot.left + plot.right) / 2, plot.bottom + 42, across, 'text-anchor="middle"'),
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
