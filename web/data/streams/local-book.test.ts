import { expect, test } from 'vitest';
import { LocalBook } from '#web/data/streams/local-book.ts';

const push = (from: number, to: number, bids: [string, string][] = [], asks: [string, string][] = []) => ({
  fromVersion: String(from),
  toVersion: String(to),
  bids: bids.map(([price, quantity]) => ({ price, quantity })),
  asks: asks.map(([price, quantity]) => ({ price, quantity })),
});
const shown = (book: LocalBook) => [[...book.levels('bids', 9, 2, 4)], [...book.levels('asks', 9, 2, 4)]];

test('DEC-WEB-07: changes that came before the snapshot count from its version on, and quantities of 0 remove', () => {
  const book = new LocalBook();
  expect(book.change(push(4, 5, [['10.5', '1']]))).toBe(true);
  expect(book.change(push(6, 7, [['10.5', '0']], [['11', '0.5']]))).toBe(true);
  expect(book.version).toBe(null);
  expect(
    book.start({
      lastUpdateId: 5,
      bids: [
        ['10.5', '1'],
        ['10.25', '2'],
      ],
      asks: [['12', '3']],
    }),
  ).toBe(true);
  expect([book.version, shown(book)]).toEqual([
    7,
    [
      [1025, 20_000],
      [1100, 5000, 1200, 30_000],
    ],
  ]);
  expect(book.change(push(3, 6, [['9', '9']]))).toBe(true);
  expect(shown(book)[0]).toEqual([1025, 20_000]);
});

test('DEC-WEB-07: after a gap the book is unknown until it starts again', () => {
  const book = new LocalBook();
  book.start({ lastUpdateId: 5, bids: [['10', '1']], asks: [] });
  expect(book.change(push(7, 8, [['9', '1']]))).toBe(false);
  expect([book.version, shown(book)]).toEqual([null, [[], []]]);
  expect(book.start({ lastUpdateId: 6, bids: [['10', '1']], asks: [] })).toBe(true);
  expect([book.version, shown(book)[0]]).toEqual([8, [1000, 10_000, 900, 10_000]]);
});

test('DEC-WEB-07: a snapshot that is older than the changes that came is asked for again', () => {
  const book = new LocalBook();
  book.change(push(10, 11, [['9', '1']]));
  expect(book.start({ lastUpdateId: 5, bids: [], asks: [] })).toBe(false);
  expect(book.start({ lastUpdateId: 9, bids: [], asks: [] })).toBe(true);
  expect(book.version).toBe(11);
});
