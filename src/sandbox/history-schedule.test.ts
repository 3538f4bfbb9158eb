import { describe, expect, test } from 'vitest';
import { countHistoryMoments, historyMs, nextCoarseMoment, nextHistoryMoment } from '#sandbox/history-schedule.ts';

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

  test('has a moment in every minute of the last day, and in every 5 minutes from its beginning', () => {
    const moments: number[] = [];
    for (let at = until - historyMs; at < until; at = nextHistoryMoment(at, until)) moments.push(at);
    const windowsOf = (windowMs: number, spanMs: number): number =>
      new Set(moments.filter((at) => at >= until - spanMs).map((at) => Math.floor(at / windowMs))).size;
    expect(windowsOf(minuteMs, 24 * 60 * minuteMs)).toBe(24 * 60);
    expect(windowsOf(5 * minuteMs, historyMs)).toBe(historyMs / (5 * minuteMs));
  });

  test('DEC-KIT-05: a clock that is advanced far has its moments at whole multiples, and one at its end', () => {
    const stepsOf = (spanMs: number, hasTraders: boolean): Set<number> => {
      const steps = new Set<number>();
      let at = until - spanMs - 17;
      for (let before = at; at < until; before = at) {
        at = nextCoarseMoment(at, until, hasTraders);
        expect(at % minuteMs).toBe(0);
        if (before % minuteMs === 0) steps.add((at - before) / minuteMs);
      }
      expect(at).toBe(until);
      return steps;
    };
    expect(stepsOf(60 * minuteMs, true)).toEqual(new Set([1]));
    expect(stepsOf(60 * minuteMs, false)).toEqual(new Set([15]));
    expect(stepsOf(48 * 60 * minuteMs, true)).toEqual(new Set([5, 1]));
    expect(stepsOf(40 * 24 * 60 * minuteMs, true)).toEqual(new Set([60, 5, 1]));
    expect(nextCoarseMoment(until - 100, until, true)).toBe(until);
  });

  test('a whole history stays within the budget of a start', () => {
    expect(countHistoryMoments(until - historyMs, until)).toBeLessThan(11_000);
  });
});
