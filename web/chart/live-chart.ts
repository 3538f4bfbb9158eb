import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { grouped } from '#web/design/number-text.ts';
import type { Bar, CandleSource, Interval } from '#web/data/candles.ts';
import { colourOf } from '#web/chart/colours.ts';
import { letLinesBeDragged } from '#web/chart/line-drag.ts';
import { mergedBars } from '#web/chart/merge-bars.ts';
import { axisText, momentText } from '#web/chart/time-texts.ts';

/** A line at a price, such as that of an open order. */
export interface ChartLine {
  readonly id: string;
  readonly price: number;
  readonly text: string;
  readonly isBuy: boolean;
}

/** What a chart is doing. */
export type ChartState = 'loading' | 'empty' | 'failed' | 'shown';

/** What a chart tells of itself. */
export interface ChartEvents {
  readonly onState: (state: ChartState) => void;
  /** Candles were read: how many it has, and when the first of them opened, in seconds. */
  readonly onSpan: (count: number, first: number) => void;
}

/** Ways to move about in time, and closer to it. */
export type ChartStep = 'older' | 'newer' | 'newest' | 'closer' | 'wider';

/** Bars that are kept; further back there are no more. */
const barsMax = 50_000;
/** So many bars from the left edge the older ones are read. */
const edgeBars = 60;
/** Room beside the newest bar, in bars. */
const marginBars = 6;
/** A step goes by this share of what is in sight, and the distance of bars changes by this factor. */
const stepShare = 0.7;
const spacingFactor = 1.5;

/** A chart of candles on an element, fed from a source: the part that draws without the framework. */
export class LiveChart {
  private readonly chart: IChartApi;
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly volumes: ISeriesApi<'Histogram'>;
  private readonly place: HTMLElement;
  private bars: readonly Bar[] = [];
  private following: (() => void) | null = null;
  private source: CandleSource | null = null;
  private interval: Interval = '15m';
  private isReadingBack = false;
  private isAtBeginning = false;
  private events: ChartEvents | null = null;
  private lines: readonly { readonly line: ChartLine; readonly shown: IPriceLine }[] = [];
  private onMove: ((id: string, price: number) => void) | null = null;
  private volumeColours = { up: '', down: '' };
  private readonly endDrags: () => void;

  constructor(place: HTMLElement) {
    this.place = place;
    this.chart = createChart(place, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11 },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: marginBars, tickMarkFormatter: axisText },
      localization: { timeFormatter: (time: unknown) => momentText(Number(time)) },
      crosshair: { mode: 0 },
      rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.24 } },
    });
    this.candles = this.chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < edgeBars) void this.readBack();
    });
    this.endDrags = letLinesBeDragged(place, {
      lines: () =>
        this.lines.map(({ line, shown }) => ({
          price: line.price,
          showAt: (price) => shown.applyOptions({ price }),
          drop: (price) => this.onMove?.(line.id, price),
        })),
      priceAt: (y) => this.candles.coordinateToPrice(y),
      yOf: (price) => (this.onMove === null ? null : this.candles.priceToCoordinate(price)),
      follow: (isOn) => this.chart.applyOptions({ handleScroll: isOn, handleScale: isOn }),
    });
  }

  /** Colours of the theme, and decimals of the prices. */
  paint(_isDark: boolean, decimals: number): void {
    const of = (name: string): string => colourOf(this.place, name);
    const [line, soft, up, down] = [of('--line'), of('--soft'), of('--up'), of('--down')];
    this.chart.applyOptions({
      layout: { background: { color: of('--card') }, textColor: soft },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
      localization: { priceFormatter: (price: number) => grouped(price.toFixed(decimals)) },
    });
    this.candles.applyOptions({
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
    });
    this.volumeColours = { up: of('--up-soft'), down: of('--down-soft') };
    this.setAll();
  }

  /** Shows another market or another length of candles. */
  show(source: CandleSource, interval: Interval, events: ChartEvents): void {
    const { onState } = events;
    this.stop();
    this.events = events;
    this.source = source;
    this.interval = interval;
    this.bars = [];
    this.isAtBeginning = false;
    // Nothing is older than what is not read yet.
    this.isReadingBack = true;
    this.setAll();
    const isShown = (): boolean => this.source === source && this.interval === interval;
    let wasReady = false;
    this.following = source.follow(
      interval,
      (bar) => {
        if (!isShown()) return;
        this.put(bar);
        onState('shown');
      },
      () => {
        // What was missed while the connection was lost is read.
        if (wasReady && isShown()) void this.catchUp();
        wasReady = true;
      },
    );
    source.read(interval, null).then(
      (bars) => {
        if (!isShown()) return;
        this.merge(bars);
        onState(this.bars.length === 0 ? 'empty' : 'shown');
        this.chart.timeScale().applyOptions({ barSpacing: 8 });
        // At once: a chart on its way there would take its older bars for what is looked at, and read them.
        this.chart.timeScale().scrollToPosition(marginBars, false);
        this.isReadingBack = false;
      },
      () => {
        if (!isShown()) return;
        this.isReadingBack = false;
        onState(this.bars.length === 0 ? 'failed' : 'shown');
      },
    );
  }

  /** Hears nothing more. */
  stop(): void {
    this.following?.();
    this.following = null;
    this.source = null;
  }

  /** Reads the newest candles once more. */
  private async catchUp(): Promise<void> {
    const { source, interval } = this;
    const bars = await source?.read(interval, null).catch(() => null);
    if (bars !== null && bars !== undefined && this.source === source && this.interval === interval) this.merge(bars);
  }

  /** Draws lines; `onMove` hears where one was dragged to. */
  draw(lines: readonly ChartLine[], onMove: ((id: string, price: number) => void) | null): void {
    for (const { shown } of this.lines) this.candles.removePriceLine(shown);
    this.onMove = onMove;
    this.lines = lines.map((line) => ({
      line,
      shown: this.candles.createPriceLine({
        price: line.price,
        color: colourOf(this.place, line.isBuy ? '--up' : '--down'),
        lineStyle: 2,
        lineWidth: 1,
        axisLabelVisible: true,
        title: line.text,
      }),
    }));
  }

  /** Moves about as the pointer does, for keyboards. */
  step(way: ChartStep): void {
    const time = this.chart.timeScale();
    const range = time.getVisibleLogicalRange();
    if (way === 'newest') time.scrollToRealTime();
    else if (way === 'closer' || way === 'wider') {
      const { barSpacing } = time.options();
      time.applyOptions({ barSpacing: way === 'closer' ? barSpacing * spacingFactor : barSpacing / spacingFactor });
    } else if (range !== null) {
      const by = (range.to - range.from) * stepShare * (way === 'older' ? -1 : 1);
      time.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    }
  }

  /** Takes the chart away. */
  close(): void {
    this.stop();
    this.endDrags();
    this.chart.remove();
  }

  private volumeOf({ time, open, close, volume }: Bar) {
    const color = close >= open ? this.volumeColours.up : this.volumeColours.down;
    return { time: time as UTCTimestamp, value: volume, color };
  }

  private setAll(): void {
    this.candles.setData(this.bars.map((bar) => ({ ...bar, time: bar.time as UTCTimestamp })));
    this.volumes.setData(this.bars.map((bar) => this.volumeOf(bar)));
  }

  /** Puts bars between those that are there; newer readings of a time win. */
  private merge(found: readonly Bar[]): void {
    this.bars = mergedBars(this.bars, found).slice(-barsMax);
    this.setAll();
    const [first] = this.bars;
    if (first !== undefined) this.events?.onSpan(this.bars.length, first.time);
  }

  private put(bar: Bar): void {
    const last = this.bars.at(-1);
    if (last !== undefined && bar.time < last.time) {
      if (this.bars.some(({ time }) => time === bar.time)) this.merge([bar]);
      return;
    }
    this.bars = last?.time === bar.time ? [...this.bars.slice(0, -1), bar] : [...this.bars, bar];
    this.candles.update({ ...bar, time: bar.time as UTCTimestamp });
    this.volumes.update(this.volumeOf(bar));
  }

  private async readBack(): Promise<void> {
    const { source, interval } = this;
    const [first] = this.bars;
    if (source === null || first === undefined || this.isReadingBack || this.isAtBeginning) return;
    this.isReadingBack = true;
    const found = await source.read(interval, first.time).catch(() => null);
    this.isReadingBack = false;
    if (found === null || this.source !== source || this.interval !== interval) return;
    const older = found.filter(({ time }) => time < first.time);
    this.isAtBeginning = older.length === 0 || this.bars.length + older.length > barsMax;
    if (older.length > 0) this.merge(older);
  }
}
