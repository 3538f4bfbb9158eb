import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { BanLadder } from '#http/ban-ladder.ts';

const hour = 3_600_000;
const day = 24 * hour;
const longestMs = 3 * day;
const ladder = (): BanLadder => new BanLadder({ violationsMax: 5, firstMs: 120_000, longestMs, memoryMs: longestMs });

test('a ban that was made while the clock was 400 days ahead lasts no longer than the longest', () => {
  const bans = ladder();
  const now = 1_700_000_000_000;
  bans.put({ address: 'a', until: as(now + 400 * day + 120_000), times: 1 });
  expect(bans.bannedMs('a', now)).toBe(longestMs);
  expect(bans.bannedMs('a', now + hour)).toBe(longestMs - hour);
  expect(bans.bannedMs('a', now + longestMs)).toBe(0);
});

test('a ban ends by the wall clock, whatever its length', () => {
  const bans = ladder();
  bans.put({ address: 'a', until: as(longestMs), times: 12 });
  expect([0, 1, longestMs - 1, longestMs].map((now) => bans.bannedMs('a', now))).toEqual([
    longestMs,
    longestMs - 1,
    1,
    0,
  ]);
  expect(bans.bannedMs('b', 0)).toBe(0);
});

test('the ladder doubles with each ban within three days, up to its longest', () => {
  const bans = ladder();
  const lengths: number[] = [];
  let time = 0;
  for (let ban = 0; ban < 14; ban += 1) {
    for (let request = 0; ; request += 1) {
      const made = bans.recordRetryAfter('a', 10_000, { monotonicMs: time, wallMs: time });
      if (made === null) continue;
      expect(request).toBe(5);
      lengths.push((made.until - time) / 1000);
      time = made.until;
      break;
    }
  }
  expect(lengths.slice(0, 4)).toEqual([120, 240, 480, 960]);
  expect(lengths.slice(-2)).toEqual([259_200, 259_200]);
});

test('a ban that ended three days ago counts no more, and violations older than a minute neither', () => {
  const bans = ladder();
  bans.put({ address: 'a', until: 1000 as never, times: 7 });
  const provoke = (from: number, stepMs: number, retryMs: number) =>
    Array.from({ length: 6 }, (_, request) =>
      bans.recordRetryAfter('a', retryMs, { monotonicMs: from + request * stepMs, wallMs: from + request * stepMs }),
    ).at(-1);
  expect(provoke(1001 + 3 * day, 16_000, 17_000)).toBeNull();
  expect(provoke(1001 + 4 * day, 1000, 10_000)).toMatchObject({ times: 1 });
});

test('DEC-CLU-22: violations at other nodes count, and the next one bans', () => {
  const bans = ladder();
  const pending = bans.share();
  const record = (now: number) => bans.recordRetryAfter('a', 10_000, { monotonicMs: now, wallMs: now });
  bans.addShared({ limit: 'violations', key: 'a', amount: 90, leftMs: 10_000 }, 0);
  expect(record(10_000)).toBeNull();
  expect(record(10_001)).toMatchObject({ address: 'a', times: 1 });
  expect(pending.at(10_001)).toEqual([{ key: 'a', amount: 1, endsAt: 20_001, share: 0.2 }]);
  // Told to wait by another node, it is a violation to come here.
  bans.addShared({ limit: 'violations', key: 'b', amount: 3, leftMs: 5000 }, 0);
  expect([1, 2].map((now) => bans.recordRetryAfter('b', 1000, { monotonicMs: now, wallMs: now }))).toMatchObject([
    null,
    { address: 'b' },
  ]);
});
