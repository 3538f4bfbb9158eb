import type { SymbolRules } from '#model/symbol.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';

/** When pairs go online by themselves. Follows from their rules, so that images do not hold it. DEC-OPR-162. */
export class PairOpenings {
  private readonly openAt = new Map<SymbolId, number>();
  /** The next one's moment. */
  private nextAt = Number.POSITIVE_INFINITY;

  /** Follows the rules of a pair. */
  put({ id, openAt }: SymbolRules): void {
    if (openAt === null) this.openAt.delete(id);
    else this.openAt.set(id, openAt);
    this.nextAt = Number.POSITIVE_INFINITY;
    // any order: the least is the same in each
    for (const moment of this.openAt.values()) this.nextAt = Math.min(this.nextAt, moment);
  }

  /** Whether a pair is to go online at this time. */
  isDue(at: TimestampMs): boolean {
    return at >= this.nextAt;
  }

  /** A pair that is to go online now: of several the one that was listed first; `null`: none. */
  due(at: TimestampMs): SymbolId | null {
    if (!this.isDue(at)) return null;
    let first: SymbolId | null = null;
    // any order: the least is the same in each
    for (const [id, openAt] of this.openAt) if (openAt <= at && (first === null || id < first)) first = id;
    return first;
  }
}
