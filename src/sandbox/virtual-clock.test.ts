import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';

const at = (start: number) => {
  const wall = { time: start, now: () => wall.time };
  return { wall, clock: createVirtualClock(wall) };
};

describe('the virtual clock', () => {
  test('follows the wall clock at first, also when that is corrected backwards', () => {
    const { wall, clock } = at(1_000);
    expect(clock.now()).toBe(1_000);
    wall.time = 1_500;
    expect(clock.now()).toBe(1_500);
    wall.time = 1_200;
    expect(clock.now()).toBe(1_200);
    expect(clock.mode).toBe('following');
  });

  test('stands still where it was set, also in the past, until it follows again', () => {
    const { wall, clock } = at(10_000);
    clock.set(4_000);
    wall.time = 12_000;
    expect(clock.now()).toBe(4_000);
    clock.advance(250);
    expect(clock.now()).toBe(4_250);
    expect(clock.offsetMs()).toBe(-7_750);
    clock.followWallClock();
    expect(clock.now()).toBe(12_000);
  });

  test('runs beside the wall clock after an advance, steps with it, and steps back when told to follow it', () => {
    const { wall, clock } = at(10_000);
    clock.advance(5_000);
    wall.time = 10_100;
    expect(clock.now()).toBe(15_100);
    expect(clock.mode).toBe('shifted');
    wall.time = 9_100;
    expect(clock.now()).toBe(14_100);
    wall.time = 12_000;
    clock.followWallClock();
    expect(clock.now()).toBe(12_000);
    wall.time = 16_000;
    expect(clock.now()).toBe(16_000);
  });

  test('freezes and resumes without a jump', () => {
    const { wall, clock } = at(10_000);
    clock.freeze();
    wall.time = 20_000;
    expect(clock.now()).toBe(10_000);
    clock.resume();
    expect(clock.now()).toBe(10_000);
    wall.time = 20_001;
    expect(clock.now()).toBe(10_001);
  });

  test('refuses moments that are no whole milliseconds', () => {
    const { clock } = at(10_000);
    for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => clock.set(bad)).toThrow(RangeError);
      expect(() => clock.advance(bad)).toThrow(RangeError);
    }
  });
});
