import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as words from '#http/words.ts';
import { orderKinds, orderStatuses } from '#model/order.ts';
import type { OrderNumber } from '#model/units.ts';
import { vocabulary } from './spec-facts.ts';

test('DEC-ORD-05: every order type is understood, aliases included, and answered by its canonical word', () => {
  expect(Object.values(words.orderKindWord).sort()).toEqual([...(vocabulary['orderType'] as string[])].sort());
  for (const [alias, canonical] of Object.entries(vocabulary['orderTypeAlias'] as Record<string, string>)) {
    const kind = words.orderKindOfWord[alias as keyof typeof words.orderKindOfWord];
    expect(words.orderKindWord[kind]).toBe(canonical);
  }
  for (const kind of orderKinds) expect(words.orderKindOfWord[words.orderKindWord[kind]]).toBe(kind);
});

test('DEC-ORD-06: statuses print their words, in the order of the pushed integers', () => {
  const pushed = vocabulary['pushedOrderStatus'] as Record<string, string>;
  expect(orderStatuses.map((status) => words.orderStatusWord[status])).toEqual(Object.values(pushed));
});

test('DEC-ORD-07: timeInForce follows from the type', () => {
  const printed = vocabulary['timeInForce'] as Record<string, string>;
  for (const kind of orderKinds) expect(words.timeInForceWord[kind]).toBe(printed[words.orderKindWord[kind]]);
});

test('SPEC-STP-01: modes of self-trade prevention read as they print', () => {
  expect(Object.values(words.stpModeWord)).toEqual(vocabulary['stpMode']);
  for (const [word, mode] of Object.entries(words.stpModeOfWord)) expect(words.stpModeWord[mode]).toBe(word);
});

test('SPEC-MKT-06, SPEC-MKT-07: pair statuses and sides print as numbers in text', () => {
  // Paused and cancel-only differ for operators alone. DEC-OPR-161.
  expect([...new Set(Object.values(words.symbolStatusWord))]).toEqual(vocabulary['symbolStatus']);
  expect(words.symbolStatusWord.cancelOnly).toBe(words.symbolStatusWord.paused);
  expect(Object.values(words.tradeSideTypeWord)).toEqual(vocabulary['tradeSideType']);
});

test('DEC-STR-26, DEC-MKT-01: candle lengths are the listed ones', () => {
  expect(Object.keys(words.candleIntervalOfWord)).toEqual(vocabulary['klineInterval']);
});

test('DEC-ORD-22: an order id reads back as the number it was made of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (number) => {
      const text = words.orderIdText(number as OrderNumber);
      expect(text).toMatch(/^C02__\d{18}$/);
      expect(words.orderOfId(text)).toBe(number);
    }),
  );
  for (const text of [
    '',
    'C02__',
    'C02__000000000000000001',
    'C02__100000000000000000',
    'c02__100000000000000001',
    '1',
  ]) {
    expect(words.orderOfId(text)).toBeNull();
  }
});

test('DEC-ORD-22: a trade id is the digits of the taker, X, and a running number', () => {
  expect(words.tradeIdText(42 as OrderNumber, 3)).toBe('100000000000000042X3');
});
