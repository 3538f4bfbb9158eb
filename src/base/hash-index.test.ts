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
          index.insert(key, reference);
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

test('ten thousand equal hashes are kept and taken out again', () => {
  const index = new HashIndex();
  for (let reference = 0; reference < 10_000; reference += 1) index.insert(7, reference);
  expect(all(index, 7).length).toBe(10_000);
  for (let reference = 0; reference < 10_000; reference += 1) index.remove(7, 9999 - reference);
  expect(index.count).toBe(0);
  expect(index.first(7)).toBe(-1);
});

test('taking out what is not there stops the role', () => {
  const index = new HashIndex();
  index.insert(1, 2);
  expect(() => index.remove(1, 3)).toThrow('a pair that is removed from an index exists');
});
