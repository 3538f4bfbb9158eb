import { expect, test } from 'vitest';
import type { TradeRow } from '#history/tables/history-tables.ts';
import { TradeTape } from '#market-data/trade-tape.ts';

const trade = (number: number, fields: object = {}): TradeRow =>
  ({
    trade: number,
    at: number * 10,
    price: 5,
    lots: 1,
    quoteAmount: 5,
    takerSide: 'buy',
    taker: number,
    symbol: 0,
    ...fields,
  }) as TradeRow;

test('the newest thousand trades are kept, newest first', () => {
  const tape = new TradeTape();
  for (let number = 1; number <= 1500; number += 1) tape.add(trade(number));
  expect(tape.newest(3).map((row) => row.trade)).toEqual([1500, 1499, 1498]);
  expect(tape.newest(5000)).toHaveLength(1000);
  expect(tape.last()?.trade).toBe(1500);
});

test('a window that may reach behind the tape is left to history', () => {
  const tape = new TradeTape();
  for (let number = 1; number <= 1500; number += 1) tape.add(trade(number));
  const oldest = tape.newestMerged(5000)[0] as { at: number };
  expect(oldest.at).toBe(5000);
  expect(tape.mergedWithin(oldest.at, 1e9, 10)).toBeNull();
  expect(tape.mergedWithin(oldest.at + 1, 1e9, 2)?.map((row) => row.first)).toEqual([501, 502]);
});

test('a tape that begins at the first trade ever answers every window', () => {
  const tape = new TradeTape();
  expect(tape.mergedWithin(0, 1e9, 10)).toEqual([]);
  for (const number of [1, 2, 3]) tape.add(trade(number, { taker: 1, at: 7 }));
  tape.add(trade(4, { taker: 1, at: 7, price: 6 }));
  expect(tape.mergedWithin(0, 1e9, 10)?.map((row) => [row.first, row.last, row.lots])).toEqual([
    [1, 3, 3n],
    [4, 4, 1n],
  ]);
  expect(tape.mergedWithin(8, 1e9, 10)).toEqual([]);
});

test('a restored tape goes on after what history had', () => {
  const tape = new TradeTape();
  const merged = { first: 8, last: 9, at: 90, price: 5, lots: 2n, takerSide: 'buy' } as never;
  tape.restore([trade(8), trade(9)], [merged]);
  tape.add(trade(10));
  expect(tape.newest(2).map((row) => row.trade)).toEqual([10, 9]);
  expect(tape.newestMerged(5).map((row) => row.last)).toEqual([9, 10]);
  expect(tape.mergedWithin(90, 1e9, 10)).toBeNull();
  expect(tape.mergedWithin(91, 1e9, 10)).toHaveLength(1);
});
