import { describe, expect, test } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import { type Polling, startPolling } from '#base/polling.ts';

/** A worker whose timer a test turns by hand; each poll that has begun waits for `end`, or ends with `fault`. */
function workerOf(given: Partial<Polling> = {}) {
  const told: string[] = [];
  const state = { polls: 0, fault: null as Error | null, timers: 0 };
  let tick: () => unknown = () => {};
  const worker = startPolling({
    what: 'looking',
    poll: async () => {
      state.polls += 1;
      if (state.fault !== null) throw state.fault;
    },
    repeat: (_everyMs, run) => {
      state.timers += 1;
      tick = run;
      return () => {
        state.timers -= 1;
      };
    },
    everyMs: 1000,
    skippedMax: 8,
    onTrouble: (what, error) => told.push(`${what}: ${(error as Error).message}`),
    ...given,
  });
  /** Turns of the timer; answers those that polled, counted from 1. */
  const turns = async (count: number): Promise<readonly number[]> => {
    const polled: number[] = [];
    for (let turn = 1; turn <= count; turn += 1) {
      const before = state.polls;
      await tick();
      if (state.polls > before) polled.push(turn);
    }
    return polled;
  };
  return { worker, state, told, turns };
}

describe('a worker that polls', () => {
  test('leaves out 1, 2, 4 and at most 8 polls after failures, and none after a success', async () => {
    const { state, told, turns } = workerOf();
    state.fault = new Error('no room');
    expect(await turns(38)).toEqual([1, 3, 6, 11, 20, 29, 38]);
    expect(told).toEqual(Array(3).fill('looking: no room'));
    state.fault = null;
    expect(await turns(12)).toEqual([9, 10, 11, 12]);
    state.fault = new Error('again');
    expect(await turns(4)).toEqual([1, 3]);
    expect(told.slice(3)).toEqual(['looking: again', 'looking: again']);
  });

  test('polls at once when it is asked to, whatever failed before', async () => {
    const { worker, state, turns } = workerOf();
    state.fault = new Error('no room');
    await turns(3);
    state.fault = null;
    await worker.run();
    expect(state.polls).toBe(3);
    expect(await turns(2)).toEqual([1, 2]);
  });

  test('tells of a failure that mostly passes from the fourth in a row on', async () => {
    const { worker, state, told } = workerOf({ isPassing: ({ message }: Error) => message === 'silent' } as object);
    state.fault = new Error('silent');
    for (let poll = 1; poll <= 3; poll += 1) await worker.run();
    expect(told).toEqual([]);
    for (let poll = 4; poll <= 8; poll += 1) await worker.run();
    expect(told).toEqual(['looking: silent', 'looking: silent']);
  });

  test('ends with a broken invariant, told once', async () => {
    const { worker, state, told, turns } = workerOf();
    state.fault = new InvariantBroken('paid twice');
    expect(await turns(20)).toEqual([1]);
    await worker.run();
    expect(state.polls).toBe(1);
    expect(told).toEqual(['looking, which is stopped until the next start: paid twice']);
  });

  test('has one poll at a time, and once stopped waits for it and begins no more', async () => {
    let end: () => void = () => {};
    let begun = 0;
    const poll = () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    const { worker, state } = workerOf({ poll });
    const polls = [worker.run(), worker.run()];
    expect(begun).toBe(1);
    const stopped = worker.stop();
    expect(state.timers).toBe(0);
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    end();
    await Promise.all([...polls, stopped]);
    await worker.run();
    expect(begun).toBe(1);
  });

  test('goes on after work that failed before it began', async () => {
    let fails = true;
    let polls = 0;
    const poll = (): Promise<void> => {
      polls += 1;
      if (fails) throw new Error('at once');
      return Promise.resolve();
    };
    const { worker, told } = workerOf({ poll });
    await worker.run();
    fails = false;
    await worker.run();
    expect([polls, told]).toEqual([2, ['looking: at once']]);
  });
});
