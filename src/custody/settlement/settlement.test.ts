import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import type { NetworkCustody } from '#custody/custody.ts';
import { type SettlementOptions, startSettlement } from '#custody/settlement/settlement.ts';

/** Settlement of ETH and BTC whose looks end with the next of these errors; answers how many looks began. */
function failing(errors: Error[]) {
  const told: string[] = [];
  let looks = 0;
  const networks = () => {
    looks += 1;
    return Promise.reject(errors.shift() ?? new Error('nothing'));
  };
  const custody = new Map(['ETH', 'BTC'].map((network) => [network, { network } as NetworkCustody]));
  const settlement = startSettlement({
    custody,
    queries: { wallet: { networks }, listing: () => Promise.resolve({ assets: [] }) },
    monotonic: { now: () => 0 },
    repeat: () => () => {},
    onTrouble: (what: string, error: Error) => told.push(`${what}: ${error.message}`),
  } as unknown as SettlementOptions);
  return { settlement, told, looks: () => looks };
}

describe('settlement', () => {
  it('stops a network whose invariant is broken, and only that one', async () => {
    const { settlement, told, looks } = failing([new InvariantBroken('paid twice'), new Error('odd')]);
    await settlement.run();
    expect(told).toEqual(['settling ETH, which is stopped until the next start: paid twice', 'settling BTC: odd']);
    expect(looks()).toBe(2);
    await settlement.run();
    expect(looks()).toBe(3);
  });
});
