/** Upper bounds of the buckets of response times, in milliseconds. */
export const durationBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000] as const;

/** Responses so far of one endpoint, or of everything else on a port: plain counters for the metrics page. */
export class AnswerCounts {
  readonly byStatus = new Map<number, number>();
  readonly byDuration: number[] = durationBoundsMs.map(() => 0);
  /** Refusals by the name of their error or problem: a closed set. */
  readonly byRefusal = new Map<string, number>();
  total = 0;
  totalMs = 0;

  /** `refusal`: name of the error or problem that the response tells; `null`: it tells none. */
  add(status: number, durationMs: number, refusal: string | null): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    if (refusal !== null) this.byRefusal.set(refusal, (this.byRefusal.get(refusal) ?? 0) + 1);
    this.total += 1;
    this.totalMs += durationMs;
    const bucket = durationBoundsMs.findIndex((bound) => durationMs <= bound);
    if (bucket >= 0) this.byDuration[bucket] = (this.byDuration[bucket] as number) + 1;
  }
}
