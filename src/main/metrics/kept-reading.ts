import type { Clock } from '#base/clock.ts';

/** Reads anew when the last reading is older than `keptMs`; for what is too expensive to be read at every question. */
export function keptReading<Value>(
  monotonic: Clock,
  keptMs: number,
  read: () => Promise<Value>,
): () => Promise<{ readonly value: Value; readonly ageMs: number }> {
  let kept: { readonly value: Promise<Value>; readonly at: number } | null = null;
  return async () => {
    if (kept === null || monotonic.now() - kept.at >= keptMs) {
      const reading = { value: read(), at: monotonic.now() };
      kept = reading;
      reading.value.catch(() => {
        // The next question tries again.
        if (kept === reading) kept = null;
      });
    }
    const { value, at } = kept;
    return { value: await value, ageMs: monotonic.now() - at };
  };
}
