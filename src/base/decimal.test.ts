import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, parseDecimal, parseSafeDecimal } from '#base/decimal.ts';

const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const scales = fc.integer({ min: 0, max: 18 });

/** The naive implementation: prints all digits, then trims zeros. */
const trimmed = (value: number | bigint, scale: number): string => {
  const digits = BigInt(value)
    .toString()
    .padStart(scale + 1, '0');
  const split = digits.length - scale;
  return `${digits.slice(0, split)}.${digits.slice(split)}`.replace(/\.?0*$/, '');
};

test('safe and big integers print as trimmed decimals', () => {
  fc.assert(
    fc.property(safe, scales, fc.nat({ max: 10 }), (value, scale, power) => {
      const round = Math.floor(value / 10 ** power) * 10 ** power;
      for (const number of [value, round, BigInt(value), BigInt(round), BigInt(value) * BigInt(value)]) {
        expect(formatDecimal(number, scale)).toBe(trimmed(number, scale));
      }
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
