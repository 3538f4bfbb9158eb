import {
  type Fact,
  facts,
  type MarketReport,
  seamNames,
  seamRatio,
  seamVerdict,
  spreadRange,
  type Verdict,
  verdictOf,
} from './facts.ts';
import type { SeamFigure } from './market-comparisons.ts';
import { largest, quantile, smallest } from './statistics.ts';

/** A table: a heading for each column and a row of cells for each line. */
export interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = '–';
const missedMark = ' ✗';

const shown = (value: number, digits: number): string => (Number.isNaN(value) ? none : value.toFixed(digits));
const marked = (text: string, verdict: Verdict): string => (verdict === 'missed' ? text + missedMark : text);

function targetOf({ atLeast, atMost }: Fact): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`;
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  return atMost === undefined ? none : `≤ ${atMost}`;
}

/** How many of the markets that something is asked of meet it; `–` if it is asked of none. */
function metOf(verdicts: readonly Verdict[]): string {
  const asked = verdicts.filter((verdict) => verdict !== 'none');
  const met = asked.filter((verdict) => verdict === 'met').length;
  return asked.length === 0 ? none : `${met} of ${asked.length}${met < asked.length ? missedMark : ''}`;
}

/** A line for each fact: its target, how many markets meet it, and the range of its figure. */
export function summaryOf(reports: readonly MarketReport[]): Table {
  const rows = facts.map((fact) => {
    const concerned = fact.concerns === undefined ? reports : reports.filter(({ market }) => fact.concerns!(market));
    const values = concerned.map((report) => report[fact.figure]).filter((value) => !Number.isNaN(value));
    const range = [smallest(values), quantile(values, 0.5), largest(values)];
    return [
      fact.name,
      targetOf(fact),
      metOf(reports.map((report) => verdictOf(fact, report))),
      ...(values.length === 0 ? [none, none, none] : range.map((value) => shown(value, fact.digits))),
    ];
  });
  const range = spreadRange(reports);
  const met = range >= 2 ? 'yes' : `no${missedMark}`;
  const spreads = ['median spreads of pairs: largest / smallest', '≥ 2', met, none, shown(range, 1), none];
  return { heading: ['fact', 'target', 'met by', 'lowest', 'median', 'highest'], rows: [...rows, spreads] };
}

/** A line for each fact and a column for each of these markets. */
export function marketTable(reports: readonly MarketReport[]): Table {
  const rows = facts.map((fact) => [
    fact.name,
    targetOf(fact),
    ...reports.map((report) => marked(shown(report[fact.figure], fact.digits), verdictOf(fact, report))),
  ]);
  return { heading: ['fact', 'target', ...reports.map(({ market }) => market.name)], rows };
}

/** A line for each market: figures of live trading over those of the same hours of the day before. */
export function seamTable(reports: readonly MarketReport[]): Table {
  const figures = Object.keys(seamNames) as SeamFigure[];
  const rows = reports.flatMap(({ market, seam }) =>
    seam === null
      ? []
      : [[market.name, ...figures.map((each) => marked(shown(seamRatio(seam, each), 2), seamVerdict(seam, each)))]],
  );
  return { heading: ['after / before', ...figures.map((figure) => seamNames[figure])], rows };
}

/** With columns in line, for a terminal. */
export function plainTable({ heading, rows }: Table): string {
  const widths = heading.map((_, column) => largest([heading, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  return [heading, ...rows].map(line).join('\n');
}

/** As Markdown. */
export function markdownTable({ heading, rows }: Table): string {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  return [heading, heading.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map(line).join('\n');
}
