import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberHeap } from '#base/number-heap.ts';

test('a heap gives the least of what was added and not yet removed', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer()), { maxLength: 200 }), (steps) => {
      const heap = new NumberHeap();
      let model: number[] = [];
      for (const step of steps) {
        if (step === null) {
          heap.removeLeast();
          model = model.slice(1);
        } else {
          heap.add(step);
          model = [...model, step].sort((first, second) => first - second);
        }
        expect([heap.least, heap.count]).toEqual([model[0] ?? null, model.length]);
      }
    }),
  );
});
