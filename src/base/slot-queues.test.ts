import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Room } from '#base/room.ts';
import { SlotQueues } from '#base/slot-queues.ts';

const shift = 3;
const queueAt = 1;
const inRecordMax = 4;

test('queues keep their order whatever leaves them from where, in the record and beyond it', () => {
  const step = fc.record({
    queue: fc.nat(2),
    leaves: fc.boolean(),
    which: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const owners = new Room();
      const queues = new SlotQueues(owners, shift, queueAt);
      const lines = new Map<number, number>();
      const expected: number[][] = [[], [], []];
      for (const owner of expected.keys()) {
        owners.words[owner << shift] = ~owner;
        queues.open(owner);
      }
      for (const [slot, { queue, leaves, which }] of steps.entries()) {
        const slots = expected[queue]!;
        if (leaves && slots.length > 0) {
          const [gone] = slots.splice(Math.floor(which * slots.length), 1);
          queues.remove(queue, lines.get(gone!)!, gone!);
        } else {
          slots.push(slot);
          lines.set(slot, queues.append(queue, slot));
        }
        for (const [owner, all] of expected.entries()) {
          expect(queues.all(owner)).toEqual(all);
          expect(queues.isEmpty(owner)).toBe(all.length === 0);
          if (all.length > 0) expect(queues.first(owner)).toBe(all[0]);
          expect(owners.words[owner << shift]).toBe(~owner);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test.for([1, inRecordMax])('a queue of %i stays in its record however long it goes on', (length) => {
  const owners = new Room();
  const queues = new SlotQueues(owners, shift, queueAt);
  for (const owner of [0, 1, 2]) {
    owners.words[owner << shift] = ~owner;
    queues.open(owner);
  }
  const waiting: { slot: number; line: number }[] = [];
  for (let slot = 0; slot < 1000; slot += 1) {
    if (waiting.length === length) {
      const first = waiting.shift()!;
      queues.remove(1, first.line, first.slot);
    }
    const line = queues.append(1, slot);
    expect(line).toBe(waiting[0]?.line ?? line);
    waiting.push({ slot, line });
    expect([0, 1, 2].map((owner) => owners.words[owner << shift])).toEqual([~0, ~1, ~2]);
    expect([0, 1, 2].map((owner) => queues.all(owner).length)).toEqual([0, waiting.length, 0]);
  }
  while (waiting.length < inRecordMax) waiting.push({ slot: 0, line: queues.append(1, 0) });
  expect(queues.append(1, 1000)).not.toBe(waiting[0]!.line);
});

test('a walk stops where it is told to, in the record or beyond it', () => {
  const queues = new SlotQueues(new Room(), shift, queueAt);
  queues.open(0);
  for (let slot = 1; slot < 40; slot += 1) queues.append(0, slot);
  for (const stop of [2, 20]) {
    const seen: number[] = [];
    expect(queues.every(0, (slot) => seen.push(slot) < stop)).toBe(false);
    expect(seen).toEqual(Array.from({ length: stop }, (_, index) => index + 1));
  }
});
