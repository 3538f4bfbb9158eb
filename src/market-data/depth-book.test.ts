import { expect, test } from 'vitest';
import type { BookImage } from '#sequencer/queries/exchange-queries.ts';
import { DepthBook } from '#market-data/depth-book.ts';

const image = (version: number, bids: number[][], asks: number[][]): BookImage =>
  ({ version, bids, asks }) as unknown as BookImage;
const change = (book: DepthBook, version: number, side: 'buy' | 'sell', price: number, lots: number): void =>
  book.change(version as never, side, price as never, lots as never);
const print = (price: number, lots: number): string => `["${price}","${lots}"]`;

test('levels come best first on both sides, and go when nothing rests there', () => {
  const book = new DepthBook();
  for (const [version, price] of [
    [1, 5],
    [2, 7],
    [3, 6],
  ])
    change(book, version as number, 'buy', price as number, 10);
  for (const [version, price] of [
    [4, 12],
    [5, 10],
    [6, 11],
  ])
    change(book, version as number, 'sell', price as number, 3);
  change(book, 7, 'buy', 7, 0);
  change(book, 8, 'sell', 10, 4);
  expect(book.image(2)).toEqual(
    image(
      8,
      [
        [6, 10],
        [5, 10],
      ],
      [
        [10, 4],
        [11, 3],
      ],
    ),
  );
  expect(book.best()).toEqual({ bid: { price: 6, lots: 10 }, ask: { price: 10, lots: 4 } });
  expect(book.text(1, print)).toBe('{"lastUpdateId":8,"bids":[["6","10"]],"asks":[["10","4"]]}');
});

test('a printed level is printed again only after it changed', () => {
  const book = new DepthBook();
  const printed: number[] = [];
  const spy = (price: number, lots: number): string => {
    printed.push(price);
    return print(price, lots);
  };
  change(book, 1, 'buy', 5, 1);
  change(book, 2, 'buy', 6, 1);
  book.text(10, spy);
  change(book, 3, 'buy', 6, 2);
  expect(book.text(10, spy)).toContain('["6","2"],["5","1"]');
  expect(printed).toEqual([6, 5, 6]);
});

test('changes that came before their book wait for it; older ones are old news', () => {
  const book = new DepthBook();
  for (const [version, lots] of [
    [5, 50],
    [6, 60],
    [7, 70],
  ])
    change(book, version as number, 'buy', 9, lots as number);
  expect(book.complete).toBe(false);
  expect(
    book.load(
      image(
        5,
        [
          [9, 50],
          [8, 1],
        ],
        [],
      ),
    ),
  ).toBe(true);
  expect(book.image(5)).toEqual(
    image(
      7,
      [
        [9, 70],
        [8, 1],
      ],
      [],
    ),
  );
  change(book, 6, 'buy', 9, 1);
  expect(book.image(5).bids[0]).toEqual([9, 70]);
  expect(book.load(image(6, [], []))).toBe(true);
  expect(book.version).toBe(7);
});

test('a book that leaves a gap to the changes that wait is refused, and a later one is taken', () => {
  const book = new DepthBook();
  change(book, 1, 'sell', 4, 1);
  change(book, 4, 'sell', 4, 4);
  expect(book.complete).toBe(false);
  expect(book.load(image(2, [], [[4, 2]]))).toBe(false);
  expect(book.load(image(3, [], [[4, 3]]))).toBe(true);
  expect(book.image(5)).toEqual(image(4, [], [[4, 4]]));
});

test('what waits is bounded, and a book as new as the changes makes up for those let go', () => {
  const book = new DepthBook();
  for (let version = 2; version <= 6000; version += 1) change(book, version, 'buy', 1, version);
  expect(book.load(image(100, [[1, 100]], []))).toBe(false);
  expect(book.load(image(5999, [[1, 5999]], []))).toBe(true);
  expect(book.image(1)).toEqual(image(6000, [[1, 6000]], []));
});
