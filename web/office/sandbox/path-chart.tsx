import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { drawnTo, movedTo, type PathPoint, type PathView, thinned } from '#web/office/sandbox/path-points.ts';
import { spanText } from '#web/office/sandbox/span-text.ts';

const [width, height] = [1000, 400];
const origin: PathPoint = { seconds: 0, percent: 0 };
const parts = [0, 0.25, 0.5, 0.75, 1];
/** How near the hand has to be to a place to move it, as a part of the chart. */
const near = 0.025;

interface PathChartProps {
  /** What it is, for those who do not see it. */
  readonly label: string;
  readonly points: readonly PathPoint[];
  /** Whether the places can be moved one by one. */
  readonly isDrawn: boolean;
  /** How far the value may be from its path, in percent; `null`: any way. */
  readonly reach: number | null;
  readonly view: PathView;
  /** What the value is now, in US dollars; `null`: not known. */
  readonly usd: number | null;
  /** Where the value has been since the path began. */
  readonly live: readonly PathPoint[];
  /** Called with every step of the hand; the last time with few places. */
  readonly onDraw: (points: readonly PathPoint[]) => void;
}

const xOf = (view: PathView, seconds: number): number => (seconds / view.seconds) * width;
const yOf = (view: PathView, percent: number): number => (1 - percent / view.percent) * (height / 2);

const lineOf = (view: PathView, points: readonly PathPoint[]): string =>
  points.length < 2
    ? ''
    : `M${points.map(({ seconds, percent }) => `${xOf(view, seconds)} ${yOf(view, percent)}`).join('L')}`;

/** The place that the pointer is at. */
function placeOf(event: TargetedPointerEvent<SVGSVGElement>, view: PathView): PathPoint {
  const { left, top, width: wide, height: high } = event.currentTarget.getBoundingClientRect();
  return {
    seconds: ((event.clientX - left) / wide) * view.seconds,
    percent: (1 - ((event.clientY - top) / high) * 2) * view.percent,
  };
}

const isNear = (one: PathPoint, other: PathPoint, view: PathView): boolean =>
  Math.abs(one.seconds - other.seconds) < near * view.seconds &&
  Math.abs(one.percent - other.percent) < 2 * near * view.percent;

/** What a hand does in the chart: it draws a line, or moves one of its places. */
function useHand({ points, isDrawn, view, onDraw }: PathChartProps) {
  const drawn = useRef<readonly PathPoint[]>([]);
  const moved = useRef<number | null>(null);
  const isDown = useRef(false);
  const show = (next: readonly PathPoint[]): void => {
    drawn.current = next;
    onDraw(next);
  };
  return {
    onPointerDown: (event: TargetedPointerEvent<SVGSVGElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      isDown.current = true;
      const place = placeOf(event, view);
      const places = points.slice(1);
      const index = isDrawn ? places.findIndex((point) => isNear(point, place, view)) : -1;
      moved.current = index < 0 ? null : index;
      if (index < 0) show(drawnTo([], place, view));
      else drawn.current = places;
    },
    onPointerMove: (event: TargetedPointerEvent<SVGSVGElement>) => {
      if (!isDown.current) return;
      const place = placeOf(event, view);
      const index = moved.current;
      show(index === null ? drawnTo(drawn.current, place, view) : movedTo(drawn.current, index, place, view));
    },
    onPointerUp: () => {
      if (!isDown.current) return;
      isDown.current = false;
      if (moved.current === null) onDraw(thinned([origin, ...drawn.current], view).slice(1));
    },
  };
}

const percentLabel = (percent: number): string =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Number(Math.abs(percent).toPrecision(3))} %`;
const digits = 6;
const priceLabel = (usd: number): string => Number(usd.toPrecision(digits)).toLocaleString('en-US');

/** What stands at the left: how far, and what the value is there. */
const Scale = ({ view, usd }: Pick<PathChartProps, 'view' | 'usd'>) => (
  <div class="path-scale" aria-hidden="true">
    {parts.map((part) => {
      const percent = view.percent * (1 - 2 * part);
      return (
        <span key={part}>
          {percentLabel(percent)}
          {usd === null || percent <= -100 ? null : <small>{priceLabel(usd * (1 + percent / 100))}</small>}
        </span>
      );
    })}
  </div>
);

/**
 * A path over time, which is drawn by hand: time goes to the right, the value up. Drawing back takes away what was
 * drawn there; the places of a line can be moved. The same numbers stand in a form beside it. DEC-WEB-62.
 */
export function PathChart(props: PathChartProps) {
  const { label, points, isDrawn, reach, view, live } = props;
  const hand = useHand(props);
  const line = lineOf(view, points);
  return (
    <div class="path-chart">
      <Scale view={view} usd={props.usd} />
      <svg
        class="path-sheet"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        {...hand}
      >
        {parts.map((part) => (
          <path key={part} class="path-grid" d={`M0 ${part * height}H${width}M${part * width} 0V${height}`} />
        ))}
        {reach === null ? null : (
          <path class="path-reach" d={`M0 ${yOf(view, reach)}H${width}V${yOf(view, -reach)}H0Z`} />
        )}
        <path class="path-line" d={line} />
        {isDrawn
          ? points
              .slice(1)
              .map(({ seconds, percent }, index) => (
                <path key={`${index}`} class="path-place" d={`M${xOf(view, seconds)} ${yOf(view, percent)}h0.01`} />
              ))
          : null}
        <path class="path-live" d={lineOf(view, live)} />
      </svg>
      <div class="path-times" aria-hidden="true">
        {parts.map((part) => (
          <span key={part}>{part === 0 ? 'now' : spanText(Math.round(view.seconds * part) * 1000)}</span>
        ))}
      </div>
    </div>
  );
}
