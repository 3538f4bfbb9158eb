import { expect, test } from 'vitest';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { PasswordQueue } from '#public-api/broker/password-queue.ts';

const asker = (broker: number, account: number) => ({
  broker: as<AccountId>(broker),
  account: as<AccountId>(account),
});

test('DEC-SUB-56: brokers have a turn each, and so have the accounts of a broker', () => {
  const queue = new PasswordQueue<string>();
  for (const waiting of ['a1', 'a2', 'a3', 'a4']) queue.push(asker(1, 11), waiting);
  for (const waiting of ['b1', 'b2']) queue.push(asker(1, 12), waiting);
  queue.push(asker(2, 21), 'c1');
  queue.push(asker(3, 31), 'd1');
  const order = Array.from({ length: 9 }, () => queue.shift());
  expect(order).toEqual(['a1', 'c1', 'd1', 'b1', 'a2', 'b2', 'a3', 'a4', undefined]);
  expect(queue.count).toBe(0);
});

test('DEC-SUB-56: with too many, the newest goes of the account that has most, of the broker that has', () => {
  const queue = new PasswordQueue<string>();
  for (const waiting of ['a1', 'a2']) queue.push(asker(1, 11), waiting);
  for (const waiting of ['b1', 'b2', 'b3']) queue.push(asker(2, 21), waiting);
  for (const account of [12, 13]) queue.push(asker(1, account), `of ${account}`);
  expect(queue.dropOfGreediest()).toBe('a2');
  expect(queue.countOf(asker(1, 11))).toBe(1);
  queue.remove(asker(1, 12), 'of 12');
  queue.remove(asker(1, 12), 'of 12');
  expect(queue.dropOfGreediest()).toBe('b3');
  expect([queue.count, queue.shift(), queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([
    4,
    'a1',
    'b1',
    'of 13',
    'b2',
    undefined,
  ]);
});
