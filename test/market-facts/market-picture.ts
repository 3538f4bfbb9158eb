import { type Bars, minuteMs } from './bars.ts';
import type { MarketRecord, TapeSpan } from './market-tape.ts';
import { largest, smallest } from './statistics.ts';

/*
 * A picture of a day of one market: candles, volume, returns and spread, one above the other, as SVG. Everything of one
 * colour is one path, so that a day takes some tens of kilobytes.
 */

const barMinutes = 5;
const barMs = barMinutes * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const hourMs = 60 * minuteMs;
const bps = 10_000;

const width = 1_200;
const left = 76;
const right = 16;
const plotWidth = width - left - right;
const headHeight = 46;
const footHeight = 30;
const gap = 26;
const colours = { up: '#1a8f5a', down: '#c8402f', line: '#3465a4', axis: '#777', grid: '#e4e4e4', seam: '#b07a00' };

/** A strip of the picture and the values at its lower and upper edge. */
interface Panel {
  readonly title: string;
  readonly top: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
  readonly digits: number;
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

const yOf = ({ top, height, low, high }: Panel, value: number): number =>
  top + height * (1 - (Math.max(low, Math.min(high, value)) - low) / (high - low || 1));

const text = (x: number, y: number, words: string, extra = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" ${extra}>${words}</text>`;

const path = (d: string, colour: string, extra = ''): string =>
  d === '' ? '' : `<path d="${d}" stroke="${colour}" fill="none" ${extra}/>`;

/** Frame, title and three values of the scale. */
function frameOf(panel: Panel): string {
  const marks = [panel.low, (panel.low + panel.high) / 2, panel.high].map((value) => {
    const y = yOf(panel, value);
    const line = path(`M${left} ${round(y)}H${width - right}`, colours.grid);
    return line + text(left - 6, y + 4, value.toFixed(panel.digits), 'text-anchor="end" class="scale"');
  });
  return marks.join('') + text(left, panel.top - 6, panel.title, 'class="title"');
}

function candlesOf(
  { opens, highs, lows, closes }: Bars,
  panel: Panel,
  xOf: (at: number) => number,
  body: number,
): string {
  const shapes = { up: { wicks: '', bodies: '' }, down: { wicks: '', bodies: '' } };
  for (const [at, open] of opens.entries()) {
    const close = closes[at]!;
    const shape = close >= open ? shapes.up : shapes.down;
    const x = round(xOf(at));
    shape.wicks += `M${x} ${round(yOf(panel, highs[at]!))}V${round(yOf(panel, lows[at]!))}`;
    // a candle that ends where it began stays visible
    const end =
      Math.max(Math.abs(yOf(panel, open) - yOf(panel, close)), 0.6) + Math.min(yOf(panel, open), yOf(panel, close));
    shape.bodies += `M${x} ${round(Math.min(yOf(panel, open), yOf(panel, close)))}V${round(end)}`;
  }
  return (['up', 'down'] as const)
    .map(
      (way) => path(shapes[way].wicks, colours[way]) + path(shapes[way].bodies, colours[way], `stroke-width="${body}"`),
    )
    .join('');
}

/** A bar from zero to each value, coloured by the candle's way. */
function columnsOf(
  values: readonly number[],
  ups: readonly boolean[],
  panel: Panel,
  xOf: (at: number) => number,
  body: number,
): string {
  const shapes = { up: '', down: '' };
  values.forEach((value, at) => {
    shapes[ups[at]! ? 'up' : 'down'] += `M${round(xOf(at))} ${round(yOf(panel, 0))}V${round(yOf(panel, value))}`;
  });
  return (['up', 'down'] as const).map((way) => path(shapes[way], colours[way], `stroke-width="${body}"`)).join('');
}

/** Spread by minutes, in basis points; a gap where the book had no two sides. */
function spreadsByMinute({ bids, asks }: MarketRecord, first: number, count: number): number[] {
  return Array.from({ length: count }, (_, minute) => {
    const [bid, ask] = [bids[first + minute]!, asks[first + minute]!];
    return ((ask - bid) / ((ask + bid) / 2)) * bps;
  });
}

function stepsOf(values: readonly number[], panel: Panel): string {
  let d = '';
  let isDrawing = false;
  values.forEach((value, at) => {
    if (!Number.isNaN(value))
      d += `${isDrawing ? 'L' : 'M'}${round(left + (plotWidth * at) / values.length)} ${round(yOf(panel, value))}`;
    isDrawing = !Number.isNaN(value);
  });
  return path(d, colours.line);
}

function hoursOf(from: number, until: number, bottom: number): string {
  const marks: string[] = [];
  for (let time = Math.ceil(from / (2 * hourMs)) * 2 * hourMs; time <= until; time += 2 * hourMs) {
    const x = left + (plotWidth * (time - from)) / (until - from);
    marks.push(path(`M${round(x)} ${headHeight}V${bottom}`, colours.grid));
    marks.push(text(x, bottom + 16, new Date(time).toISOString().slice(11, 16), 'text-anchor="middle" class="scale"'));
  }
  return marks.join('');
}

/**
 * The day around the begin of live trading: half of it before, as far as there was live trading for the other half;
 * otherwise the last day of the tape.
 */
export function drawDay(record: MarketRecord, span: TapeSpan, seam: number): string {
  const until = Math.min(span.until, seam + dayMs / 2);
  const from = Math.max(span.from, until - dayMs);
  const bars = record.bars.fold(barMinutes, from, until);
  const unit = record.market.ticksPerUnit;
  const inUnits = (ticks: readonly number[]): number[] => ticks.map((price) => price / unit);
  const prices: Bars = {
    ...bars,
    opens: inUnits(bars.opens),
    highs: inUnits(bars.highs),
    lows: inUnits(bars.lows),
    closes: inUnits(bars.closes),
  };
  const returns = prices.closes.map((close, at) => (at === 0 ? 0 : Math.log(close / prices.closes[at - 1]!) * bps));
  const volumes = bars.volumes.map((volume) => volume / largest(bars.volumes));
  const spreads = spreadsByMinute(record, (from - span.from) / minuteMs, (until - from) / minuteMs);
  const widest = largest(spreads.filter((spread) => !Number.isNaN(spread)));
  const most = largest(returns.map(Math.abs));
  const digits = Math.min(8, Math.max(0, 5 - Math.ceil(Math.log10(prices.closes[0] ?? 1))));
  const heights = [300, 120, 120, 120];
  const tops = heights.map((_, at) => headHeight + heights.slice(0, at).reduce((sum, height) => sum + height + gap, 0));
  const panelOf = (at: number, title: string, low: number, high: number, shown: number): Panel => ({
    title,
    top: tops[at]!,
    height: heights[at]!,
    low,
    high,
    digits: shown,
  });
  const panels = [
    panelOf(0, `price, ${record.market.quote}`, smallest(prices.lows), largest(prices.highs), digits),
    panelOf(1, 'volume of 5 minutes, of the largest', 0, 1, 1),
    panelOf(2, 'return of 5 minutes, bp', -most, most, 0),
    panelOf(3, 'spread at the end of each minute, bp', 0, widest, 1),
  ] as const;
  const bottom = tops[3]! + heights[3]!;
  const xOf = (at: number): number => left + (plotWidth * (bars.times[at]! + barMs / 2 - from)) / (until - from);
  const body = Math.round(((plotWidth * barMs) / (until - from)) * 7) / 10;
  const ups = prices.closes.map((close, at) => close >= prices.opens[at]!);
  const seamX = left + (plotWidth * (seam - from)) / (until - from);
  const seamMark =
    seam < until
      ? path(`M${round(seamX)} ${headHeight}V${bottom}`, colours.seam, 'stroke-dasharray="5 4"') +
        text(seamX + 5, bottom - 6, 'live', `class="scale" fill="${colours.seam}"`)
      : '';
  const days = [from, until].map((time) => new Date(time).toISOString().slice(0, 16).replace('T', ' '));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + footHeight}" font-family="sans-serif">`,
    '<style>.scale{font-size:11px;fill:#777}.title{font-size:12px;fill:#333}.head{font-size:16px;fill:#111}</style>',
    `<rect width="${width}" height="${bottom + footHeight}" fill="#fff"/>`,
    text(left, 22, `${record.market.name}, ${days[0]} to ${days[1]} UTC, bars of 5 minutes`, 'class="head"'),
    hoursOf(from, until, bottom),
    ...panels.map(frameOf),
    candlesOf(prices, panels[0], xOf, body),
    columnsOf(volumes, ups, panels[1], xOf, body),
    columnsOf(returns, ups, panels[2], xOf, body),
    stepsOf(spreads, panels[3]),
    seamMark,
    '</svg>',
    '',
  ].join('\n');
}
