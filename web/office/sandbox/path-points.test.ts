import { expect, test } from 'vitest';
import {
  drawnTo,
  movedTo,
  type PathPoint,
  pointsOf,
  segmentsOf,
  thinned,
  viewOf,
} from '#web/office/sandbox/path-points.ts';

const view = { seconds: 60, percent: 10 };
const at = (seconds: number, percent: number): PathPoint => ({ seconds, percent });

test('DEC-WEB-62: what is drawn becomes changes of the value before each, which lead through the same places', () => {
  const segments = segmentsOf([at(10, -50), at(20, 0), at(20, 10)]);
  expect(segments).toEqual([
    { changePpm: -500_000, seconds: 10 },
    { changePpm: 1_000_000, seconds: 10 },
    { changePpm: 100_000, seconds: 0 },
  ]);
  const back = pointsOf({ kind: 'segments', segments });
  expect(back.filter(({ seconds }) => seconds === 10)).toEqual([at(10, -50)]);
  expect(back.at(-1)?.percent).toBeCloseTo(10, 9);
});

test('a fall comes back as far as it is told to', () => {
  const times = { fallSeconds: 5, bottomSeconds: 10, recoverySeconds: 60 };
  const points = pointsOf({ kind: 'flashCrash', fallPpm: 200_000, ...times, recoveredPpm: 500_000 });
  expect(Math.min(...points.map(({ percent }) => percent))).toBeCloseTo(-20, 9);
  expect(points.at(-1)).toMatchObject({ seconds: 75 });
  expect(points.at(-1)?.percent).toBeCloseTo(-10, 9);
  expect(viewOf(points, null)).toMatchObject({ seconds: 75 });
});

test('a line by hand keeps its bends and loses the rest, and never has more than 40 places', () => {
  const straight = Array.from({ length: 61 }, (_, seconds) => at(seconds, seconds < 30 ? seconds / 10 : 3));
  expect(thinned(straight, view)).toHaveLength(3);
  const wild = Array.from({ length: 500 }, (_, seconds) => at(seconds, seconds % 2 === 0 ? 9 : -9));
  expect(thinned(wild, { seconds: 500, percent: 10 }).length).toBeLessThanOrEqual(40);
});

test('drawing back takes away what was drawn, within the chart', () => {
  const drawn = [at(10, 1), at(20, 2), at(30, 3)];
  expect(drawnTo(drawn, at(19.6, 99), view)).toEqual([at(10, 1), at(20, 10)]);
  expect(drawnTo([], at(-5, -200), { seconds: 60, percent: 150 })).toEqual([at(0, -99)]);
  expect(movedTo(drawn, 1, at(55, -4), view)).toEqual([at(10, 1), at(30, -4), at(30, 3)]);
});
