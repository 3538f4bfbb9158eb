import { expect, test } from 'vitest';
import { as, type TimestampMs } from '#model/units.ts';
import { startFeeTierAssignment } from '#jobs/assign-fee-tiers.ts';

/** The job, whose runs a test starts by hand, of an exchange that is said to have so many entries to make. */
function jobOf(exchange: { isBegun: boolean; left: number; refuses?: boolean }) {
  const submitted: string[] = [];
  let run: () => void = () => {};
  startFeeTierAssignment({
    ingress: {
      submit: async ({ kind }) => {
        submitted.push(kind);
        if (exchange.refuses === true) return { events: [{ kind: 'commandRefused', reason: 'wrongState' }] };
        if (kind === 'advanceClock') exchange.isBegun = true;
        else exchange.left -= 1;
        return { events: [] };
      },
    },
    queries: {
      feeTiers: {
        due: async () => (exchange.left === 0 ? null : { isBegun: exchange.isBegun, day: as<TimestampMs>(0) }),
        table: async () => null,
        ofAccount: async () => {
          throw new Error('nobody asks');
        },
      },
    },
    clock: { now: () => 1000 },
    repeat: (_everyMs, work) => {
      run = work;
      return () => {};
    },
    everyMs: 1000,
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  return async () => {
    run();
    await new Promise(setImmediate);
    return submitted.splice(0);
  };
}

test('DEC-OPR-213: the job begins a day, gives all their tiers, and submits nothing when nothing is due', async () => {
  const runOnce = jobOf({ isBegun: false, left: 2 });
  expect(await runOnce()).toEqual(['advanceClock', 'assignFeeTiers', 'assignFeeTiers']);
  expect(await runOnce()).toEqual([]);
});

test('DEC-OPR-213: where the engine refuses, the job waits for its next run', async () => {
  const runOnce = jobOf({ isBegun: true, left: 2, refuses: true });
  expect(await runOnce()).toEqual(['assignFeeTiers']);
  expect(await runOnce()).toEqual(['assignFeeTiers']);
});
