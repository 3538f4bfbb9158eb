import { expect, test } from 'vitest';
import { exact, exactAnswer } from '#public-api/spot/exact-json.ts';

test('DEC-FUT-02: decimals are JSON numbers with every digit, also those that no float holds', () => {
  const { text } = exactAnswer('futuresFund', [
    {
      symbol: 'BTC_USDT',
      currency: 'USDT',
      available: exact(-123_456_789_012_345_678_901n, 18),
      timestamp: 1_700_000_000_000,
    },
    { symbol: 'A"B', currency: 'USDT', available: exact(1, 8), timestamp: 0 },
  ]);
  expect(text).toBe(
    '[{"symbol":"BTC_USDT","currency":"USDT","available":-123.456789012345678901,"timestamp":1700000000000},' +
      '{"symbol":"A\\"B","currency":"USDT","available":0.00000001,"timestamp":0}]',
  );
});

test('zero and whole numbers have no point and no exponent', () => {
  expect([exact(0n, 18).text, exact(-0, 4).text, exact(10n ** 30n, 0).text]).toEqual(['0', '0', `1${'0'.repeat(30)}`]);
});
