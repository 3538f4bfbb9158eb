import { type CandleSeries, minuteMs, returnsOf } from './minute-bars.ts';
import { booksSeenFrom } from './market-figures.ts';
import type { MarketRecord, TapeSpan } from './market-tape.ts';
import { largest, smallest } from './statistics.ts';

/*
 * A picture of a day of one market: candles, volume, returns and spread, one above the other, as SVG. Everything of one
 * colour is one path, so that a day takes some tens of kilobytes.
 */

const candleMinutes = 5;
const candleMs = candleMinutes * minuteMs;
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
const ways = ['up', 'down'] as const;
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

/** Where the candles stand, how wide they are, and which of them rose. */
interface Columns {
  readonly xOf: (at: number) => number;
  readonly body: number;
  readonly isUp: (at: number) => boolean;
}

function candlesOf({ opens, highs, lows, closes }: CandleSeries, panel: Panel, { xOf, body, isUp }: Columns): string {
  const shapes = { up: { wicks: '', bodies: '' }, down: { wicks: '', bodies: '' } };
  for (const [at, open] of opens.entries()) {
    const shape = shapes[isUp(at) ? 'up' : 'down'];
    const x = round(xOf(at));
    const [top, bottom] = [open, closes[at]!].map((price) => yOf(panel, price)).toSorted((a, b) => a - b);
    shape.wicks += `M${x} ${round(yOf(panel, highs[at]!))}V${round(yOf(panel, lows[at]!))}`;
    // a candle that ends where it began stays visible
    shape.bodies += `M${x} ${round(top!)}V${round(Math.max(bottom!, top! + 0.6))}`;
  }
  return ways
    .map(
      (way) => path(shapes[way].wicks, colours[way]) + path(shapes[way].bodies, colours[way], `stroke-width="${body}"`),
    )
    .join('');
}

/** A column from zero to each value. */
function columnsOf(values: readonly number[], panel: Panel, { xOf, body, isUp }: Columns): string {
  const shapes = { up: '', down: '' };
  values.forEach((value, at) => {
    shapes[isUp(at) ? 'up' : 'down'] += `M${round(xOf(at))} ${round(yOf(panel, 0))}V${round(yOf(panel, value))}`;
  });
  return ways.map((way) => path(shapes[way], colours[way], `stroke-width="${body}"`)).join('');
}

/** Spread by minutes, in basis points; a gap where the book had no two sides. */
/** `NaN` where nobody could see the book. */
function spreadsByMinute({ bids, asks }: MarketRecord, span: TapeSpan, from: number, until: number): number[] {
  const seenFrom = booksSeenFrom(span);
  return Array.from({ length: (until - from) / minuteMs }, (_, minute) => {
    const time = from + minute * minuteMs;
    const [bid, ask] = [bids, asks].map((prices) => prices[(time - span.from) / minuteMs]!);
    return time < seenFrom ? Number.NaN : ((ask! - bid!) / ((ask! + bid!) / 2)) * bps;
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

/** What is drawn: candles with prices and volumes in whole units, and what follows from them. */
interface Day {
  readonly from: number;
  readonly until: number;
  readonly candles: CandleSeries;
  /** In basis points; the first candle has none. */
  readonly returns: readonly number[];
  /** By minutes, in basis points. */
  readonly spreads: readonly number[];
}

/** The day around `seam` as far as there was live trading for half of it, or the last day of the tape. */
function dayAround(record: MarketRecord, span: TapeSpan, seam: number): Day {
  const until = Math.min(span.until, seam + dayMs / 2);
  const from = Math.max(span.from, until - dayMs);
  const folded = record.minuteBars.fold(candleMinutes, from, until);
  const { ticksPerUnit, quantaPerUnit } = record.market;
  const inUnits = (ticks: readonly number[]): number[] => ticks.map((price) => price / ticksPerUnit);
  return {
    from,
    until,
    candles: {
      ...folded,
      opens: inUnits(folded.opens),
      highs: inUnits(folded.highs),
      lows: inUnits(folded.lows),
      closes: inUnits(folded.closes),
      volumes: folded.volumes.map((volume) => volume / quantaPerUnit),
    },
    returns: [0, ...returnsOf(folded).map((move) => move * bps)],
    spreads: spreadsByMinute(record, span, from, until),
  };
}

function panelsOf({ candles, returns, spreads }: Day, quote: string) {
  const heights = [300, 120, 120, 120];
  const panelAt = (at: number, title: string, low: number, high: number, digits: number): Panel => {
    const top = headHeight + heights.slice(0, at).reduce((sum, height) => sum + height + gap, 0);
    return { title, top, height: heights[at]!, low, high, digits };
  };
  const mostVolume = largest(candles.volumes);
  const mostMove = largest(returns.map(Math.abs));
  const widest = largest(spreads.filter((spread) => !Number.isNaN(spread)));
  const digits = Math.min(8, Math.max(0, 5 - Math.ceil(Math.log10(candles.closes[0] ?? 1))));
  return {
    prices: panelAt(0, `price, ${quote}`, smallest(candles.lows), largest(candles.highs), digits),
    volumes: panelAt(1, `volume of 5 minutes, ${quote}`, 0, mostVolume, mostVolume < 100 ? 2 : 0),
    returns: panelAt(2, 'return of 5 minutes, bp', -mostMove, mostMove, 0),
    spreads: panelAt(3, 'spread at the end of each minute, bp', 0, widest, 1),
  };
}

/** A dashed line where live trading began, unless all is history. */
function seamMark(x: number, bottom: number): string {
  if (x >= width - right) return '';
  const line = path(`M${round(x)} ${headHeight}V${bottom}`, colours.seam, 'stroke-dasharray="5 4"');
  return line + text(x + 5, headHeight + 12, 'live', `class="scale" fill="${colours.seam}"`);
}

/**
 * The day around `seam`, where live trading began: half of it before, as far as there was live trading for the other
 * half; the last day of the tape without any. Answers the text of an SVG file.
 */
export function drawDay(record: MarketRecord, span: TapeSpan, seam: number): string {
  const day = dayAround(record, span, seam);
  const { from, until, candles } = day;
  const panels = panelsOf(day, record.market.quote);
  const bottom = panels.spreads.top + panels.spreads.height;
  const xOfTime = (time: number): number => left + (plotWidth * (time - from)) / (until - from);
  const columns: Columns = {
    xOf: (at) => xOfTime(candles.times[at]! + candleMs / 2),
    body: Math.round(((plotWidth * candleMs) / (until - from)) * 7) / 10,
    isUp: (at) => candles.closes[at]! >= candles.opens[at]!,
  };
  const [first, last] = [from, until].map((time) => new Date(time).toISOString().slice(0, 16).replace('T', ' '));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + footHeight}" font-family="sans-serif">`,
    '<style>.scale{font-size:11px;fill:#777}.title{font-size:12px;fill:#333}.head{font-size:16px;fill:#111}</style>',
    `<rect width="${width}" height="${bottom + footHeight}" fill="#fff"/>`,
    text(left, 22, `${record.market.name}, ${first} to ${last} UTC, candles of 5 minutes`, 'class="head"'),
    hoursOf(from, until, bottom),
    ...Object.values(panels).map(frameOf),
    candlesOf(candles, panels.prices, columns),
    columnsOf(candles.volumes, panels.volumes, columns),
    columnsOf(day.returns, panels.returns, columns),
    stepsOf(day.spreads, panels.spreads),
    seamMark(xOfTime(seam), bottom),
    '</svg>',
    '',
  ].join('\n');
}
