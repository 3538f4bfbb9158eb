import { expect, test } from 'vitest';
import { as } from '#domain/units.ts';
import { BanLadder } from '#http/ban-ladder.ts';

const hour = 3_600_000;
const day = 24 * hour;
const longestMs = 3 * day;
const ladder = (): BanLadder => new BanLadder({ violationsMax: 5, firstMs: 120_000, longestMs, memoryMs: longestMs });

test('a ban that was made while the clock was 400 days ahead lasts no longer than the longest', () => {
  const bans = ladder();
  const now = 1_700_000_000_000;
  bans.learn({ address: 'a', until: as(now + 400 * day + 120_000), times: 1 });
  expect(bans.bannedMs('a', now)).toBe(longestMs);
  expect(bans.bannedMs('a', now + hour)).toBe(longestMs - hour);
  expect(bans.bannedMs('a', now + longestMs)).toBe(0);
});

test('a ban ends by the wall clock, whatever its length', () => {
  const bans = ladder();
  bans.learn({ address: 'a', until: as(longestMs), times: 12 });
  expect([0, 1, longestMs - 1, longestMs].map((now) => bans.bannedMs('a', now))).toEqual([
    longestMs,
    longestMs - 1,
    1,
    0,
  ]);
  expect(bans.bannedMs('b', 0)).toBe(0);
});
