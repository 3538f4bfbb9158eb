import { describe, expect, test } from 'vitest';
import { createManualTime, createRunningTime } from '#sandbox/simulated-time.ts';

const start = Date.UTC(2026, 0, 1);

describe('DEC-OPR-26: time that runs from a moment on', () => {
  /** A machine whose time passes in steps of the given lengths. */
  async function run(steps: readonly number[]) {
    const monotonic = { time: 777, now: () => monotonic.time };
    let beat = async (): Promise<unknown> => undefined;
    const time = createRunningTime(start, monotonic, (_everyMs, beaten) => {
      beat = async () => beaten();
      return () => void (beat = async () => undefined);
    });
    const done: number[] = [];
    time.repeat(100, () => void done.push(time.clock.now() - start));
    monotonic.time += 5_000;
    await beat();
    expect(time.clock.now()).toBe(start);
    const end = time.start();
    for (const step of steps) {
      monotonic.time += step;
      await beat();
    }
    end();
    monotonic.time += 1_000;
    await beat();
    return { done, shown: time.clock.now() - start, controls: time.controls };
  }

  test('stands until it is started, then passes as fast as the monotonic clock, and is not advanced by hand', async () => {
    expect(await run([10, 31])).toEqual({ done: [], shown: 41, controls: null });
  });

  test('what is due has the same times on a machine that stalls', async () => {
    const smooth = await run(Array(35).fill(10));
    expect(smooth).toEqual({ done: [100, 200, 300], shown: 350, controls: null });
    expect(await run([60, 273, 17])).toEqual(smooth);
  });
});

describe('DEC-OPR-28: time that is advanced by hand', () => {
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
    expect(await time.controls.advance(250)).toBe(start + 250);
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
});
