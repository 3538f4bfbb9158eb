import { million } from '#base/whole-numbers.ts';
import { lengthMs, type PathSegment, type ValuePath } from '#sandbox/agents/value-path.ts';

/** Changes in parts per million of the value before them, spans in seconds on the clock of the exchange. */
export type PathShape =
  | { readonly kind: 'trend'; readonly changePpm: number; readonly seconds: number }
  | { readonly kind: 'drift'; readonly changePpmPerHour: number; readonly seconds: number }
  | { readonly kind: 'volatility'; readonly seconds: number }
  | { readonly kind: 'jump'; readonly changePpm: number; readonly seconds: number }
  | { readonly kind: 'range'; readonly widthPpm: number; readonly seconds: number }
  | (Readonly<Record<'fallSeconds' | 'bottomSeconds' | 'recoverySeconds', number>> & {
      readonly kind: 'flashCrash' | 'depeg';
      readonly fallPpm: number;
      /** Part of the fall that comes back. */
      readonly recoveredPpm: number;
    })
  | {
      readonly kind: 'segments';
      readonly segments: readonly { readonly changePpm: number; readonly seconds: number }[];
    };

/** Bounds of paths: no value moves on them to more than so many times what it was, or to less than its inverse. */
export const pathLimits = { seconds: 86_400, factor: 100, segments: 100 } as const;

const changed = (changePpm: number, seconds: number): PathSegment => ({
  factor: 1 + changePpm / million,
  durationMs: seconds * 1000,
});
const standing = (seconds: number): PathSegment => changed(0, seconds);
const hourS = 3600;

function segmentsOf(shape: PathShape): readonly PathSegment[] {
  switch (shape.kind) {
    case 'trend':
      return [changed(shape.changePpm, shape.seconds)];
    case 'drift': {
      const factor = (1 + shape.changePpmPerHour / million) ** (shape.seconds / hourS);
      return [{ factor, durationMs: shape.seconds * 1000 }];
    }
    case 'jump':
      return [changed(shape.changePpm, 0), standing(shape.seconds)];
    case 'volatility':
    case 'range':
      return [standing(shape.seconds)];
    case 'flashCrash':
    case 'depeg': {
      const { fallPpm, fallSeconds, bottomSeconds, recoverySeconds, recoveredPpm } = shape;
      const bottom = 1 - fallPpm / million;
      const end = bottom + (1 - bottom) * (recoveredPpm / million);
      const recovery = { factor: end / bottom, durationMs: recoverySeconds * 1000 };
      return [changed(-fallPpm, fallSeconds), standing(bottomSeconds), recovery];
    }
    case 'segments':
      return shape.segments.map(({ changePpm, seconds }) => changed(changePpm, seconds));
  }
}

/** The path of a shape; `volatility`: how much chance moves the value beside it. DEC-KIT-63. */
export const pathOf = (shape: PathShape, volatility: number): ValuePath => ({
  kind: shape.kind,
  segments: segmentsOf(shape),
  volatility,
  reach: shape.kind === 'range' ? shape.widthPpm / million : null,
});

/** What is wrong with a path as a whole, as a clause; `null`: nothing. */
export function pathFault(path: ValuePath): string | null {
  const length = lengthMs(path);
  if (length === 0) return 'must take some time';
  if (length > pathLimits.seconds * 1000) return `must take at most ${pathLimits.seconds} seconds in all`;
  let factor = 1;
  for (const segment of path.segments) {
    factor *= segment.factor;
    if (factor > pathLimits.factor || factor < 1 / pathLimits.factor)
      return `must not lead to more than ${pathLimits.factor} times the value, or less than its ${pathLimits.factor}th`;
  }
  return null;
}
