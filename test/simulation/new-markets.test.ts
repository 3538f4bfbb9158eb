import { expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { as } from '#model/units.ts';
import { knownDemoAccount } from '#sandbox/open-demo-accounts.ts';
import { demoAccountNamed } from '#sandbox/demo-accounts.ts';
import { type AskedPair, type MarketOpeningPorts, openContract, openPair } from '#sandbox/new-markets/open-market.ts';
import type { Sandbox } from './sandbox-harness.ts';
import { startMarket, startSandbox } from './sandbox-harness.ts';

const asked: AskedPair = { base: 'NOVA', quote: 'USDT', price: 12.5, fullName: 'Nova', grantCoins: 250 };
const portsOf = (sandbox: Sandbox): MarketOpeningPorts => ({
  submit: async (command: Command) => {
    const { events } = await sandbox.ports.submit(command);
    for (const event of events)
      if (event.kind === 'commandRefused') throw new Error(`${command.kind}: ${event.reason}`);
  },
  queries: sandbox.queries,
  controls: sandbox.simulation,
});
const depthOf = async (sandbox: Sandbox, name: string) => {
  const { bids, asks } = await sandbox.queries.book(as(sandbox.symbolId(name)));
  return Math.min(bids.length, asks.length);
};

test('DEC-KIT-54, DEC-KIT-55: a new coin, its pair and its contract are open, funded and traded, after a restart too', async () => {
  const sandbox = await startMarket('nova', 2_000);
  const bitcoin = await sandbox.mid('BTCUSDT');
  expect(await openPair(portsOf(sandbox), asked)).toEqual({ name: 'NOVAUSDT' });
  await sandbox.pass(1_000);
  expect(await depthOf(sandbox, 'NOVAUSDT')).toBeGreaterThan(100);
  expect((await sandbox.mid('NOVAUSDT')) / 10 ** 3 / 12.5).toBeCloseTo(1, 2);
  // The other markets went on.
  expect((await sandbox.mid('BTCUSDT')) / bitcoin).toBeCloseTo(1, 2);
  expect(sandbox.simulation.assets).toContain('NOVA');
  expect(sandbox.simulation.worthOf('NOVA')! / 12.5).toBeCloseTo(1, 2);
  const alice = (await knownDemoAccount(sandbox.ports, demoAccountNamed('alice')))!.account;
  const nova = (await sandbox.queries.listing()).assets.find(({ code }) => code === 'NOVA')!;
  const owned = (await sandbox.queries.balances(alice)).find(({ asset }) => asset === nova.id)!;
  expect(owned.free).toBe(250n * 10n ** BigInt(nova.scale));

  expect(await openContract(portsOf(sandbox), 'NOVA')).toEqual({ name: 'NOVA_USDT' });
  await sandbox.pass(45_000);
  expect(await depthOf(sandbox, 'NOVA_USDT')).toBeGreaterThan(20);
  expect(sandbox.simulation.markets().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['NOVAUSDT', 'NOVA_USDT']),
  );
  for (const name of ['NOVAUSDT', 'NOVA_USDT'])
    expect([name, (sandbox.trades[sandbox.symbolId(name)] ?? []).length > 0]).toEqual([name, true]);
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();

  const again = startSandbox('nova', sandbox.wall.time, sandbox.engine);
  await again.simulation.start();
  await again.pass(45_000);
  for (const name of ['NOVAUSDT', 'NOVA_USDT']) {
    expect([name, (await depthOf(again, name)) > 20]).toEqual([name, true]);
    expect([name, (again.trades[again.symbolId(name)] ?? []).length > 0]).toEqual([name, true]);
  }
  expect([again.troubles, again.faults()]).toEqual([[], []]);
  await again.simulation.stop();
}, 60_000);

test('DEC-KIT-54: pairs at all prices, in other quotes, and a second pair of a coin', async () => {
  const sandbox = await startMarket('prices');
  const ports = portsOf(sandbox);
  for (const [base, quote, price] of [
    ['TINY', 'USDT', 0.000_002],
    ['HUGE', 'USDT', 900_000],
    ['COIN', 'BTC', 0.000_7],
    ['SOME', 'ETH', 2],
  ] as const)
    await openPair(ports, { ...asked, base, quote, price, grantCoins: 0 });
  await openPair(ports, { ...asked, base: 'COIN', quote: 'USDT', price: null });
  await sandbox.pass(1_000);
  for (const name of ['TINYUSDT', 'HUGEUSDT', 'COINBTC', 'SOMEETH', 'COINUSDT'])
    expect([name, (await depthOf(sandbox, name)) > 50]).toEqual([name, true]);
  for (const base of ['TINY', 'HUGE', 'COIN', 'LTC']) await openContract(ports, base);
  // It has no pair with USDT, of which the index would be.
  await expect(openContract(ports, 'SOME')).rejects.toMatchObject({ member: 'base' });
  await sandbox.pass(1_000);
  for (const name of ['TINY_USDT', 'HUGE_USDT', 'COIN_USDT', 'LTC_USDT'])
    expect([name, (await depthOf(sandbox, name)) > 10]).toEqual([name, true]);
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();
}, 60_000);

test.each([
  ['a coin that the sandbox begins with', { base: 'LTC', quote: 'BTC', price: null }, 'base'],
  ['a quote that nobody values', { quote: 'NOPE' }, 'quote'],
  ['no price', { price: null }, 'price'],
  ['a price beyond what can be counted', { price: 2e6 }, 'price'],
  ['more money than there is room for', { grantCoins: 1e8 }, 'grant'],
  ['a price without ticks', { price: 1e-7 }, 'price'],
])('DEC-KIT-54: %s is refused by name, and nothing changes', async (_what, change, member) => {
  const sandbox = await startMarket('refused', 100);
  const { seq } = await sandbox.queries.position();
  await expect(openPair(portsOf(sandbox), { ...asked, ...change })).rejects.toMatchObject({ member });
  await expect(openContract(portsOf(sandbox), 'NOVA')).rejects.toMatchObject({ member: 'base' });
  await expect(openContract(portsOf(sandbox), 'BTC')).rejects.toMatchObject({ member: 'base' });
  expect((await sandbox.queries.position()).seq).toBe(seq);
  await sandbox.simulation.stop();
});
