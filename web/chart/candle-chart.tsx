import { useEffect, useRef, useState } from 'preact/hooks';
import { type CandleSource, type Interval, intervals } from '#web/data/candles.ts';
import { isDark } from '#web/design/theme.ts';
import { type ChartLine, type ChartState, type ChartStep, LiveChart } from '#web/chart/live-chart.ts';
import { momentText } from '#web/chart/time-texts.ts';
import '#web/chart/chart.css';

interface CandleChartProps {
  readonly source: CandleSource;
  /** Decimals of prices. */
  readonly decimals: number;
  readonly lines?: readonly ChartLine[];
  /** A line was dragged to another price. */
  readonly onMove?: (id: string, price: number) => void;
  /** The source has no candles: what is told then, and who else wants to know. */
  readonly emptyText?: string;
  readonly onEmpty?: () => void;
}

const noLines: readonly ChartLine[] = [];

const steps: readonly { readonly way: ChartStep; readonly label: string; readonly sign: string }[] = [
  { way: 'older', label: 'Older candles', sign: '«' },
  { way: 'newer', label: 'Newer candles', sign: '»' },
  { way: 'newest', label: 'Newest candles', sign: '»|' },
  { way: 'wider', label: 'More candles', sign: '−' },
  { way: 'closer', label: 'Fewer candles', sign: '+' },
];

const names = Object.keys(intervals) as readonly Interval[];

/** Candles with their volume, scrolled back as far as there are any, live at the end. DEC-WEB-12, DEC-WEB-17. */
export function CandleChart({ source, decimals, lines = noLines, onMove, emptyText, onEmpty }: CandleChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart | null>(null);
  const [interval, setInterval] = useState<Interval>('15m');
  const [state, setState] = useState<ChartState>('loading');
  const [span, setSpan] = useState<string>('');
  useEffect(() => {
    const made = new LiveChart(place.current as HTMLDivElement);
    chart.current = made;
    return () => {
      chart.current = null;
      made.close();
    };
  }, []);
  useEffect(() => chart.current?.paint(isDark.value, decimals), [isDark.value, decimals]);
  useEffect(() => {
    setState('loading');
    setSpan('');
    chart.current?.show(source, interval, {
      onState: setState,
      onSpan: (count, first) => setSpan(`: ${count} since ${momentText(first)}`),
    });
    return () => chart.current?.stop();
  }, [source, interval]);
  useEffect(() => {
    if (state === 'empty') onEmpty?.();
  }, [state, onEmpty]);
  useEffect(() => chart.current?.draw(lines, onMove ?? null), [lines, onMove]);
  return (
    <div class="candle-chart">
      <div class="chart-tools">
        <fieldset class="interval-choice" aria-label="Length of a candle">
          {names.map((name) => (
            <button key={name} type="button" aria-pressed={name === interval} onClick={() => setInterval(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <fieldset class="interval-choice" aria-label="Move about">
          {steps.map(({ way, label, sign }) => (
            <button
              key={way}
              type="button"
              aria-label={label}
              title={label}
              disabled={state !== 'shown'}
              onClick={() => chart.current?.step(way)}
            >
              {sign}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="chart-place" ref={place} role="img" aria-label={`Candles of ${interval}${span}`} />
      {state === 'shown' ? null : (
        <p class="chart-state" role="status">
          {
            {
              loading: 'Reading candles',
              empty: emptyText ?? 'Nothing was traded yet.',
              failed: 'Candles could not be read.',
            }[state]
          }
        </p>
      )}
    </div>
  );
}
