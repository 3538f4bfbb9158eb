import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { as } from '#model/units.ts';
import { alice, chainLosses, outside, refusals } from './deposit-desk.ts';
import { rulesOf, usd, WithdrawalDesk } from './withdrawal-desk.ts';

/** A desk where alice owns no USD but a deposit of 200 units, credited as `tx`. */
function scarce(): WithdrawalDesk {
  const desk = new WithdrawalDesk();
  desk.run({ kind: 'configureWallet', rules: rulesOf() });
  while (desk.free(alice, usd) > 0n) {
    const left = desk.free(alice, usd);
    desk.run({ kind: 'setKycLevel', account: as(alice), kycLevel: 4 });
    const amount = as<never>((left > 1000n ? 1000n : left) as never);
    expect(refusals(desk.request({ asset: as(usd), address: '0x5', amount }))).toEqual([]);
  }
  desk.report('tx', 3);
  expect(desk.free(alice, usd)).toBe(200n);
  return desk;
}

const buy = (quantity: number): Command => ({
  kind: 'placeOrder',
  account: as(alice),
  order: {
    ...{
      symbol: 0,
      side: 'buy',
      kind: 'limit',
      price: 1,
      quantity,
      budget: null,
      clientOrderId: null,
      stpMode: 'none',
    },
  } as never,
});
const owned = (desk: WithdrawalDesk) => [desk.balance(alice, usd), desk.balance(chainLosses, usd)];

describe('DEC-WAL-153: a deposit that leaves its chain while its money is in use', () => {
  test('the orders are cancelled and the account keeps nothing of it', () => {
    const desk = scarce();
    for (let placed = 0; placed < 4; placed += 1) desk.run(buy(50));
    expect(desk.free(alice, usd)).toBe(0n);
    const events = desk.removal('tx');
    expect(owned(desk)).toEqual([0n, 0n]);
    expect(events.filter(({ kind }) => kind === 'depositLost').at(-1)).toMatchObject({
      fromAccount: 200n,
      fromHouse: 0n,
    });
    expect(desk.faults()).toEqual([]);
    // The chain has it again: the account, which paid all of it, gets all of it.
    desk.restore();
    desk.report('tx', 3);
    expect(owned(desk)).toEqual([200n, 0n]);
    expect(desk.faults()).toEqual([]);
  });

  test('what was spent is the loss of the house, and no more than that', () => {
    const desk = scarce();
    desk.spend(70n);
    desk.run(buy(100));
    desk.removal('tx');
    expect(owned(desk)).toEqual([0n, -70n]);
    expect(desk.faults()).toEqual([]);
  });

  test('a withdrawal that is cancelled or fails pays, too, and only what is missing', () => {
    for (const end of ['cancel', 'fail'] as const) {
      const desk = scarce();
      desk.report('other', 3, { amount: as(100n) });
      const withdrawal = desk.after(end === 'cancel' ? ['assess'] : ['assess', 'begin'], {
        asset: as(usd),
        amount: as(300n),
      });
      desk.removal('tx');
      expect([desk.free(alice, usd), ...owned(desk)]).toEqual([0n, 300n, -200n]);
      desk.restore();
      desk.step(withdrawal, end);
      expect([desk.free(alice, usd), ...owned(desk)]).toEqual([100n, 100n, 0n]);
      expect(desk.balance(outside, usd)).toBe(BigInt(-100));
      expect(desk.faults()).toEqual([]);
    }
  });

  test('beyond 500 orders the next entries take the rest', () => {
    const desk = scarce();
    desk.report('more', 3, { amount: as(800n) });
    const fees = { makerFeePpm: null, takerFeePpm: null };
    desk.run({ kind: 'setTradingRules', account: as(alice), ...fees, openOrdersMax: 2000 });
    for (let placed = 0; placed < 1000; placed += 1) desk.run(buy(1));
    desk.removal('more');
    expect(owned(desk)).toEqual([500n, -300n]);
    desk.run({ kind: 'cancelFrozenOrders' });
    expect(owned(desk)).toEqual([200n, 0n]);
    desk.removal('tx');
    expect(owned(desk)).toEqual([0n, 0n]);
    expect(desk.faults()).toEqual([]);
  });
});
