import { expect, test } from 'vitest';
import type { CustodyWorld } from './custody.contract.ts';

const addressCount = 5;

/** What every adapter of the custody port tells of its network. */
export function describeStatus(the: () => CustodyWorld): void {
  test('DEC-OPR-287: its status follows the newest block, changes nothing, and survives a restart', async () => {
    const world = the();
    const contracts = world.token === null ? [] : [world.token];
    const { position, height } = await world.custody().observe({ since: null, addressCount });
    const before = await world.custody().status(contracts);
    expect(before.head?.height).toBeGreaterThanOrEqual(height);
    await world.mine(3);
    const after = await world.custody().status(contracts);
    expect(after.head?.height).toBe(before.head!.height + 3);
    if (after.head?.at != null) expect(after.head.at).toBeGreaterThanOrEqual(before.head!.at!);
    await world.restart();
    expect((await world.custody().status(contracts)).head?.height).toBe(after.head?.height);
    const seen = await world.custody().observe({ since: position, addressCount });
    expect(seen.payments).toEqual([]);
    expect(seen.height).toBe(after.head?.height);
  });
}
