import { describe, expect, test } from 'vitest';
import { blockMs, day, SimulatedWorldHarness as World } from './simulated-world-harness.ts';

describe('a simulated world that runs for long', () => {
  const count = 12_000;

  test('forgets old payments that were seen, keeps what they were worth, and says that they are final', async () => {
    const world = await new World().open();
    const sent = await world.sign('ETH');
    await world.on('ETH').send(sent);
    const first = await world.deposit('ETH');
    const address = (await world.on('ETH').depositAddress(2))!;
    const payment = { network: 'ETH', ...address, contract: null, amount: 10n };
    for (let index = 0; index < count; index += 1) await world.opened.controls.deposit(payment);
    world.now += blockMs;
    const observe = (since: string | null) => world.on('ETH').observe({ since, addressCount: 3 });
    const { position, payments } = await observe(null);
    expect(payments).toHaveLength(count + 1);
    const holdings = await world.on('ETH').holdings([], 3);
    // Neither much mined in no time nor long past without being seen is enough.
    await world.opened.controls.mine({ network: 'ETH', blocks: 10_000 });
    await observe(position);
    world.now += 5 * day;
    for (let round = 0; round < 2; round += 1) expect((await observe(null)).payments).toHaveLength(count + 1);
    expect((await observe(position)).payments).toHaveLength(0);
    expect((await observe(null)).payments).toHaveLength(10_000);
    expect(await world.on('ETH').holdings([], 3)).toEqual(holdings);
    await world.on('ETH').send(sent);
    expect((await world.opened.controls.state('ETH')).mempoolSize).toBe(0);

    const size = world.storage.content().length;
    const states = await world.states();
    await world.opened.close();
    // The first start writes the file anew, the second reads what it wrote.
    for (let start = 0; start < 2; start += 1) await world.open();
    expect(world.storage.content().length).toBeLessThan(size * 0.95);
    expect(await world.states()).toEqual(states);
    expect(await world.on('ETH').holdings([], 3)).toEqual(holdings);
    expect((await observe(null)).payments).toHaveLength(10_000);
    expect(await world.confirmations('ETH', first)).toBeGreaterThanOrEqual((5 * day) / blockMs);
    expect(await world.sign('ETH', { reference: 'next' })).toMatchObject({ nonce: sent.nonce! + 1 });

    const ids = new Set<string>([first]);
    for (let index = 0; index < 1500; index += 1) ids.add(await world.opened.controls.deposit(payment));
    expect(ids.size).toBe(1501);
    world.now += blockMs;
    const later = await observe(position);
    world.now += 5 * day;
    await observe(later.position);
    expect((await observe(null)).payments).toHaveLength(10_000);
    const [before] = holdings;
    expect(await world.on('ETH').holdings([], 3)).toEqual([{ ...before, amount: before!.amount + 15_000n }]);
  });
});
