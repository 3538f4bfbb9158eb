/** One part of a path: the value becomes so many times what it was, evenly in its logarithm, over a time. */
export interface PathSegment {
  /** Above 0; 1: it stays. */
  readonly factor: number;
  /** On the clock of the exchange; 0: at once. */
  readonly durationMs: number;
}

/** Where the value of an asset goes. */
export interface ValuePath {
  /** Name of what it is, for people. */
  readonly kind: string;
  readonly segments: readonly PathSegment[];
  /** How much chance moves the value beside the path, as a multiple of the usual; 0: trades do not move it either. */
  readonly volatility: number;
  /** The greatest distance from the path, as a part of the value there; `null`: any. */
  readonly reach: number | null;
}

/** How long a path is. */
export const lengthMs = ({ segments }: Pick<ValuePath, 'segments'>): number =>
  segments.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** Where a value is led, step by step. Its logarithms count from the value at its beginning. */
export interface FollowedValue {
  readonly path: Pick<ValuePath, 'kind' | 'volatility'>;
  /** Logarithm of where it is led. */
  readonly log: number;
  /** 0: it is over. */
  readonly leftMs: number;
  /** Goes on by so much time. */
  advance(elapsedMs: number): void;
  /** The nearest to a distance from there, as a logarithm, that is allowed. */
  within(distance: number): number;
}

/** A path that a value follows. Its logarithms count from the value at its beginning. DEC-KIT-63. */
export class FollowedPath implements FollowedValue {
  readonly path: ValuePath;
  /** Logarithm of where the path is. */
  log = 0;
  #passedMs = 0;

  constructor(path: ValuePath) {
    this.path = path;
  }

  get leftMs(): number {
    return Math.max(0, lengthMs(this.path) - this.#passedMs);
  }

  /** Goes on by so much time. */
  advance(elapsedMs: number): void {
    this.#passedMs += elapsedMs;
    let left = this.#passedMs;
    this.log = 0;
    for (const { factor, durationMs } of this.path.segments) {
      const part = left < durationMs ? left / durationMs : 1;
      this.log += Math.log(factor) * part;
      if (part < 1) return;
      left -= durationMs;
    }
  }

  /** The nearest to a distance from the path, as a logarithm, that is within its reach. */
  within(distance: number): number {
    const { reach } = this.path;
    return reach === null ? distance : Math.max(Math.log(1 - reach), Math.min(Math.log(1 + reach), distance));
  }
}
