import { expect, test } from 'vitest';
import { startPairUpkeep } from '#jobs/keep-pairs.ts';

/** Upkeep whose runs a test starts by hand, of an exchange that is said to have this to do. */
function upkeepOf(exchange: { offlineEntries: number; openAt: number }) {
  const submitted: string[] = [];
  let run: () => void = () => {};
  const clock = { time: 0, now: () => clock.time };
  startPairUpkeep({
    ingress: {
      submit: async ({ kind }) => {
        submitted.push(kind);
        if (kind === 'cancelOfflineOrders') exchange.offlineEntries -= 1;
        else exchange.openAt = Number.POSITIVE_INFINITY;
        return { events: [] };
      },
    },
    queries: {
      haveOfflineOrders: async () => exchange.offlineEntries > 0,
      isOpeningDue: async (now) => now >= exchange.openAt,
    },
    clock,
    repeat: (_everyMs, work) => {
      run = work;
      return () => {};
    },
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  return {
    clock,
    runOnce: async () => {
      run();
      await new Promise(setImmediate);
      return submitted.splice(0);
    },
  };
}

test('DEC-OPR-161, DEC-OPR-162: the upkeep of pairs submits what is due, and nothing else', async () => {
  const upkeep = upkeepOf({ offlineEntries: 2, openAt: 1000 });
  expect(await upkeep.runOnce()).toEqual(['cancelOfflineOrders', 'cancelOfflineOrders']);
  upkeep.clock.time = 999;
  expect(await upkeep.runOnce()).toEqual([]);
  upkeep.clock.time = 1000;
  expect(await upkeep.runOnce()).toEqual(['advanceClock']);
  expect(await upkeep.runOnce()).toEqual([]);
});
