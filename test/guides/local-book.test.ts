import { expect, test } from 'vitest';
import { asOfClient, type Depth, type Level, loadExampleBot, type Update } from './example-bot.ts';

/** How pushes join a snapshot and each other, by DEC-STR-20. */

const { BookCheck, LocalBook } = await loadExampleBot();

const bid = (price: string, quantity: string): Level => ({ price, quantity });
const push = (from: number, to: number, bids: readonly Level[]): Update => ({
  fromVersion: String(from),
  toVersion: String(to),
  bids,
  asks: [],
});
const snapshot = (lastUpdateId: number, ...bids: [string, string][]): Depth => ({ lastUpdateId, bids, asks: [] });

test('a push that begins one after the snapshot joins it, and one that ends before is left out', () => {
  const book = new LocalBook();
  expect(book.take(push(4, 5, [bid('9', '7')]))).toBe(false);
  expect(book.take(push(6, 7, [bid('10', '3')]))).toBe(false);
  expect(book.start(snapshot(5, ['10', '1'], ['9', '2']))).toBe(true);
  expect([book.version, book.top('bids', 9)]).toEqual([
    7,
    [
      ['10', '3'],
      ['9', '2'],
    ],
  ]);
});

test('the first push may begin before the snapshot, because quantities are absolute', () => {
  const book = new LocalBook();
  book.take(push(4, 7, [bid('10', '3'), bid('9', '0')]));
  expect(book.start(snapshot(5, ['10', '2'], ['9', '1']))).toBe(true);
  expect([book.version, book.top('bids', 9)]).toEqual([7, [['10', '3']]]);
});

test('a snapshot that ends before what waits begins is refused, and a newer one is taken', () => {
  const book = new LocalBook();
  book.take(push(8, 8, [bid('10', '3')]));
  expect([book.start(snapshot(6, ['10', '1'])), book.isReady]).toEqual([false, false]);
  expect([book.start(snapshot(7, ['10', '1'])), book.version]).toEqual([true, 8]);
});

test('an empty book joins its first push', () => {
  const book = new LocalBook();
  expect(book.start(snapshot(0))).toBe(true);
  expect(book.take(push(1, 2, [bid('10', '1')]))).toBe(true);
  expect(book.version).toBe(2);
});

test.each([
  ['leaves out a version', push(8, 9, [])],
  ['comes twice', push(6, 6, [])],
  ['overlaps one that is not the first', push(6, 8, [])],
])('a push that %s is a gap: the book is not ready until a new snapshot', (_, gap) => {
  const book = new LocalBook();
  book.start(snapshot(5, ['10', '1']));
  book.take(push(6, 6, [bid('10', '2')]));
  expect([book.take(gap), book.isReady]).toEqual([false, false]);
  book.take(push(10, 10, [bid('11', '4')]));
  expect(book.start(snapshot(9, ['9', '5']))).toBe(true);
  expect([book.version, book.top('bids', 9)]).toEqual([
    10,
    [
      ['11', '4'],
      ['9', '5'],
    ],
  ]);
});

test('a gap among the pushes that waited for the snapshot is found, too', () => {
  const book = new LocalBook();
  book.take(push(6, 6, [bid('10', '2')]));
  book.take(push(8, 8, [bid('10', '4')]));
  expect([book.start(snapshot(5, ['10', '1'])), book.isReady]).toEqual([false, false]);
  expect([book.start(snapshot(7, ['10', '3'])), book.top('bids', 1)]).toEqual([true, [['10', '4']]]);
});

/** A ready book with its check; each snapshot asked for is as at version 6, and given when the test says so. */
function checkedBook() {
  const book = new LocalBook();
  book.start(snapshot(5, ['10', '1']));
  const given: (() => void)[] = [];
  const depth = () => new Promise((resolve) => given.push(() => resolve(snapshot(6, ['10', '2']))));
  const check = new BookCheck({ client: { depth }, book: asOfClient(book), symbol: 'BTCUSDT' });
  const hear = (update: Update): void => {
    check.note(update);
    book.take(update);
  };
  return { book, check, given, hear };
}

test('a comparison leaves out what was pushed behind its snapshot, also beside another one', async () => {
  const { check, given, hear } = checkedBook();
  hear(push(6, 6, [bid('10', '2')]));
  const first = check.run();
  hear(push(7, 7, [bid('10', '3')]));
  const second = check.run();
  for (const give of given) give();
  expect(await first).toEqual([]);
  expect(await second).toEqual(['bids 10: 3 here, 2 there']);
});

test('a comparison says nothing of a book that was made anew while it looked', async () => {
  const { book, check, given, hear } = checkedBook();
  hear(push(6, 6, [bid('10', '2')]));
  const comparing = check.run();
  hear(push(8, 8, []));
  book.start(snapshot(8, ['10', '9']));
  given[0]?.();
  expect([book.isReady, await comparing, check.compared]).toEqual([true, [], 0]);
});
