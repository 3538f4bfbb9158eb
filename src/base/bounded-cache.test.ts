import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from '#base/bounded-cache.ts';

test('an entry lives at least as long as it is kept, and at most twice as long', () => {
  const cache = new BoundedCache<string, number>({ keepMs: 100, entriesKept: 10 });
  cache.set('early', 1, 0);
  cache.set('late', 2, 99);
  expect(cache.get('early', 100)).toBe(1);
  expect(cache.get('late', 198)).toBe(2);
  expect(cache.get('late', 200)).toBeUndefined();
  expect(cache.size).toBe(0);
});

test('an entry lives no longer where nobody asks when its generation turns', () => {
  const cache = new BoundedCache<string, number>({ keepMs: 100, entriesKept: 10 });
  cache.set('early', 1, 0);
  cache.set('late', 2, 131);
  expect(cache.get('early', 199)).toBe(1);
  expect(cache.get('early', 200)).toBeUndefined();
  expect(cache.get('late', 231)).toBe(2);
});

test('after a long pause nothing old is left', () => {
  const cache = new BoundedCache<string, number>({ keepMs: 100, entriesKept: 10 });
  cache.set('old', 1, 50);
  expect(cache.get('old', 100_000)).toBeUndefined();
});

test('the oldest make room once there are too many', () => {
  const cache = new BoundedCache<string, number>({ keepMs: 100, entriesKept: 3 });
  for (let index = 0; index < 8; index += 1) cache.set(`key${index}`, index, 0);
  expect([cache.get('key2', 1), cache.get('key3', 1), cache.get('key7', 1)]).toEqual([undefined, 3, 7]);
  expect(cache.size).toBe(5);
});

test('without a lifetime, entries go only when others need their room', () => {
  const cache = new BoundedCache<number, string>({ entriesKept: 2 });
  cache.set(1, 'one');
  cache.set(1, 'uno');
  expect([cache.get(1), cache.get(2), cache.size]).toEqual(['uno', undefined, 1]);
  cache.delete(1);
  expect([cache.get(1), cache.size]).toEqual([undefined, 0]);
});

test('the last entries are remembered with their last value, deleted ones are not, and the size is bounded', () => {
  const key = fc.integer({ min: 0, max: 20 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat(), ms: fc.nat(30) }),
    fc.record({ kind: fc.constant('delete' as const), key, value: fc.constant(0), ms: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), (steps, entriesKept) => {
      const keepMs = 100;
      const cache = new BoundedCache<number, number>({ entriesKept, keepMs });
      /** In the order of the last set; what was deleted since counts among the last entries, without a value. */
      const lastSet = new Map<number, { value: number | undefined; at: number }>();
      let now = 0;
      for (const { kind, key: name, value, ms } of steps) {
        now += ms;
        const known = lastSet.get(name);
        if (kind === 'delete') {
          cache.delete(name);
          if (known !== undefined) lastSet.set(name, { ...known, value: undefined });
        } else {
          cache.set(name, value, now);
          lastSet.delete(name);
          lastSet.set(name, { value, at: now });
        }
        expect(cache.size).toBeLessThanOrEqual(2 * entriesKept);
        const recent = [...lastSet].toReversed().slice(0, entriesKept);
        for (const [recently, entry] of recent) {
          if (now - entry.at < keepMs) expect(cache.get(recently, now)).toBe(entry.value);
        }
        for (const [any, entry] of lastSet) {
          expect([entry.value, undefined]).toContain(cache.get(any, now));
          if (now - entry.at >= 2 * keepMs) expect(cache.get(any, now)).toBeUndefined();
        }
      }
    }),
  );
});
