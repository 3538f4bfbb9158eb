import { expect, test } from 'vitest';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { HistoryReads, type Reader } from '#public-api/history/history-reads.ts';

const { atOnce, perOwnerMax } = wireLimits.historyReads;
const readerAt = (bucket: string): Reader => ({ client: { bucket }, retryAfterSeconds: null }) as Reader;
/** Runs everything that waits for nothing else. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Reads that end when the test says so. */
function startReads() {
  const reads = new HistoryReads();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (name: string, reader = readerAt(name.slice(0, 1))) =>
    reads.run(reader, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  return { reads, begun, read, endOne: () => ends.shift()?.() };
}

test('DEC-LIM-120: a few reads of history run at a time, and addresses take turns', async () => {
  const { begun, read, endOne, reads } = startReads();
  const all = Array.from({ length: 20 }, (_none, index) => read(`a${index}`));
  all.push(read('b0'), read('c0'));
  await settle();
  expect(begun).toEqual(['a0', 'a1'].slice(0, atOnce));
  for (let step = 0; step < 3; step += 1) {
    endOne();
    await settle();
  }
  expect(begun.slice(atOnce)).toEqual(['a2', 'b0', 'c0']);
  for (let step = 0; step < 30; step += 1) {
    endOne();
    await settle();
  }
  await Promise.all(all);
  expect(reads.size).toBe(0);
});

test('DEC-LIM-121: beyond the bound of an address a read is refused with Retry-After; other addresses wait on', async () => {
  const { read, reads } = startReads();
  for (let index = 0; index < atOnce + perOwnerMax; index += 1) void read(`a${index}`);
  const refused = readerAt('a');
  await expect(read('a!', refused)).rejects.toThrow(ApiError);
  expect(refused.retryAfterSeconds).toBe(1);
  void read('b0');
  expect(reads.size).toBe(atOnce + perOwnerMax + 1);
});

test('DEC-LIM-120: a read that fails gives its turn to the next', async () => {
  const reads = new HistoryReads();
  const failing = Array.from({ length: 5 }, () =>
    reads.run(readerAt('a'), () => Promise.reject(new TypeError('planted'))),
  );
  const outcomes = await Promise.allSettled([...failing, reads.run(readerAt('a'), async () => 'read')]);
  expect(outcomes.map(({ status }) => status)).toEqual([...failing.map(() => 'rejected'), 'fulfilled']);
  expect(reads.size).toBe(0);
});
