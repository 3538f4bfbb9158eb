import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { colourOf } from '#web/chart/colours.ts';
import { clockText } from '#web/design/values.tsx';
import type { Samples } from '#web/office/performance/use-samples.ts';

/** Colours of lines, in their order. */
export const lineColours = ['--accent', '--up', '--warn', '--down'] as const;

const height = 150;
/** Charts show the same moment while a pointer is over one of them. */
const sync = { key: 'performance' };

const dataOf = ({ times, lines }: Samples): uPlot.AlignedData =>
  [times as number[], ...lines.map((values) => values as (number | null)[])] as uPlot.AlignedData;

/** Draws lines over time into a place of a page, in the colours that it shows now. */
export class MetricPlot {
  readonly #plot: uPlot;
  readonly #watch: ResizeObserver;

  /** `onPoint`: the pointer is over a sample, by its index; `null`: over none. */
  constructor(place: HTMLElement, samples: Samples, onPoint: (index: number | null) => void) {
    const [soft, line] = [colourOf(place, '--soft'), colourOf(place, '--line')];
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
    const font = `11px ${getComputedStyle(place).fontFamily}`;
    this.#plot = new uPlot(
      {
        width: Math.max(100, place.clientWidth),
        height,
        legend: { show: false },
        cursor: { sync, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { y: { range: (_, least, most) => [Math.min(0, least ?? 0), most > 0 ? most * 1.1 : 1] } },
        axes: [
          { ...axis, font, size: 28, space: 90, values: (_, at) => at.map((seconds) => clockText(seconds * 1000)) },
          { ...axis, font, size: 56 },
        ],
        series: [
          {},
          ...samples.lines.map((_, index) => ({
            stroke: colourOf(place, lineColours[index % lineColours.length] as string),
            width: 1.5,
            points: { show: false },
            spanGaps: false,
          })),
        ],
        hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
      },
      dataOf(samples),
      place,
    );
    this.#watch = new ResizeObserver(() => this.#plot.setSize({ width: Math.max(100, place.clientWidth), height }));
    this.#watch.observe(place);
  }

  /** Draws what was seen by now. */
  show(samples: Samples): void {
    this.#plot.setData(dataOf(samples));
  }

  /** Leaves the place empty. */
  close(): void {
    this.#watch.disconnect();
    this.#plot.destroy();
  }
}
