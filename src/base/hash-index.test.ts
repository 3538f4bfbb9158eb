import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashIndex } from '#base/hash-index.ts';

const all = (index: HashIndex, hash: number): number[] => {
  const found: number[] = [];
  for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) found.push(index.reference(at));
  return found.sort((first, second) => first - second);
};

test('an index holds what a map of sets would, whatever the hashes', () => {
  const hash = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 40 }), fc.constantFrom(-1, 0, 1 << 30, 1 << 31));
  const step = fc.tuple(hash, fc.integer({ min: 0, max: 30 }), fc.constantFrom('add', 'add', 'remove'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
      const index = new HashIndex();
      const model = new Map<number, Set<number>>();
      for (const [key, reference, what] of steps) {
        const known = model.get(key) ?? new Set();
        model.set(key, known);
        if (what === 'add' && !known.has(reference)) {
          index.add(key, reference);
          known.add(reference);
        } else if (what === 'remove' && known.has(reference)) {
          known.delete(reference);
          index.remove(key, reference);
        }
      }
      let count = 0;
      for (const [key, known] of model) {
        expect(all(index, key)).toEqual([...known].sort((first, second) => first - second));
        count += known.size;
      }
      expect(index.count).toBe(count);
    }),
    { numRuns: 60 },
  );
});

test('what is gone makes room without being taken out, and what is there is found', () => {
  const hashOf = (reference: number): number => Math.imul(reference, 0x9e3779b1) >> (reference % 3 === 0 ? 27 : 0);
  const total = 60_000;
  const kept = 2000;
  let earliest = 0;
  const index = new HashIndex((reference) => reference < earliest);
  let entries = 0;
  for (let reference = 0; reference < total; reference += 1) {
    index.add(hashOf(reference), reference);
    if (reference >= kept) {
      earliest += 1;
      index.forgetOne();
    }
  }
  expect(index.count).toBe(kept);
  for (let reference = 0; reference < total; reference += 1) {
    const found = all(index, hashOf(reference)).includes(reference);
    if (reference >= earliest) expect(found).toBe(true);
    if (found) entries += 1;
  }
  expect(entries).toBeLessThan(8 * kept);
});

test('a long chain of equal hashes does not grow with what is gone', () => {
  const kept = 300;
  let earliest = 0;
  const index = new HashIndex((reference) => reference < earliest);
  for (let reference = 0; reference < 30_000; reference += 1) {
    index.add(7, reference);
    if (reference < kept) continue;
    earliest += 1;
    index.forgetOne();
  }
  const found = all(index, 7);
  expect(found.filter((reference) => reference >= earliest)).toHaveLength(kept);
  expect(found.length).toBeLessThan(3 * kept);
});

test('ten thousand equal hashes are kept and taken out again', () => {
  const index = new HashIndex();
  for (let reference = 0; reference < 10_000; reference += 1) index.add(7, reference);
  expect(all(index, 7).length).toBe(10_000);
  for (let reference = 0; reference < 10_000; reference += 1) index.remove(7, 9999 - reference);
  expect(index.count).toBe(0);
  expect(index.first(7)).toBe(-1);
});

test('taking out what is not there stops the role', () => {
  const index = new HashIndex();
  index.add(1, 2);
  expect(() => index.remove(1, 3)).toThrow('is there');
});
