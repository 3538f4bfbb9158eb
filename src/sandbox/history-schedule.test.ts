import { describe, expect, test } from 'vitest';
import { countHistoryMoments, historyMs, nextHistoryMoment } from '#sandbox/history-schedule.ts';

const until = Date.UTC(2026, 10, 21);
const minuteMs = 60_000;

describe('the schedule of history', () => {
  test('ends exactly at its end and never stands still', () => {
    for (const from of [until - historyMs, until - 999, until - minuteMs, until - 3 * 86_400_000 + 17]) {
      let moments = 0;
      let at = from;
      while (at < until) {
        const next = nextHistoryMoment(at, until);
        expect(next).toBeGreaterThan(at);
        at = next;
        moments += 1;
      }
      expect(at).toBe(until);
      expect(moments).toBe(countHistoryMoments(from, until));
    }
    expect(countHistoryMoments(until, until)).toBe(0);
  });

  test('has at least two moments in each of the last thousand windows of 1, 5 and 15 minutes', () => {
    const moments: number[] = [];
    for (let at = until - historyMs; at < until; at = nextHistoryMoment(at, until)) moments.push(at);
    for (const minutes of [1, 5, 15]) {
      const counts = new Map<number, number>();
      for (const at of moments)
        counts.set(Math.floor(at / (minutes * minuteMs)), (counts.get(Math.floor(at / (minutes * minuteMs))) ?? 0) + 1);
      const last = Math.floor(until / (minutes * minuteMs));
      for (let window = last - 1_000; window < last; window += 1)
        expect(counts.get(window) ?? 0).toBeGreaterThanOrEqual(2);
    }
  });

  test('a whole history stays within the budget of a start', () => {
    expect(countHistoryMoments(until - historyMs, until)).toBeLessThan(9_000);
  });
});
