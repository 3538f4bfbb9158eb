/** Upper bounds of the buckets of response times, in milliseconds. */
export const durationBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000] as const;

/** Responses so far of one endpoint, or of everything else on a port: plain counters for the metrics page. */
export class AnswerCounts {
  readonly byStatus = new Map<number, number>();
  readonly byDuration: number[] = durationBoundsMs.map(() => 0);
  total = 0;
  totalMs = 0;

  add(status: number, durationMs: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.total += 1;
    this.totalMs += durationMs;
    const bucket = durationBoundsMs.findIndex((bound) => durationMs <= bound);
    if (bucket >= 0) this.byDuration[bucket] = (this.byDuration[bucket] as number) + 1;
  }
}
