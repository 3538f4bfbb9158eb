import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, parseDecimal, parseSafeDecimal } from '#base/decimal.ts';

const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const scales = fc.integer({ min: 0, max: 18 });

test('a safe integer prints as the big integer of the same value does', () => {
  fc.assert(
    fc.property(safe, scales, (value, scale) => {
      expect(formatDecimal(value, scale)).toBe(formatDecimal(BigInt(value), scale));
      const round = Math.floor(value / 1e6) * 1e6;
      expect(formatDecimal(round, scale)).toBe(formatDecimal(BigInt(round), scale));
    }),
    { numRuns: 2000 },
  );
});

test('what is printed reads back as the same number', () => {
  fc.assert(
    fc.property(safe, fc.integer({ min: 0, max: 15 }), (value, scale) => {
      expect(parseSafeDecimal(formatDecimal(value, scale), scale)).toBe(value);
      expect(parseDecimal(formatDecimal(BigInt(value), scale), scale)).toBe(BigInt(value));
    }),
    { numRuns: 1000 },
  );
});

test('decimals are trimmed, zero is 0, and a sign stays', () => {
  expect([formatDecimal(12_500, 4), formatDecimal(0, 4), formatDecimal(20_000, 4)]).toEqual(['1.25', '0', '2']);
  expect([formatDecimal(-12_500, 4), formatDecimal(5, 0), formatDecimal(2, 9)]).toEqual(['-1.25', '5', '0.000000002']);
});

test('short texts are read as long ones are', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0019.5'), maxLength: 18 }),
    fc.constantFrom('', '-1', '1e5'),
  );
  fc.assert(
    fc.property(text, scales, (number, scale) => {
      const exact = parseDecimal(number, scale);
      const expected = typeof exact === 'string' ? exact : exact > Number.MAX_SAFE_INTEGER ? 'tooLarge' : Number(exact);
      expect(parseSafeDecimal(number, scale)).toBe(expected);
    }),
    { numRuns: 5000 },
  );
});
