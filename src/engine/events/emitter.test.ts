import { expect, test } from 'vitest';
import type { PositionView } from '#model/contract.ts';
import { as } from '#model/units.ts';
import { BookTables } from '#engine/book/book.ts';
import { Emitter } from '#engine/events/emitter.ts';

const position: PositionView = {
  account: as(20),
  contract: as(3),
  lots: 10,
  cost: as(5000n),
  mode: 'cross',
  leverage: 20,
  margin: as(250n),
  realised: as(-7n),
  openedAt: as(1000),
  updatedAt: as(2000),
};

/** Digest of the events so far, after these positions. */
function digestAfter(...changes: readonly Partial<PositionView>[]): string {
  const emitter = new Emitter(new BookTables().orders);
  for (const change of changes) emitter.positionChanged({ ...position, ...change });
  return emitter.digest();
}

test('positions that differ in one number have different digests, also beyond a safe integer', () => {
  const great = 2n ** 59n;
  const changes: readonly Partial<PositionView>[] = [
    {},
    { account: as(21) },
    { contract: as(4) },
    { lots: -10 },
    { cost: as(5001n) },
    { cost: as(-5000n) },
    { cost: as(great) },
    { cost: as(great + 1n) },
    { mode: 'isolated' },
    { leverage: 21 },
    { margin: as(251n) },
    { margin: as(great) },
    { margin: as(great + 1n) },
    { realised: as(7n) },
    { openedAt: as(1001) },
  ];
  const digests = changes.map((change) => digestAfter(change));
  expect(new Set(digests).size).toBe(changes.length);
  expect(digestAfter({}, {})).not.toBe(digestAfter({}));
  expect(changes.map((change) => digestAfter(change))).toEqual(digests);
});
