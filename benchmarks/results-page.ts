import { costPictureSvg } from './cost-picture.ts';
import type { BenchLine } from './harness.ts';
import { budgetText, digits, spreadText, verdictOf } from './line-texts.ts';

/** What is measured for the page where nothing else is asked for: some minutes, if quick, on two cores. */
export const resultLines: readonly string[] = [
  'engine/pipeline',
  'engine/wide',
  'engine/cost',
  'journal/durable',
  'http/',
  'stream/push-cpu',
  'history/order-cpu',
  'futures/reads-cpu',
  'cluster/order-cpu',
];

/** Costs whose growth with a size is drawn. `peer` names what the lines are held against, if that is drawn too. */
const curves = [
  {
    file: 'engine-cost.svg',
    title: 'An operation of the engine',
    across: 'orders that rest in the book',
    unit: 'ns',
    name: 'engine',
    peer: null,
    points: [100, 1000, 10_000, 100_000, 1_000_000].map((at) => ({ at, line: `engine/cost-at-${at}` })),
  },
  {
    file: 'order-cpu.svg',
    title: 'Processor time of an order over HTTP',
    across: 'connections',
    unit: 'µs',
    name: 'exchange',
    peer: 'bare server',
    points: [
      { at: 8, line: 'http/order-cpu-8' },
      { at: 64, line: 'http/order-cpu' },
      { at: 512, line: 'http/order-cpu-512' },
    ],
  },
  {
    file: 'order-latency.svg',
    title: '99th percentile of an order at half of the greatest rate',
    across: 'connections',
    unit: 'ms',
    name: 'exchange',
    peer: 'bare server',
    points: [
      { at: 8, line: 'http/order-latency-8' },
      { at: 64, line: 'http/order-latency' },
      { at: 512, line: 'http/order-latency-512' },
    ],
  },
] as const;

/** A run of the benchmarks. */
export interface BenchRun {
  /** Year, month and day. */
  readonly date: string;
  readonly machine: string;
  /** What was asked for, as on the command line. */
  readonly command: string;
  readonly samples: number;
  readonly lines: readonly BenchLine[];
}

/** The page and the pictures that it shows, by their paths from the folder of the page. */
export function resultFiles(run: BenchRun): ReadonlyMap<string, string> {
  const pictures = curves.flatMap((curve) => {
    const svg = pictureOf(curve, run.lines);
    return svg === null ? [] : [{ title: curve.title, path: `results/${curve.file}`, svg }];
  });
  const shown = pictures.map(({ title, path }) => `![${title}](${path})\n`);
  const page = [
    '# Results of the benchmarks\n',
    `- Machine: ${run.machine}`,
    `- Day: ${run.date}`,
    `- Command: \`${run.command}\``,
    `- Samples: ${run.samples}; a figure is their median`,
    '\nA ratio holds a figure against what its note names, measured in turn with it in the same run. What *must* be',
    'kept and what is the *aim* are bounds of the ratio.\n',
    ...(shown.length === 0 ? [] : ['## Cost against size\n', ...shown]),
    '## Figures\n',
    '| line | median | lowest – highest | held against | ratio | must | aim | kept |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...run.lines.map(rowOf),
    '\n## What the lines measure\n',
    ...run.lines.map(({ name, note }) => `- \`${name}\`: ${note}`),
    '',
  ].join('\n');
  return new Map([['RESULTS.md', page], ...pictures.map(({ path, svg }) => [path, svg] as const)]);
}

function rowOf(line: BenchLine): string {
  const { name, value, unit, baseline, ratio, must, aim } = line;
  const held = baseline === null ? '' : `${digits(baseline)} ${unit}`;
  const figures = [`${digits(value)} ${unit}`, spreadText(line), held, digits(ratio)];
  const budgets = [budgetText(must), budgetText(aim), verdictOf(line)];
  return `| ${[`\`${name}\``, ...figures, ...budgets].join(' | ')} |`;
}

/** The curve as an image; `null` unless all of its lines were measured. */
function pictureOf(curve: (typeof curves)[number], lines: readonly BenchLine[]): string | null {
  const measured = curve.points.flatMap(({ at, line }) => {
    const found = lines.find(({ name }) => name === line);
    return found === undefined ? [] : [{ at, cost: found.value, peer: found.baseline ?? Number.NaN }];
  });
  if (measured.length < curve.points.length) return null;
  const series = [{ name: curve.name as string, points: measured.map(({ at, cost }) => ({ at, cost })) }];
  if (curve.peer !== null)
    series.push({ name: curve.peer, points: measured.map(({ at, peer }) => ({ at, cost: peer })) });
  return costPictureSvg({ ...curve, series });
}
