import { expect, test } from 'vitest';
import { keptReading } from '#main/metrics/kept-reading.ts';

test('what is expensive is read again only when it is too old', async () => {
  const clock = { time: 0, now: () => clock.time };
  let count = 0;
  const read = keptReading(clock, 1000, async () => {
    count += 1;
    if (count === 2) throw new Error('not now');
    return count;
  });
  expect(await Promise.all([read(), read()])).toEqual([
    { value: 1, ageMs: 0 },
    { value: 1, ageMs: 0 },
  ]);
  clock.time = 999;
  expect(await read()).toEqual({ value: 1, ageMs: 999 });
  clock.time = 1000;
  await expect(read()).rejects.toThrow('not now');
  expect(await read()).toEqual({ value: 3, ageMs: 0 });
});
