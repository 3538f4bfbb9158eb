import { describe, expect, test } from 'vitest';
import {
  absolute,
  clamped,
  dividedNearest,
  dividedUp,
  isPpm,
  isWhole,
  lesserOf,
  million,
  sumOf,
} from '#base/whole-numbers.ts';

describe('whole numbers', () => {
  test.each([0, 1, million])('%d is a rate', (rate) => expect(isPpm(rate)).toBe(true));
  test.each([-1, 0.5, million + 1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no rate', (rate) =>
    expect(isPpm(rate)).toBe(false),
  );

  test('what is not exact is not whole', () => {
    expect(isWhole(Number.MAX_SAFE_INTEGER, 0, Number.POSITIVE_INFINITY)).toBe(true);
    expect(isWhole(Number.MAX_SAFE_INTEGER + 1, 0, Number.POSITIVE_INFINITY)).toBe(false);
  });

  test.each([
    [7n, 2n, 4n, 4n],
    [5n, 4n, 1n, 2n],
    [-5n, 2n, -3n, -2n],
    [-7n, 4n, -2n, -1n],
    [6n, 3n, 2n, 2n],
    [0n, 3n, 0n, 0n],
  ])('%d / %d is %d to the nearest, halves away from zero, and %d rounded up', (over, under, nearest, up) => {
    expect([dividedNearest(over, under), dividedUp(over, under)]).toEqual([nearest, up]);
  });

  test('lesser, absolute, clamped and summed', () => {
    expect([lesserOf(-1n, 1n), lesserOf(2n, 1n)]).toEqual([-1n, 1n]);
    expect([absolute(-3n), absolute(3n)]).toEqual([3n, 3n]);
    expect([clamped(0n, 1n, 3n), clamped(4n, 1n, 3n), clamped(2n, 1n, 3n)]).toEqual([1n, 3n, 2n]);
    expect([sumOf([]), sumOf([1n, 2n, -4n])]).toEqual([0n, -1n]);
  });
});
