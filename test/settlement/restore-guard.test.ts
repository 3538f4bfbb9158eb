import { expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { alice, bob, SettlementWorld } from './settlement-world.ts';

/** ETH counts nonces, XRP does not. Amounts on the ledger. */
const coins = [
  { code: 'ETH', owner: alice, onChain: 4n * 10n ** 18n, amount: 10n ** 9n },
  { code: 'XRP', owner: bob, onChain: 200n * 10n ** 6n, amount: 30n * 10n ** 6n },
] as const;

for (const { code, owner, onChain, amount } of coins) {
  const network: Network = code;

  test(`DEC-WAL-120, DEC-WAL-123: a restored sandbox pays nothing on ${network} that its chain has already`, async () => {
    const world = await SettlementWorld.open();
    await world.pay(owner, code, network, onChain);
    await world.turnsUntil(async () => world.free(owner, code) > 0n);
    const backup = [...world.exchange.entries];
    const lost = await world.withdraw(owner, code, network, amount);
    await world.turnsUntil(async () => world.withdrawal(lost).status === 'success');
    expect(world.notices).toEqual([]);

    const restored = await world.restored(backup);
    // Another one than before, for the simulated wallet signs equal payments equally.
    const other = await restored.withdraw(owner, code, network, amount * 2n);
    const again = await restored.withdraw(owner, code, network, amount);
    for (let turn = 0; turn < 20; turn += 1) await restored.turn(demoBlockMs);
    expect([other, again].map((each) => restored.withdrawal(each).status)).toEqual(['wait', 'wait']);
    const [payment, ...more] = restored.exchange.engine.state.unknownPayments.all();
    expect(more).toEqual([]);
    expect(payment).toMatchObject({ network, booking: null, asset: restored.assetId(code) });
    const sent = () => restored.chainTransactions(network);
    const before = await sent();
    await restored.must({
      kind: 'bookUnknownPayment',
      network,
      payment: payment!.payment,
      booking: 'withdrawal',
      withdrawal: again,
      account: null,
      deposit: null,
      asset: null,
      amount: as<Balance>(0n),
    });
    await restored.turnsUntil(async () => restored.withdrawal(other).status === 'success');
    expect(restored.withdrawal(again).status).toBe('success');
    expect((await sent()) - before).toBe(1);
    expect(await restored.faults()).toEqual([]);
  });
}

test('DEC-WAL-126: what a simulated reorganisation drops after success is sent again, once', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', 10n ** 8n);
  await world.turnsUntil(async () => world.free(alice, 'BTC') > 0n);
  const withdrawal = await world.withdraw(alice, 'BTC', 'BTC', 10n ** 7n);
  await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
  const before = await world.chainTransactions('BTC');
  await world.controls.reorganise({ network: 'BTC', depth: 3, drop: true });
  expect(await world.chainTransactions('BTC')).toBe(before - 1);
  for (let turn = 0; turn < 6; turn += 1) await world.turn(demoBlockMs);
  expect(await world.chainTransactions('BTC')).toBe(before);
  expect(world.withdrawal(withdrawal).status).toBe('success');
  expect(await world.faults()).toEqual([]);
});
