/** Upper bounds of the buckets, in seconds: from a fast network to an election of the quorum. */
const bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5] as const;

/** How long the quorum took to take batches of this node, and how many it refused for lack of space. */
export class AppendTimes {
  readonly bounds: readonly number[] = bounds;
  private readonly now: () => number;
  private readonly counts: number[] = bounds.map(() => 0);
  private count = 0;
  private sum = 0;
  private refused = 0;

  /** `now`: milliseconds with fractions that never run backwards. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts the time of an append; one that fails counts for nothing. */
  async measure(append: () => Promise<void>): Promise<void> {
    const from = this.now();
    await append();
    const seconds = (this.now() - from) / 1000;
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.counts[bucket]! += 1;
    this.count += 1;
    this.sum += seconds;
  }

  /** A batch was taken out of the own journal again: the log had no space for it. */
  takenBack(): void {
    this.refused += 1;
  }

  /** Batches that were taken back. */
  get batchesTakenBack(): number {
    return this.refused;
  }

  /** How the times are spread; counts are of each bucket by itself. */
  read(): { readonly bounds: readonly number[]; readonly counts: readonly number[]; count: number; sum: number } {
    return { bounds, counts: [...this.counts], count: this.count, sum: this.sum };
  }
}
