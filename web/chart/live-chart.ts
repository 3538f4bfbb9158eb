import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar, CandleSource, Interval } from '#web/data/candles.ts';
import { colourOf } from '#web/chart/colours.ts';
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

/** Bars that are kept; further back there are no more. */
const barsMax = 20_000;
/** So many bars from the left edge the older ones are read. */
const edgeBars = 60;
/** Room beside the newest bar, in bars. */
const marginBars = 6;
/** So near to a line, in pixels, it is grabbed. */
const grabPixels = 7;

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
  private lines: readonly { readonly line: ChartLine; readonly shown: IPriceLine }[] = [];
  private onMove: ((id: string, price: number) => void) | null = null;
  private volumeColours = { up: '', down: '' };
  private readonly ends: (() => void)[] = [];

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
    this.watchPointer();
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
  show(source: CandleSource, interval: Interval, onState: (state: ChartState) => void): void {
    this.stop();
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

  /** Takes the chart away. */
  close(): void {
    this.stop();
    for (const end of this.ends) end();
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
    const byTime = new Map([...this.bars, ...found].map((bar) => [bar.time, bar] as const));
    this.bars = [...byTime.values()].toSorted((one, other) => one.time - other.time).slice(-barsMax);
    this.setAll();
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

  /** Lets lines be dragged. */
  private watchPointer(): void {
    let held: { readonly line: ChartLine; readonly shown: IPriceLine } | null = null;
    const yOf = (event: PointerEvent): number => event.clientY - this.place.getBoundingClientRect().top;
    const near = (event: PointerEvent) =>
      this.onMove === null
        ? undefined
        : this.lines.find(({ line }) => {
            const y = this.candles.priceToCoordinate(line.price);
            return y !== null && Math.abs(y - yOf(event)) <= grabPixels;
          });
    const begin = (event: PointerEvent): void => {
      held = near(event) ?? null;
      if (held === null) return;
      event.preventDefault();
      event.stopPropagation();
      this.place.setPointerCapture(event.pointerId);
      this.chart.applyOptions({ handleScroll: false, handleScale: false });
    };
    const move = (event: PointerEvent): void => {
      if (held === null) {
        this.place.classList.toggle('can-grab', near(event) !== undefined);
        return;
      }
      const price = this.candles.coordinateToPrice(yOf(event));
      if (price !== null) held.shown.applyOptions({ price });
    };
    const end = (event: PointerEvent): void => {
      if (held === null) return;
      const { line, shown } = held;
      held = null;
      this.chart.applyOptions({ handleScroll: true, handleScale: true });
      const price = this.candles.coordinateToPrice(yOf(event));
      shown.applyOptions({ price: line.price });
      if (event.type === 'pointerup' && price !== null) this.onMove?.(line.id, price);
    };
    const listeners = [
      ['pointerdown', begin],
      ['pointermove', move],
      ['pointerup', end],
      ['pointercancel', end],
    ] as const;
    for (const [name, listener] of listeners) {
      this.place.addEventListener(name, listener, { capture: true });
      this.ends.push(() => this.place.removeEventListener(name, listener, { capture: true }));
    }
  }
}
