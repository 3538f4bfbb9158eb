import { MalformedBytes } from '#base/bytes.ts';
import type { Clock } from '#base/clock.ts';

/** What a node asks the leader's clock with. */
export interface ClockOffsetParts {
  /** The machine's clock, which may be set. */
  readonly wall: Clock;
  /** Milliseconds with fractions that never run backwards. */
  readonly now: () => number;
}

interface Sample {
  /** The leader's clock less the own monotonic one. */
  readonly ahead: number;
  /** By how much that may be wrong: half of the way there and back. */
  readonly within: number;
}

/** Answers that are kept, of some seconds: that with the shortest way counts. */
const samplesKept = 8;
const questionsKept = 16;

/**
 * How far the own clock is from the leader's, measured over the link there and back. Answers that were long on their
 * way say little, and only what is certain counts: a busy node never looks like one with a wrong clock. Between answers
 * the monotonic clock carries on, so that a step of the own clock shows at once. DEC-CLU-19.
 */
export class ClockOffset {
  private readonly parts: ClockOffsetParts;
  private samples: Sample[] = [];
  /** When each question was asked, by its number; oldest first. */
  private readonly asked = new Map<number, number>();
  private lastRef = 0;
  private isOfOtherLeader = false;

  constructor(parts: ClockOffsetParts) {
    this.parts = parts;
  }

  /** Another leader is connected, or the same one anew: what was measured counts until it answers. */
  begin(): void {
    this.asked.clear();
    this.isOfOtherLeader = true;
  }

  /** Answers the number of a question that is asked now. */
  ask(): number {
    this.lastRef = (this.lastRef + 1) >>> 0;
    this.asked.set(this.lastRef, this.parts.now());
    const [oldest] = this.asked.keys();
    if (this.asked.size > questionsKept) this.asked.delete(oldest!);
    return this.lastRef;
  }

  /** The leader's clock was at `leaderAt`. @throws MalformedBytes for a question that was not asked */
  answered(ref: number, leaderAt: number): void {
    const from = this.asked.get(ref);
    if (from === undefined) throw new MalformedBytes(`the time for question ${ref}, which was not asked`);
    this.asked.delete(ref);
    if (this.isOfOtherLeader) this.samples = [];
    this.isOfOtherLeader = false;
    const to = this.parts.now();
    // Both clocks tell whole milliseconds.
    this.samples.push({ ahead: leaderAt - (from + to) / 2, within: (to - from) / 2 + 1 });
    if (this.samples.length > samplesKept) this.samples.shift();
  }

  /**
   * The own clock less the leader's in whole milliseconds, as much of it as is certain, towards 0; `null`: never
   * measured.
   */
  get ms(): number | null {
    const [first, ...rest] = this.samples;
    if (first === undefined) return null;
    const best = rest.reduce((least, sample) => (sample.within < least.within ? sample : least), first);
    const apart = this.parts.wall.now() - (this.parts.now() + best.ahead);
    return Math.sign(apart) * Math.floor(Math.max(0, Math.abs(apart) - best.within));
  }
}
