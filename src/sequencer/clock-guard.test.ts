import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { ClockGuard, type ClockStep, clockTolerance } from '#sequencer/clock-guard.ts';

const start = Date.UTC(2026, 10, 21, 12);
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

function guarded({ lastEntryAt = 0, stops = true, unconfirmed = null as ClockStep | null } = {}) {
  const machine = { wall: start, monotonic: 5 * hour };
  const told: string[] = [];
  const guard = new ClockGuard({
    wall: { now: () => machine.wall },
    monotonic: { now: () => machine.monotonic },
    lastEntryAt,
    unconfirmed,
    stops,
    onStep: ({ kind, byMs }) => told.push(`${kind} ${byMs}`),
    onReturn: (why) => told.push(why),
  });
  return {
    guard,
    told,
    machine,
    /** Real time passes, which the machine's clock shows unless it stands. */
    pass: (ms: number, shown = ms): void => {
      machine.monotonic += ms;
      machine.wall += shown;
    },
    step: (ms: number): void => {
      machine.wall += ms;
    },
  };
}

describe('a clock guard', () => {
  test('shows the machine’s clock, a minute’s step included', () => {
    const { guard, told, pass, step } = guarded();
    pass(10 * day);
    expect(guard.now()).toBe(start + 10 * day);
    step(minute);
    expect(guard.now()).toBe(start + 10 * day + minute);
    expect([guard.unconfirmedStep(), told, guard.driftMs()]).toEqual([null, [], minute]);
  });

  test('never shows the far time of a longer step, but goes on from the last time before it', () => {
    const { guard, told, pass, step } = guarded();
    pass(hour);
    expect(guard.now()).toBe(start + hour);
    step(400 * day);
    expect(guard.now()).toBe(start + hour);
    pass(3 * hour);
    expect(guard.now()).toBe(start + 4 * hour);
    expect(guard.unconfirmedStep()).toEqual({ kind: 'step', byMs: 400 * day, shown: start + hour + 400 * day });
    expect(told).toEqual([`step ${400 * day}`]);
  });

  test('sees a step that happened since the last poll, however long ago that was', () => {
    const { guard, told, pass, step } = guarded();
    pass(30 * day);
    step(minute + 1);
    pass(30 * day);
    expect(guard.now()).toBe(start + 60 * day);
    expect(told).toEqual([`step ${minute + 1}`]);
  });

  test('believes a clock again once it was set back to within a minute', () => {
    const { guard, told, pass, step } = guarded();
    step(hour);
    expect(guard.now()).toBe(start);
    pass(10 * minute);
    step(-hour + 30 * second);
    expect(guard.now()).toBe(start + 10 * minute + 30 * second);
    expect(told).toEqual([`step ${hour}`, 'undone']);
  });

  test('believes a clock that was confirmed, and measures the next step from there', () => {
    const { guard, told, pass, step } = guarded();
    step(3 * hour);
    expect(guard.now()).toBe(start);
    guard.confirm();
    expect([guard.now(), guard.driftMs()]).toEqual([start + 3 * hour, 0]);
    pass(hour);
    step(minute + 1);
    expect(guard.now()).toBe(start + 4 * hour);
    expect(told).toEqual([`step ${3 * hour}`, 'confirmed', `step ${minute + 1}`]);
  });

  test('a confirmation that nobody waits for changes nothing', () => {
    const { guard, told, pass, step } = guarded();
    pass(hour);
    guard.confirm();
    step(2 * minute);
    expect(guard.now()).toBe(start + hour);
    expect(told).toEqual([`step ${2 * minute}`]);
  });

  test('follows every correction backwards at once, and measures steps forward from there', () => {
    const { guard, told, pass, step } = guarded();
    pass(hour);
    step(-hour);
    expect(guard.now()).toBe(start);
    pass(minute);
    expect([guard.now(), guard.driftMs()]).toEqual([start + minute, -hour]);
    step(hour);
    expect(guard.now()).toBe(start + minute);
    expect(told).toEqual([`step ${hour}`]);
  });

  test('lets a clock return to where it would be without a correction, once something was dated there', () => {
    const { guard, told, pass, step } = guarded();
    pass(hour);
    guard.now();
    step(-hour);
    pass(minute);
    expect(guard.now()).toBe(start + minute);
    step(hour);
    expect(guard.now()).toBe(start + hour + minute);
    step(-hour);
    pass(hour + second);
    expect(guard.now()).toBe(start + hour + minute + second);
    pass(second);
    expect(guard.now()).toBe(start + hour + minute + 2 * second);
    // It has caught up: from here on an hour forward is a step again.
    step(hour);
    expect(guard.now()).toBe(start + hour + minute + 2 * second);
    expect(told).toEqual([`step ${hour}`]);
  });

  test('a clock that stands is believed while it stands, and when it shows the right time afterwards', () => {
    const { guard, told, pass, step } = guarded();
    guard.now();
    for (let round = 0; round < 100; round += 1) {
      pass(minute, 0);
      expect(guard.now()).toBe(start);
    }
    step(100 * minute);
    expect([guard.now(), told]).toEqual([start + 100 * minute, []]);
    step(minute + second);
    expect(guard.now()).toBe(start + 100 * minute);
    expect(told).toEqual([`step ${minute + second}`]);
  });

  test('many small steps count as the one that they amount to', () => {
    const { guard, told, pass, step } = guarded();
    let passed = 0;
    for (let round = 0; round < 1000 && told.length === 0; round += 1) {
      pass(second);
      passed += second;
      step(10 * second);
      guard.now();
    }
    expect(guard.unconfirmedStep()).not.toBeNull();
    expect(guard.now()).toBeLessThanOrEqual(start + passed + minute);
  });

  test('a clock that gains a second an hour is believed for ever', () => {
    const { guard, told, pass } = guarded();
    for (let round = 0; round < 1000; round += 1) {
      pass(hour, hour + second);
      guard.now();
    }
    expect([guard.now(), told]).toEqual([start + 1000 * (hour + second), []]);
  });

  test('through 1,000 steps its time is never further ahead of real time than a minute for each hour and one more', () => {
    const prng = createPrng(77);
    const { guard, machine, pass, step } = guarded();
    let real = start;
    for (let round = 0; round < 1000; round += 1) {
      const passing = prng.below(10 * minute);
      real += passing;
      pass(passing);
      if (round % 3 === 2) step(real - machine.wall);
      else step(Math.round((prng.below(2001) - 1000) * (round % 2 === 0 ? minute / 500 : day / 10)));
      const ahead = guard.now() - real;
      expect(ahead).toBeLessThanOrEqual(((real - start) / hour + 1) * minute + second);
      expect(Number.isSafeInteger(guard.now())).toBe(true);
    }
  });
});

describe('at a start', () => {
  test('a clock up to seven days ahead of the last entry is believed, or any distance behind it', () => {
    for (const ahead of [7 * day, day, 0, -day, -400 * day]) {
      const { guard, told } = guarded({ lastEntryAt: start - ahead });
      expect([guard.now(), guard.unconfirmedStep(), told]).toEqual([start, null, []]);
    }
  });

  test('one that is further ahead is not: time goes on from the last entry until it is confirmed', () => {
    const { guard, told, pass } = guarded({ lastEntryAt: start - 8 * day });
    expect(guard.now()).toBe(start - 8 * day);
    pass(minute);
    expect(guard.now()).toBe(start - 8 * day + minute);
    guard.confirm();
    expect(guard.now()).toBe(start + minute);
    expect(told).toEqual([`start ${8 * day}`, 'confirmed']);
  });

  test('it is believed once it was set back, and a minute is the most it may step from there', () => {
    const { guard, told, step } = guarded({ lastEntryAt: start - 400 * day });
    step(-399 * day);
    expect(guard.now()).toBe(start - 399 * day);
    step(clockTolerance.stepMs + 1);
    expect(guard.now()).toBe(start - 399 * day);
    expect(told).toEqual([`start ${400 * day}`, 'undone', `step ${minute + 1}`]);
  });

  test('without an entry any clock is believed', () => {
    expect(guarded().guard.unconfirmedStep()).toBeNull();
  });

  test('a step of an earlier run still waits for its confirmation', () => {
    const unconfirmed: ClockStep = { kind: 'step', byMs: 2 * hour, shown: start - minute };
    const { guard, told, pass, step } = guarded({ lastEntryAt: start - 3 * hour, unconfirmed });
    expect(guard.now()).toBe(start - 2 * hour);
    pass(minute);
    expect(guard.now()).toBe(start - 2 * hour + minute);
    step(-2 * hour);
    expect(guard.now()).toBe(start - 2 * hour + minute);
    expect(told).toEqual([`step ${2 * hour}`, 'undone']);
  });

  test('a step of an earlier run is over when the clock was set back in between', () => {
    const unconfirmed: ClockStep = { kind: 'step', byMs: 2 * day, shown: start + day };
    const { guard, told } = guarded({ lastEntryAt: start - hour, unconfirmed });
    expect([guard.now(), guard.unconfirmedStep(), told]).toEqual([start, null, []]);
  });
});

test('a guard that does not stop anything follows every step and tells it once', () => {
  const { guard, told, pass, step } = guarded({ lastEntryAt: start - 8 * day, stops: false });
  expect(guard.now()).toBe(start);
  step(400 * day);
  pass(minute);
  expect(guard.now()).toBe(start + 400 * day + minute);
  step(-400 * day);
  expect([guard.now(), guard.unconfirmedStep()]).toEqual([start + minute, null]);
  expect(told).toEqual([`start ${8 * day}`, `step ${400 * day}`]);
});
