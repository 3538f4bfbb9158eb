import { expect, test } from 'vitest';
import { SlidingWindow } from '#base/sliding-window.ts';

const dropAll = (window: SlidingWindow<{ at: number }>, now: number): number[] => {
  const dropped: number[] = [];
  window.slide(now, ({ at }) => void dropped.push(at));
  return dropped;
};

test('an item is dropped in the millisecond in which it is as old as the window is long, oldest first', () => {
  const window = new SlidingWindow<{ at: number }>(100);
  for (const at of [1, 5, 5, 90]) window.add({ at });
  expect(dropAll(window, 100)).toEqual([]);
  expect(dropAll(window, 101)).toEqual([1]);
  expect(dropAll(window, 105)).toEqual([5, 5]);
  expect(window.all()).toEqual([{ at: 90 }]);
  expect(window.count).toBe(1);
});

test('a window that goes on for long holds what a list of all items would', () => {
  const window = new SlidingWindow<{ at: number }>(700);
  const all: number[] = [];
  let dropped = 0;
  for (let at = 0; at < 20_000; at += 3) {
    window.add({ at });
    all.push(at);
    if (at % 5 === 0) dropped += dropAll(window, at).length;
    if (at % 50 === 0) expect(window.all().map((item) => item.at)).toEqual(all.filter((time) => time + 700 > at));
    expect(window.count).toBe(all.length - dropped);
  }
});
