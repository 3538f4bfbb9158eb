import { beforeEach, describe, expect, test } from 'vitest';
import type { PollingWorker } from '#base/polling.ts';
import type { Command } from '#model/command.ts';
import type { ContractRules, ContractState } from '#model/contract.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import { startIndexFollowing } from '#jobs/follow-indices.ts';

let time: number;
let contracts: ContractRules[];
let submitted: Command[];
let troubles: string[];
let fault: Error | null;
let look: () => void;
let worker: PollingWorker;
const feed = createOperatorFeed();

const contractOf = (id: number, state: ContractState) => ({ id: as(id), state }) as ContractRules;
/** A look of the timer, until it is over. */
async function turn(atMs: number): Promise<void> {
  time = atMs;
  look();
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  [time, contracts, submitted, troubles, fault] = [0, [], [], [], null];
  worker = startIndexFollowing({
    ingress: {
      submit: async (command) => {
        submitted.push(command);
        if (fault !== null) throw fault;
        return { seq: as(1), at: as(time), events: [] };
      },
      post: async () => {},
    },
    queries: { contracts: { all: async () => contracts } as never },
    index: createPriceIndex([feed]),
    clock: { now: () => time },
    repeat: (_everyMs, run) => {
      look = run;
      return () => {
        look = () => {};
      };
    },
    onTrouble: (what, error) => void troubles.push(`${what}: ${(error as Error).message}`),
  });
});

describe('DEC-FUT-44: index prices follow the seconds of the clock', () => {
  test('nothing is submitted while there are no contracts', async () => {
    await turn(1000);
    contracts = [contractOf(3, 'offline'), contractOf(4, 'delivered')];
    await turn(2000);
    expect(submitted).toEqual([]);
  });

  test('DEC-FUT-03: one command carries every contract that is not offline, without a source null', async () => {
    contracts = [
      contractOf(1, 'enabled'),
      contractOf(2, 'paused'),
      contractOf(3, 'offline'),
      contractOf(5, 'delivery'),
    ];
    const at = as<TimestampMs>(1000);
    feed.give(as(2), { name: 'DESK', weight: 1, price: 77, at, liveUntil: as(1000) });
    await turn(1000);
    const prices = (price: number | null) => [
      { contract: 1, price: null },
      { contract: 2, price },
      { contract: 5, price: null },
    ];
    expect(submitted).toEqual([{ kind: 'updateIndices', prices: prices(77) }]);
    await turn(1001);
    await turn(1999);
    expect(submitted).toHaveLength(1);
    await turn(2000);
    expect(submitted[1]).toEqual({ kind: 'updateIndices', prices: prices(null) });
  });

  test('after failures it waits longer and longer, at most 16 looks, and tells of the 1st, 2nd, 4th …', async () => {
    contracts = [contractOf(1, 'enabled')];
    fault = new Error('no room');
    const triedAt: number[] = [];
    for (let at = 1; at <= 70; at += 1) {
      const before = submitted.length;
      await turn(at * 1000);
      if (submitted.length > before) triedAt.push(at);
    }
    // 1, 2, 4, 8, 16, 16 … looks are left out between two that try.
    expect(triedAt).toEqual([1, 3, 6, 11, 20, 37, 54]);
    expect(troubles).toEqual(Array(3).fill('updating index prices: no room'));
    fault = null;
    await turn(71_000);
    await turn(72_000);
    await turn(73_000);
    expect(submitted.length).toBe(triedAt.length + 3);
  });

  test('once stopped it does nothing more', async () => {
    contracts = [contractOf(1, 'enabled')];
    await worker.stop();
    await turn(1000);
    expect(submitted).toEqual([]);
  });
});
