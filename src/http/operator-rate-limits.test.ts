import { expect, test } from 'vitest';
import type { OperatorRateLimit } from '#model/operator-rate-limit.ts';
import { as } from '#model/units.ts';
import { ClientAddresses } from '#http/client-address.ts';
import { OperatorRateLimits } from '#http/operator-rate-limits.ts';

const addresses = new ClientAddresses([]);
const client = (text: string) => addresses.of(text)!;
const limit = (target: string, weight: number, change: Partial<OperatorRateLimit> = {}): OperatorRateLimit => ({
  ...{ limited: 'address', target, account: null, weight, callsPerSecond: null, futuresCalls: null, until: null },
  ...{ reason: 'x', actor: 'olga', since: as(0) },
  ...change,
});
function stage() {
  const wall = { time: 0, now: () => wall.time };
  const limits = new OperatorRateLimits(wall);
  const weights = (...texts: string[]) => texts.map((text) => limits.ofAddress(client(text))?.weight ?? null);
  return { wall, limits, weights };
}

test('DEC-OPR-171: the narrowest range that is not over counts; lifted, the wider one does again', () => {
  const { wall, limits, weights } = stage();
  expect(weights('203.0.113.7')).toEqual([null]);
  limits.put(limit('203.0.113.7', 3, { until: as(100) }));
  limits.put(limit('203.0.0.0/16', 1));
  limits.put(limit('203.0.113.0/24', 2));
  const asked = ['203.0.113.7', '::ffff:203.0.113.8', '203.0.114.7', '203.1.0.1'] as const;
  expect(weights(...asked)).toEqual([3, 2, 1, null]);
  wall.time = 100;
  expect(weights(...asked)).toEqual([2, 2, 1, null]);
  limits.fact({ kind: 'rateLimitLifted', limited: 'address', target: '203.0.113.0/24' });
  expect(weights(...asked)).toEqual([1, 1, 1, null]);
  limits.fact({ kind: 'rateLimitSet', limit: limit('203.0.113.0/24', 9) });
  expect(weights(...asked)).toEqual([9, 9, 1, null]);
});

test('DEC-OPR-171: an IPv6 range holds for the networks in it, and IPv4 is left alone', () => {
  const { limits, weights } = stage();
  limits.put(limit('2001:db8::/32', 5));
  limits.put(limit('2001:db8:7::/64', 6));
  expect(weights('2001:db8:7::1', '2001:db8:8::1', '2001:db9::1', '32.1.13.184')).toEqual([6, 5, null, null]);
});

test('DEC-OPR-171: accounts and keys have their limits until these end', () => {
  const { wall, limits } = stage();
  limits.put(limit('1001', 10, { limited: 'account', account: as(7), until: as(100) }));
  limits.put(limit('mx0key', 20, { limited: 'key', account: as(7) }));
  const both = () => [limits.ofAccount(as(7))?.weight, limits.ofAccount(as(8)), limits.ofKey('mx0key')?.weight];
  expect(both()).toEqual([10, null, 20]);
  wall.time = 100;
  expect(both()).toEqual([undefined, null, 20]);
  for (const [limited, target] of [
    ['account', '1001'],
    ['key', 'mx0key'],
  ] as const)
    limits.fact({ kind: 'rateLimitLifted', limited, target });
  expect([both(), limits.size]).toEqual([[undefined, null, undefined], 0]);
});

test('DEC-OPR-171: who has no limit costs no look at the clock', () => {
  const limits = new OperatorRateLimits({
    now: () => {
      throw new Error('the clock was read');
    },
  });
  const asked = () => [limits.ofAddress(client('203.0.113.7')), limits.ofAccount(as(7)), limits.ofKey('mx0key')];
  expect(asked()).toEqual([null, null, null]);
  limits.put(limit('198.51.100.7', 1, { until: as(1) }));
  limits.put(limit('1002', 1, { limited: 'account', account: as(8), until: as(1) }));
  limits.put(limit('mx0other', 1, { limited: 'key', account: as(8), until: as(1) }));
  expect(asked()).toEqual([null, null, null]);
});

test('DEC-OPR-171: thousands of ranges are looked up once for an address', () => {
  const { limits, weights } = stage();
  for (let index = 0; index < 5000; index += 1) limits.put(limit(`10.${index >> 8}.${index & 255}.0/24`, index + 1));
  expect(weights('10.0.9.1', '10.19.135.1', '10.19.136.1')).toEqual([10, 5000, null]);
  expect(limits.ofAddress(client('10.0.9.1'))).toBe(limits.ofAddress(client('10.0.9.1')));
});
