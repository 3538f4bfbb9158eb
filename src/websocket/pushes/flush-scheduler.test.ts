import { expect, test } from 'vitest';
import { FlushScheduler } from '#websocket/pushes/flush-scheduler.ts';

/** A clock and the one timer that may run. */
function createHarness() {
  const timers = { now: 1003, at: Number.NaN, run: (): void => {}, started: 0 };
  const scheduler = new FlushScheduler({
    monotonic: { now: () => timers.now },
    setTimer: (delayMs, run) => {
      Object.assign(timers, { at: timers.now + delayMs, run, started: timers.started + 1 });
      return () => {
        timers.at = Number.NaN;
      };
    },
  });
  const fire = (): void => {
    timers.now = timers.at;
    timers.at = Number.NaN;
    timers.run();
  };
  return { scheduler, timers, fire };
}
const counting = () => {
  const task = { flushed: 0, flush: () => void (task.flushed += 1) };
  return task;
};

test('what is marked in one window is flushed together at its end, once', () => {
  const { scheduler, timers, fire } = createHarness();
  const [one, other] = [counting(), counting()];
  scheduler.mark(one, 10);
  scheduler.mark(other, 10);
  scheduler.mark(one, 10);
  expect(timers.at).toBe(1010);
  fire();
  expect([one.flushed, other.flushed, timers.at]).toEqual([1, 1, Number.NaN]);
});

test('the one timer stands at the earliest end of all windows', () => {
  const { scheduler, timers, fire } = createHarness();
  const [slow, fast] = [counting(), counting()];
  scheduler.mark(slow, 100);
  expect(timers.at).toBe(1100);
  scheduler.mark(fast, 10);
  expect(timers.at).toBe(1010);
  fire();
  expect([slow.flushed, fast.flushed, timers.at]).toEqual([0, 1, 1100]);
  fire();
  expect(slow.flushed).toBe(1);
});

test('a task that marks itself again waits for the next window', () => {
  const { scheduler, timers, fire } = createHarness();
  const task = { flush: () => scheduler.mark(task, 1000) };
  scheduler.mark(task, 1000);
  fire();
  expect([timers.now, timers.at]).toEqual([2000, 3000]);
});

test('a finished task is flushed at once if it is marked, and not again, also if it marks itself', () => {
  const { scheduler, timers, fire } = createHarness();
  const [idle, other] = [counting(), counting()];
  const again = counting();
  const { flush } = again;
  again.flush = () => {
    flush();
    scheduler.mark(again, 10);
  };
  scheduler.mark(again, 10);
  scheduler.mark(other, 10);
  scheduler.finish(idle);
  scheduler.finish(again);
  expect([idle.flushed, again.flushed]).toEqual([0, 1]);
  fire();
  expect([again.flushed, other.flushed, timers.at]).toEqual([1, 1, Number.NaN]);
  scheduler.mark(again, 10);
  fire();
  expect(again.flushed).toBe(2);
});

test('a dropped task is not flushed, even by the timer that is firing', () => {
  const { scheduler, fire } = createHarness();
  const victim = counting();
  scheduler.mark({ flush: () => scheduler.drop(victim) }, 10);
  scheduler.mark(victim, 10);
  fire();
  expect(victim.flushed).toBe(0);
});

test('a timer that fires early waits for the rest', () => {
  const { scheduler, timers } = createHarness();
  const task = counting();
  scheduler.mark(task, 10);
  timers.now = 1009;
  timers.run();
  expect([task.flushed, timers.at]).toEqual([0, 1010]);
});
