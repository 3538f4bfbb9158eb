import { expect, test } from 'vitest';
import { WritePace } from '#journal/write-pace.ts';

/** How many of the next writes are handed over before one is waited for. */
function handedOver(pace: WritePace): number {
  let count = 0;
  while (!pace.isPrompt(100)) count += 1;
  return count;
}

test('a fast disk is waited for, a large write never', () => {
  const pace = new WritePace();
  for (let write = 0; write < 100; write += 1) {
    expect(pace.isPrompt(100)).toBe(true);
    pace.took(0.1);
  }
  expect(pace.isPrompt(10_000_000)).toBe(false);
});

test('a disk that stays slow is asked ever more seldom, one that stalls now and then is fast', () => {
  const pace = new WritePace();
  const pauses: number[] = [];
  pace.took(20);
  for (let write = 0; write < 12; write += 1) {
    pace.took(20);
    pauses.push(handedOver(pace));
  }
  expect(pauses).toEqual([16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096, 4096, 4096]);
  pace.took(0.1);
  pace.took(20);
  expect(handedOver(pace)).toBe(0);
  pace.took(20);
  expect(handedOver(pace)).toBe(16);
});
