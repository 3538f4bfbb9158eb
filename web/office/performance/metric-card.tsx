import { useEffect, useRef, useState } from 'preact/hooks';
import { isDark } from '#web/design/theme.ts';
import { Table } from '#web/design/table.tsx';
import { grouped } from '#web/design/number-text.ts';
import { TimeText } from '#web/design/values.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import type { MetricChart } from '#web/office/performance/charts.ts';
import { MetricPlot } from '#web/office/performance/metric-plot.ts';
import type { Samples } from '#web/office/performance/use-samples.ts';

/** Newest rows of the table of a chart. */
const rowsMax = 30;

/** A value in three figures or so. */
export function valueText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const decimals = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return grouped(value.toFixed(decimals));
}

interface CardProps {
  readonly chart: MetricChart;
  readonly samples: Samples;
}

/** The samples of a chart as rows, the newest first. */
const SampleTable = ({ chart, samples: { times, lines } }: CardProps) => {
  const rows = times.map((_, index) => index).toReversed();
  return (
    <Table
      label={`${chart.title}, ${chart.unit}`}
      rows={rows.slice(0, rowsMax)}
      keyOf={(index) => `${times[index]}`}
      empty="Nothing was seen yet."
      columns={[
        { title: 'Time', cell: (index) => <TimeText at={(times[index] ?? 0) * 1000} isShort /> },
        ...chart.lines.map(({ title }, line) => ({
          title,
          isRight: true,
          cell: (index: number) => <span class="number">{valueText(lines[line]?.[index])}</span>,
        })),
      ]}
    />
  );
};

/** A chart with its values now, or at the pointer; and the same as a table. DEC-WEB-54. */
export function MetricCard({ chart, samples }: CardProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<MetricPlot | null>(null);
  const [point, setPoint] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const dark = isDark.value;
  useEffect(() => {
    const made = new MetricPlot(place.current as HTMLDivElement, samples, setPoint);
    plot.current = made;
    return () => {
      plot.current = null;
      made.close();
    };
    // What is drawn later goes into the same plot; other colours need another one.
  }, [dark]);
  useEffect(() => plot.current?.show(samples), [samples]);
  const at = point ?? samples.times.length - 1;
  const values = chart.lines.map(({ title }, line) => `${title} ${valueText(samples.lines[line]?.[at])}`);
  return (
    <Part title={chart.title} acts={<small class="soft">{chart.unit}</small>}>
      <ul class="metric-values">
        {chart.lines.map(({ title }, line) => (
          <li key={title} data-line={line}>
            <span class="soft">{title}</span> <span class="number">{valueText(samples.lines[line]?.[at])}</span>
          </li>
        ))}
      </ul>
      <div
        class="metric-place"
        ref={place}
        role="img"
        aria-label={`${chart.title}: ${values.join(', ')} ${chart.unit}`}
      />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>As a table</summary>
        {isOpen ? <SampleTable chart={chart} samples={samples} /> : null}
      </details>
    </Part>
  );
}
