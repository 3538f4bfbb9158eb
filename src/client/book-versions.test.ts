import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BookSide, compareDecimals } from '#client/book-side.ts';
import { BookVersions } from '#client/book-versions.ts';

const level = (price: number, quantity: number) => ({ price: `${price}`, quantity: `${quantity}` });
const push = (fromVersion: number, toVersion: number, ...bids: ReturnType<typeof level>[]) => ({
  ...{ fromVersion: `${fromVersion}`, toVersion: `${toVersion}`, bids, asks: [] },
});
const snapshot = (lastUpdateId: number, ...bids: [string, string][]) => ({ lastUpdateId, bids, asks: [] });

test('DEC-KIT-89: decimals of any length are compared exactly', () => {
  const decimal = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 18 })).map(([digits, scale]) => {
    const text = `${digits}`.padStart(scale + 1, '0');
    const cut = text.length - scale;
    return `${text.slice(0, cut)}.${text.slice(cut)}`.replace(/\.?0*$/, '');
  });
  const quanta = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(18, '0'));
  };
  fc.assert(
    fc.property(decimal, decimal, (one, other) => {
      const difference = quanta(one) - quanta(other);
      expect(Math.sign(compareDecimals(one, other))).toBe(difference > 0n ? 1 : difference < 0n ? -1 : 0);
    }),
  );
});

test('DEC-KIT-89: a side is sorted and has the last quantity of each price, whatever is pushed', () => {
  const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 3 })));
  fc.assert(
    fc.property(changes, fc.constantFrom('bids' as const, 'asks' as const), (list, name) => {
      const side = new BookSide(name);
      const model = new Map<number, number>();
      for (const [price, quantity] of list) {
        side.change(`${price}`, `${quantity}`);
        if (quantity === 0) model.delete(price);
        else model.set(price, quantity);
      }
      const sign = name === 'bids' ? -1 : 1;
      const sorted = [...model].sort(([one], [other]) => (one - other) * sign);
      expect(side.top(100)).toEqual(sorted.map(([price, quantity]) => [`${price}`, `${quantity}`]));
      expect(side.size).toBe(model.size);
    }),
  );
});

test('DEC-KIT-89: a snapshot joins the pushes that waited, and a gap ends the book', () => {
  const book = new BookVersions();
  expect(book.take(push(3, 4, level(10, 1)))).toBe(false);
  expect(book.take(push(5, 7, level(11, 2)))).toBe(false);
  // Too old: version 2 is followed by 3, but 1 is not.
  expect(book.start(snapshot(1, ['9', '1']), 5000)).toBe(false);
  expect(book.start(snapshot(5, ['10', '1']), 5000)).toBe(true);
  expect([book.version, book.bids.top(9)]).toEqual([
    7,
    [
      ['11', '2'],
      ['10', '1'],
    ],
  ]);
  expect(book.take(push(8, 8, level(10, 0)))).toBe(true);
  // Once more, and one that is missing.
  expect(book.take(push(8, 8, level(10, 0)))).toBe(false);
  expect(book.start(snapshot(8, ['11', '2']), 5000)).toBe(true);
  expect(book.take(push(10, 11, level(12, 1)))).toBe(false);
  expect(book.isReady).toBe(false);
  expect(book.start(snapshot(8, ['11', '2']), 5000)).toBe(false);
  expect(book.start(snapshot(9, ['11', '2']), 5000)).toBe(true);
  expect([book.version, book.bids.top(1)]).toEqual([11, [['12', '1']]]);
});

test('DEC-KIT-89: of a book that is deeper than its snapshot nothing is shown that is not certain', () => {
  const book = new BookVersions();
  book.start(snapshot(1, ['10', '1'], ['9', '1']), 2);
  // 8 may have been there before, with another quantity.
  book.take(push(2, 3, level(8, 5), level(9.5, 1)));
  expect(book.bids.top(9).map(([price]) => price)).toEqual(['10', '9.5', '9']);
  expect(book.bids.isPart).toBe(true);
  expect(book.asks.isPart).toBe(false);
});

test('DEC-KIT-89: pushes that wait for a snapshot are bounded', () => {
  const book = new BookVersions();
  for (let version = 1; version <= 25_000; version += 1) book.take(push(version, version, level(version, 1)));
  expect(book.start(snapshot(5000), 5000)).toBe(false);
  expect(book.start(snapshot(24_990), 5000)).toBe(true);
  expect([book.version, book.bids.size]).toEqual([25_000, 10]);
});
