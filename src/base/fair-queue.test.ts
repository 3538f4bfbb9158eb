import { expect, test } from 'vitest';
import { FairQueue } from '#base/fair-queue.ts';

test('owners take turns, and the items of one come in their order', () => {
  const queue = new FairQueue<string>({ perOwnerMax: 10, totalMax: 100 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) queue.add(item[0] as string, item);
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a1', 'b1', 'a2']);
  queue.add('c', 'c1');
  expect(Array.from({ length: 5 }, () => queue.take())).toEqual(['b2', 'a3', 'c1', 'a4', undefined]);
  expect(queue.size).toBe(0);
});

test('what waits is bounded by owner and in all', () => {
  const queue = new FairQueue<number>({ perOwnerMax: 2, totalMax: 3 });
  expect([queue.add('a', 1), queue.add('a', 2), queue.add('a', 3)]).toEqual([true, true, false]);
  expect([queue.add('b', 4), queue.add('c', 5)]).toEqual([true, false]);
  queue.take();
  expect(queue.add('c', 6)).toBe(true);
});
