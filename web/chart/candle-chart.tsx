import { useEffect, useRef, useState } from 'preact/hooks';
import { type CandleSource, type Interval, intervals } from '#web/data/candles.ts';
import { isDark } from '#web/design/theme.ts';
import { type ChartLine, LiveChart } from '#web/chart/live-chart.ts';
import '#web/chart/chart.css';

interface CandleChartProps {
  readonly source: CandleSource;
  /** Decimals of prices. */
  readonly decimals: number;
  readonly lines?: readonly ChartLine[];
  /** A line was dragged to another price. */
  readonly onMove?: (id: string, price: number) => void;
}

const names = Object.keys(intervals) as readonly Interval[];

/** Candles with their volume, scrolled back as far as there are any, live at the end. DEC-WEB-12. */
export function CandleChart({ source, decimals, lines = [], onMove }: CandleChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart | null>(null);
  const [interval, setInterval] = useState<Interval>('15m');
  const [state, setState] = useState<'loading' | 'empty' | 'failed' | 'shown'>('loading');
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
    chart.current?.show(source, interval, setState);
    return () => chart.current?.stop();
  }, [source, interval]);
  useEffect(() => chart.current?.draw(lines, onMove ?? null), [lines, onMove]);
  return (
    <div class="candle-chart">
      <fieldset class="interval-choice" aria-label="Length of a candle">
        {names.map((name) => (
          <button key={name} type="button" aria-pressed={name === interval} onClick={() => setInterval(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      <div class="chart-place" ref={place} role="img" aria-label={`Candles of ${interval}`} />
      {state === 'shown' ? null : (
        <p class="chart-state" role="status">
          {
            { loading: 'Reading candles', empty: 'Nothing was traded yet.', failed: 'Candles could not be read.' }[
              state
            ]
          }
        </p>
      )}
    </div>
  );
}
