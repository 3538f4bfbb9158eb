import type { Members } from '#web/office/data/office-calls.ts';

/** Where a value goes, as the operator API takes it. */
export type PathShape = Members<'followPath'>['path'];
/** One change after another of the value. */
export type Segments = Extract<PathShape, { readonly kind: 'segments' }>['segments'];

/** A place of a path: when it is there, and how far from where it began, in percent. */
export interface PathPoint {
  readonly seconds: number;
  readonly percent: number;
}

/** What a chart shows: from 0 to so many seconds, and as far up as down. */
export interface PathView {
  readonly seconds: number;
  readonly percent: number;
}

const origin: PathPoint = { seconds: 0, percent: 0 };
const million = 1_000_000;
const hourS = 3600;
/** A value moves evenly in its logarithm: a long way is drawn in so many steps. */
const stepsOfWay = 12;
const longWay = 0.05;

/** Changes of a shape one after the other: a factor and its seconds. */
function waysOf(shape: PathShape): readonly (readonly [factor: number, seconds: number])[] {
  switch (shape.kind) {
    case 'trend':
      return [[1 + shape.changePpm / million, shape.seconds]];
    case 'drift':
      return [[(1 + shape.changePpmPerHour / million) ** (shape.seconds / hourS), shape.seconds]];
    case 'jump':
      return [
        [1 + shape.changePpm / million, 0],
        [1, shape.seconds],
      ];
    case 'volatility':
    case 'range':
      return [[1, shape.seconds]];
    case 'flashCrash':
    case 'depeg': {
      const bottom = 1 - shape.fallPpm / million;
      const end = bottom + (1 - bottom) * ((shape.recoveredPpm ?? million) / million);
      return [
        [bottom, shape.fallSeconds],
        [1, shape.bottomSeconds],
        [end / bottom, shape.recoverySeconds],
      ];
    }
    case 'segments':
      return shape.segments.map(({ changePpm, seconds }) => [1 + changePpm / million, seconds]);
  }
}

/** The places that a shape leads through, from its beginning on. */
export function pointsOf(shape: PathShape): readonly PathPoint[] {
  const points: PathPoint[] = [origin];
  let [at, value] = [0, 1];
  for (const [factor, seconds] of waysOf(shape)) {
    const steps = Math.abs(factor - 1) > longWay ? stepsOfWay : 1;
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      points.push({ seconds: at + seconds * part, percent: (value * factor ** part - 1) * 100 });
    }
    at += seconds;
    value *= factor;
  }
  return points;
}

/** How far a value may be from its path, in percent; `null`: any way. */
export const reachOf = (shape: PathShape): number | null => (shape.kind === 'range' ? shape.widthPpm / 10_000 : null);

/** The changes that lead through places one after the other, which begin after 0. */
export function segmentsOf(points: readonly PathPoint[]): Segments {
  let before = origin;
  return points.map((point) => {
    const factor = (1 + point.percent / 100) / (1 + before.percent / 100);
    const seconds = point.seconds - before.seconds;
    before = point;
    return { changePpm: Math.round((factor - 1) * million), seconds };
  });
}

/** How much of places a chart shows. */
export function viewOf(points: readonly PathPoint[], reach: number | null): PathView {
  const furthest = Math.max(...points.map(({ percent }) => Math.abs(percent)), reach ?? 0);
  return { seconds: Math.max(1, points.at(-1)?.seconds ?? 1), percent: Math.max(1, furthest * 1.2) };
}

const mostPoints = 40;
/** How far a line may pass beside a place that is left out, as a part of the chart. */
const tolerance = 0.012;

/** The same line with fewer places, at most 40: what was drawn by hand has one for every step of the hand. */
export function thinned(points: readonly PathPoint[], view: PathView): readonly PathPoint[] {
  let allowed = tolerance;
  let kept = simplified(points, view, allowed);
  while (kept.length > mostPoints) {
    allowed *= 1.5;
    kept = simplified(points, view, allowed);
  }
  return kept;
}

/** Leaves out what lies near the line between its neighbours that stay. */
function simplified(points: readonly PathPoint[], view: PathView, allowed: number): readonly PathPoint[] {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return points;
  let [furthest, at] = [0, 0];
  for (const [index, point] of points.entries()) {
    const distance = distanceOf(point, first, last, view);
    if (distance > furthest) [furthest, at] = [distance, index];
  }
  if (furthest <= allowed) return [first, last];
  const left = simplified(points.slice(0, at + 1), view, allowed);
  return [...left.slice(0, -1), ...simplified(points.slice(at), view, allowed)];
}

/** How far a place is from the line through two others, as a part of the chart. */
function distanceOf(point: PathPoint, from: PathPoint, to: PathPoint, view: PathView): number {
  const right = (to.seconds - from.seconds) / view.seconds;
  const up = (to.percent - from.percent) / (2 * view.percent);
  const [x, y] = [(point.seconds - from.seconds) / view.seconds, (point.percent - from.percent) / (2 * view.percent)];
  const length = Math.hypot(right, up);
  return length === 0 ? Math.hypot(x, y) : Math.abs(right * y - up * x) / length;
}

/** Adds a place where the hand is; what was drawn from there on is left out, and no value falls to nothing. */
export function drawnTo(points: readonly PathPoint[], to: PathPoint, view: PathView): readonly PathPoint[] {
  const seconds = Math.round(Math.min(view.seconds, Math.max(0, to.seconds)));
  const percent = Math.round(Math.min(view.percent, Math.max(-view.percent, -99, to.percent)) * 100) / 100;
  return [...points.filter((point) => point.seconds < seconds), { seconds, percent }];
}

/** Moves one place, between its neighbours. */
export function movedTo(
  points: readonly PathPoint[],
  index: number,
  to: PathPoint,
  view: PathView,
): readonly PathPoint[] {
  const [least, most] = [points[index - 1]?.seconds ?? 0, points[index + 1]?.seconds ?? view.seconds];
  const seconds = Math.min(most, Math.max(least, to.seconds));
  const [moved] = drawnTo([], { seconds, percent: to.percent }, view);
  return moved === undefined ? points : points.with(index, moved);
}
