import type { Seq } from '#model/units.ts';

interface Waiter {
  readonly upTo: Seq;
  readonly resolve: () => void;
}

/** Up to where this node has applied, for those who wait for it. */
export class AppliedPosition {
  private readonly at: () => Seq;
  private waiting: Waiter[] = [];

  /** `at`: the position of the engine. */
  constructor(at: () => Seq) {
    this.at = at;
  }

  /** Resolves once the entry is applied. */
  reached(upTo: Seq): Promise<void> {
    if (this.at() >= upTo) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ upTo, resolve }));
  }

  /** To be called after entries were applied. */
  moved(): void {
    if (this.waiting.length === 0) return;
    const at = this.at();
    const { waiting } = this;
    this.waiting = [];
    for (const waiter of waiting) {
      if (waiter.upTo <= at) waiter.resolve();
      else this.waiting.push(waiter);
    }
  }
}
