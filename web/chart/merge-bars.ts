import type { Bar } from '#web/data/candles.ts';

/** Bars of two readings in the order of time, each time once: of a time that both have, the newer reading counts. */
export function mergedBars(known: readonly Bar[], read: readonly Bar[]): readonly Bar[] {
  const [first, last] = [known[0], known.at(-1)];
  const [firstRead, lastRead] = [read[0], read.at(-1)];
  if (firstRead === undefined || lastRead === undefined) return known;
  if (first === undefined || last === undefined) return read;
  if (lastRead.time < first.time) return [...read, ...known];
  if (firstRead.time > last.time) return [...known, ...read];
  const byTime = new Map([...known, ...read].map((bar) => [bar.time, bar] as const));
  return [...byTime.values()].toSorted((one, other) => one.time - other.time);
}
