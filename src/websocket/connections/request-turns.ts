import { FairQueue } from '#base/fair-queue.ts';

/** Effort of one turn: about eight subscriptions of a full set of channels, a millisecond or two. */
const effortPerTurn = 48;

interface Waiting {
  readonly effort: number;
  readonly begin: () => void;
}

/**
 * Spreads requests over turns of the event loop, fairly by address: however many come at once, everything else the
 * process does goes on between them. Each connection waits with one request at most, so no bound of its own is needed.
 * DEC-STR-104.
 */
export class RequestTurns {
  private readonly waiting = new FairQueue<Waiting>({
    perOwnerMax: Number.POSITIVE_INFINITY,
    totalMax: Number.POSITIVE_INFINITY,
  });
  private effort = 0;

  /** Resolves when the request may be handled; `null`: now. `effort` is 1 for a small request. */
  enter(address: string, effort: number): Promise<void> | null {
    if (this.effort === 0) setImmediate(() => this.turn());
    if (this.waiting.size === 0 && this.effort < effortPerTurn) {
      this.effort += effort;
      return null;
    }
    return new Promise((begin) => {
      this.waiting.add(address, { effort, begin });
    });
  }

  private turn(): void {
    this.effort = 0;
    while (this.effort < effortPerTurn) {
      const next = this.waiting.take();
      if (next === undefined) break;
      this.effort += next.effort;
      next.begin();
    }
    if (this.effort > 0) setImmediate(() => this.turn());
  }
}
