import { describe, expect, test } from 'vitest';
import { compactText, groupedText, percentText } from '#public-api/pages/number-texts.ts';

test.each([
  [0, 0, '0'],
  [0, 2, '0.00'],
  [999, 0, '999'],
  [1000, 0, '1,000'],
  [123_456_789, 0, '123,456,789'],
  [6_512_300, 2, '65,123.00'],
  [2345, 8, '0.00002345'],
  [10n ** 20n, 2, '1,000,000,000,000,000,000.00'],
])('%d at %d decimals keeps its decimals and groups its thousands', (value, decimals, text) => {
  expect(groupedText(value, decimals)).toBe(text);
});

describe('an amount', () => {
  test.each([
    [0n, '0.00'],
    [999_999n, '999.99'],
    [1_000_000n, '1.00K'],
    [12_345_678_999n, '12.34M'],
    [999_999_999_999n, '999.99M'],
    [1_000_000_000_000n, '1.00B'],
    [4_200_000_000_000_000_000n, '4,200.00T'],
  ])('of %d thousandths is cut at two decimals of its unit', (amount, text) => {
    expect(compactText(amount, 3)).toBe(text);
  });
});

test.each([
  [0, '0.00%'],
  [7, '+0.07%'],
  [-123, '−1.23%'],
  [1_234_500, '+12,345.00%'],
])('a change of %d basis points has its sign', (bps, text) => {
  expect(percentText(bps)).toBe(text);
});
