import { describe, expect, test } from 'vitest';
import { createManualTime, createSimulatedTime, type TimeStart } from '#sandbox/simulated-time.ts';

const start = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

/** A machine whose clocks are set by hand, and whose timers beat when they are told to. */
function testMachine() {
  const wall = { time: start + 5_000, now: () => wall.time };
  const monotonic = { time: 777, now: () => monotonic.time };
  const beats = new Set<() => unknown>();
  return {
    wall,
    monotonic,
    repeat: (_everyMs: number, run: () => unknown) => {
      beats.add(run);
      return () => void beats.delete(run);
    },
    timers: () => beats.size,
    /** Lets time pass and every timer beat once. */
    pass: async (ms: number): Promise<void> => {
      wall.time += ms;
      monotonic.time += ms;
      for (const beat of [...beats]) await beat();
    },
  };
}

/** Time of a sandbox on such a machine, and when something was done every 100 ms of it. */
function testTime(given: Partial<TimeStart> = {}) {
  const machine = testMachine();
  const time = createSimulatedTime({ mode: 'running', at: start, hasTraders: true, ...given }, machine);
  const done: number[] = [];
  time.repeat(100, () => void done.push(time.clock.now() - start));
  return { machine, time, done, shown: () => time.clock.now() - start };
}

describe('DEC-OPR-26: time that runs from a moment on', () => {
  async function run(steps: readonly number[]) {
    const { machine, time, done, shown } = testTime();
    await machine.pass(5_000);
    expect(shown()).toBe(0);
    const end = time.start();
    for (const step of steps) await machine.pass(step);
    end();
    await machine.pass(1_000);
    return { done, shown: shown() };
  }

  test('stands until it is started, then passes as fast as the monotonic clock, until it is ended', async () => {
    expect(await run([10, 31])).toEqual({ done: [], shown: 41 });
  });

  test('what is due has the same times on a machine that stalls', async () => {
    const smooth = await run(Array(35).fill(10));
    expect(smooth).toEqual({ done: [100, 200, 300], shown: 350 });
    expect(await run([60, 273, 17])).toEqual(smooth);
  });
});

describe('DEC-KIT-01: the modes of the clock', () => {
  test("a clock that follows shows the machine's, also where that is set back, and timers of the machine pace it", async () => {
    const { machine, time, done, shown } = testTime({ mode: 'following' });
    time.start();
    expect(time.controls.state()).toEqual({
      mode: 'following',
      factor: null,
      now: start + 5_000,
      offsetMs: 0,
      advance: null,
    });
    await machine.pass(40);
    expect(done).toEqual([5_040]);
    machine.wall.time -= 1_000;
    expect(shown()).toBe(4_040);
  });

  test('it stands, runs at a factor, and follows again once the machine is not behind', async () => {
    const { machine, time, done, shown } = testTime({ mode: 'following' });
    time.start();
    await time.controls.change({ mode: 'standing' });
    await machine.pass(3_000);
    expect([shown(), done]).toEqual([5_000, []]);
    await time.controls.change({ mode: 'running', factor: 2.5 });
    await machine.pass(100);
    expect([shown(), done]).toEqual([5_250, [5_100, 5_200]]);
    expect(time.controls.state()).toMatchObject({ mode: 'running', factor: 2.5, offsetMs: -2_850 });
    await time.controls.change({ mode: 'running', factor: 0.01 });
    await machine.pass(99);
    expect(shown()).toBe(5_250);
    await machine.pass(1);
    expect(shown()).toBe(5_251);
    await time.controls.change({ mode: 'following' });
    expect(time.controls.state()).toMatchObject({ mode: 'following', factor: null, offsetMs: 0 });
    expect(done.at(-1)).toBe(8_200);
    await machine.pass(10);
    expect(shown()).toBe(8_210);
    expect(machine.timers()).toBe(1);
  });

  test('it does not follow a machine that is behind it: time never runs backwards', async () => {
    const { time, shown } = testTime({ mode: 'following' });
    await time.controls.advance(10_000);
    await time.controls.change({ mode: 'following' });
    expect([time.controls.state().mode, shown()]).toEqual(['running', 15_000]);
  });

  test('set forward, it leaps: what was due on the way is done once, and goes on in its rhythm', async () => {
    const { time, done, shown } = testTime({ mode: 'standing' });
    await time.controls.change({ mode: 'standing', at: start + dayMs + 30 });
    expect([shown(), done]).toEqual([dayMs + 30, [dayMs + 30]]);
    await time.controls.change({ mode: 'standing', at: start });
    expect(shown()).toBe(dayMs + 30);
    await time.controls.advance(100);
    expect(done).toEqual([dayMs + 30, dayMs + 100]);
  });

  test('after a start it goes on from the last entry, and a clock that follows only from one that is far ahead', () => {
    const standing = testTime({ mode: 'standing' });
    standing.time.goOnFrom(start + 1_000_000);
    expect(standing.shown()).toBe(1_000_000);
    const { machine, time, shown } = testTime({ mode: 'following' });
    time.goOnFrom(machine.wall.time + 60_000);
    expect(time.controls.state().mode).toBe('following');
    time.goOnFrom(machine.wall.time + 60_001);
    expect([time.controls.state().mode, shown()]).toEqual(['running', 65_001]);
  });
});

describe('DEC-OPR-28, DEC-KIT-02: time that is advanced', () => {
  /** What is done by two repeats and when; the slower one takes a few turns of the event loop. */
  function twoRepeats() {
    const time = createManualTime(start);
    const done: string[] = [];
    const note = (what: string): void => void done.push(`${what} ${time.clock.now() - start}`);
    const endSlow = time.repeat(200, async () => {
      note('slow');
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      note('slow ended');
    });
    time.repeat(100, () => note('fast'));
    return { time, done, endSlow };
  }

  test('does what is due, each at its time and in the order of registration, one after the other', async () => {
    const { time, done } = twoRepeats();
    expect(await time.controls.advance(250)).toEqual({ now: start + 250, ended: 'reached' });
    expect(done).toEqual(['fast 100', 'slow 200', 'slow ended 200', 'fast 200']);
    expect(time.clock.now()).toBe(start + 250);
  });

  test('is the same in many small steps, also such as are asked for at once', async () => {
    const [one, many] = [twoRepeats(), twoRepeats()];
    await one.time.controls.advance(700);
    await Promise.all([...Array(70)].map(() => many.time.controls.advance(10)));
    expect(many.done).toEqual(one.done);
    expect(many.time.clock.now()).toBe(start + 700);
  });

  test('leaves out what was ended', async () => {
    const { time, done, endSlow } = twoRepeats();
    time.repeat(100, endSlow);
    await time.controls.advance(400);
    expect(done).toEqual(['fast 100', 'fast 200', 'fast 300', 'fast 400']);
  });

  test('begins anew elsewhere, with what is due as far away as before', async () => {
    const { time, done } = twoRepeats();
    time.goOnFrom(start + 1_000_000);
    await time.controls.advance(100);
    expect(done).toEqual(['fast 1000100']);
  });

  test.each([0, -1, 0.5, Number.NaN])('does not advance by %s', (ms) => {
    const { controls } = createManualTime(start);
    expect(() => controls.advance(ms)).toThrow(RangeError);
  });

  test('shows how far it is, and is cancelled with all that wait', async () => {
    const { time, shown } = testTime({ mode: 'standing' });
    const seen: unknown[] = [];
    const end = time.repeat(250, () => {
      const { advance } = time.controls.state();
      seen.push(advance);
      if (shown() === 500) void time.controls.cancel();
    });
    const ended = await Promise.all([time.controls.advance(10_000), time.controls.advance(1)]);
    expect(ended).toEqual([1, 2].map(() => ({ now: start + 500, ended: 'cancelled' })));
    const progress = { from: start, to: start + 10_000, startedAt: start + 5_000 };
    expect(seen).toEqual([250, 500].map((ms) => ({ ...progress, now: start + ms })));
    expect(time.controls.state().advance).toBe(null);
    end();
    expect(await time.controls.advance(1)).toEqual({ now: start + 501, ended: 'reached' });
  });

  test('stops after the step in which what was waited for happened', async () => {
    const { time, done } = testTime({ mode: 'standing' });
    const end = await time.controls.advance(10_000, { isOver: () => done.length === 3 });
    expect(end).toEqual({ now: start + 300, ended: 'over' });
  });

  test('a clock that followed the machine runs on apart from it, and one that runs runs on from where it is', async () => {
    const { machine, time, shown } = testTime({ mode: 'following' });
    time.start();
    await time.controls.advance(1_000);
    await machine.pass(10);
    expect([time.controls.state().mode, shown()]).toEqual(['running', 6_010]);
    await machine.pass(10);
    await time.controls.advance(1_000);
    await machine.pass(10);
    expect(shown()).toBe(7_030);
  });
});

describe('DEC-KIT-05: time that passes coarsely', () => {
  function coarseTime(given: Partial<TimeStart> = {}) {
    const parts = testTime({ mode: 'standing', at: start + 30_000, ...given });
    const fine: number[] = [];
    const paces: boolean[] = [];
    parts.time.pace.onFine(() => void fine.push(parts.shown()));
    parts.time.repeat(100, () => void paces.push(parts.time.pace.isCoarse()));
    return { ...parts, fine, paces };
  }

  test('an advance of more than a minute does everything at whole minutes, and once at its end finely', async () => {
    const { time, done, fine, paces } = coarseTime();
    await time.controls.advance(150_000);
    expect(done).toEqual([60_000, 120_000, 180_000]);
    expect(fine).toEqual([180_000]);
    expect(new Set(paces)).toEqual(new Set([true]));
    expect(time.pace.isCoarse()).toBe(false);
    await time.controls.advance(60_000);
    expect(done.length).toBe(3 + 600);
  });

  test('the pace can be asked for', async () => {
    const { time, done } = coarseTime();
    await time.controls.advance(60_000, { pace: 'coarse' });
    expect(done).toEqual([60_000, 90_000]);
    await time.controls.advance(61_000, { pace: 'fine' });
    expect(done.length).toBe(2 + 610);
  });

  test('a clock that runs at a factor above 20 passes coarsely until it is slower or stands', async () => {
    const { machine, time, done, fine, shown } = coarseTime({ mode: 'running' });
    time.start();
    await time.controls.change({ mode: 'running', factor: 1000 });
    await machine.pass(100);
    expect([shown(), done]).toEqual([130_000, [60_000, 120_000]]);
    await time.controls.change({ mode: 'running', factor: 20 });
    expect(fine).toEqual([130_000]);
    await machine.pass(10);
    expect(done.slice(2)).toEqual([130_000, 130_100, 130_200]);
  });

  test('others get their turn while it is on its way', async () => {
    const { time } = coarseTime();
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    await time.controls.advance(3_000 * dayMs);
    isOver = true;
    expect(turns).toBeGreaterThan(2);
  });
});

describe('DEC-KIT-06: the clock of windows', () => {
  test('never runs backwards, whatever the clock and the machine do', async () => {
    const { machine, time } = testTime({ mode: 'following' });
    time.start();
    const from = time.passed.now();
    const passed = (): number => time.passed.now() - from;
    machine.wall.time -= 3_600_000;
    await machine.pass(10);
    expect(passed()).toBe(10);
    await time.controls.change({ mode: 'standing' });
    await machine.pass(500);
    expect(passed()).toBe(10);
    await time.controls.advance(1_000);
    await time.controls.change({ mode: 'standing', at: time.clock.now() + 5_000 });
    expect(passed()).toBe(6_010);
    time.goOnFrom(start);
    expect(passed()).toBe(6_010);
    machine.wall.time = start + 9_000;
    await time.controls.change({ mode: 'following' });
    expect(passed()).toBe(15_010);
  });
});
