import type { Clock } from '#base/clock.ts';

/** Bytes that are being made, or were made at `madeAt`. */
interface Kept {
  readonly bytes: Promise<Buffer>;
  madeAt: number | null;
}

/**
 * Makes a text at most once in `keptMs` and one at a time, however often and by however many it is asked for; all get
 * the same bytes.
 */
export function keptBytes(monotonic: Clock, keptMs: number, make: () => Promise<string>): () => Promise<Buffer> {
  let kept: Kept | null = null;
  const isFresh = ({ madeAt }: Kept): boolean => madeAt === null || monotonic.now() - madeAt < keptMs;
  return () => {
    if (kept !== null && isFresh(kept)) return kept.bytes;
    const making: Kept = { bytes: make().then((text) => Buffer.from(text)), madeAt: null };
    kept = making;
    making.bytes.then(
      () => {
        making.madeAt = monotonic.now();
      },
      () => {
        // The next request tries again.
        kept = null;
      },
    );
    return making.bytes;
  };
}
