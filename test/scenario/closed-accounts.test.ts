import { describe, expect, test } from 'vitest';
import type { Command, CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { PermissionSet } from '#model/permission.ts';
import { as, type AccountId, type Balance } from '#model/units.ts';
import { remainsOf } from '#engine/accounts/closing-commands.ts';
import { orderOf } from './contract-desk.ts';
import { alice as payee, DepositDesk } from './deposit-desk.ts';
import { pair, PairDesk } from './pair-desk.ts';
import { moving, opening, SubAccountDesk } from './sub-account-desk.ts';
import { operated } from '../operated.ts';
import { assets, people, uidOf, type WalletHarness } from './wallet-harness.ts';

const { alice, bob, carol } = people;

const close = (desk: WalletHarness, account: AccountId): string =>
  desk.say({ kind: 'setAccountClosed', account, closed: true });
const reopen = (desk: WalletHarness, account: AccountId): string =>
  desk.say({ kind: 'setAccountClosed', account, closed: false });
/** Why an operator's command is refused. */
const refusalOf = (desk: WalletHarness, command: Parameters<typeof operated>[1]): string | undefined =>
  desk.run(operated('olga', command)).find((event) => event.kind === 'commandRefused')?.reason;
const keyOf = (account: AccountId, accessKey: string): Command =>
  ({
    ...{ kind: 'createApiKey', account, accessKey, note: '', permissions: 1 as PermissionSet, ips: [] },
    ...{ sealedSecret: 'c2VjcmV0', unboundLifeMs: null },
  }) as Command;
const adjust = (account: AccountId, amount: bigint, type: 'credit' | 'debit') =>
  ({
    ...{ kind: 'adjustBalance', account, wallet: 'spot', asset: assets.USDT, amount: as<Balance>(amount), type },
    ...{ reason: 'x', reference: null },
  }) as CommandOf<'adjustBalance'>;

describe('DEC-OPR-235: an account is closed when nothing is left', () => {
  test('money in either wallet, free or held, and open orders are reasons not to', () => {
    const desk = new PairDesk();
    desk.give(alice, assets.USDT, 1000n);
    expect(close(desk, alice)).toBe('accountNotEmpty');
    expect(desk.trade(alice, 'buy', 100)).toBe('orderAccepted');
    const { openOrders, balances } = remainsOf(desk.engine.state, alice);
    expect([openOrders, balances.map(({ amount }) => amount)]).toEqual([1, [1000n]]);
    expect(close(desk, alice)).toBe('accountNotEmpty');
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [pair] });
    const toFutures = { asset: assets.USDT, amount: as<Balance>(1000n), from: 'spot', to: 'futures' } as const;
    desk.run({ kind: 'transferFunds', account: alice, ...toFutures, clientTranId: null });
    expect(remainsOf(desk.engine.state, alice).balances.map(({ wallet }) => wallet)).toEqual(['futures']);
    expect(close(desk, alice)).toBe('accountNotEmpty');
  });

  test('sub-accounts are closed first and reopened last; a repetition is refused', () => {
    const desk = new SubAccountDesk();
    expect(close(desk, bob)).toBe('accountNotEmpty');
    expect(remainsOf(desk.engine.state, bob).subAccounts).toEqual([desk.customer, desk.other]);
    for (const account of [desk.customer, desk.other, bob]) expect(close(desk, account)).toBe('accountChanged');
    desk.restore();
    expect(close(desk, bob)).toBe('accountClosed');
    expect(reopen(desk, desk.customer)).toBe('accountClosed');
    for (const account of [bob, desk.customer]) expect(reopen(desk, account)).toBe('accountChanged');
    expect([reopen(desk, bob), reopen(desk, as(9999)), close(desk, as(1))]).toEqual([
      'wrongState',
      'unknownAccount',
      'unknownAccount',
    ]);
  });

  test('a deposit that is not final is a reason not to; one that comes later waits for operators', () => {
    const desk = new DepositDesk();
    const account = as<AccountId>(payee);
    const say = (closed: boolean): string => {
      const told = desk.run({ kind: 'setAccountClosed', account, closed }).at(-1)!;
      return told.kind === 'commandRefused' ? told.reason : told.kind;
    };
    desk.report('early', 1);
    const [waiting] = remainsOf(desk.engine.state, account).deposits;
    expect([waiting, say(true)]).toEqual([1, 'accountNotEmpty']);
    desk.removal('early');
    expect(say(true)).toBe('accountChanged');
    desk.report('late', 3);
    const late = desk.engine.state.deposits.all().at(-1)!;
    expect(late.status).toBe('restricted');
    desk.review(late.deposit, 'credit');
    expect(desk.engine.state.deposits.get(late.deposit)!.status).toBe('restricted');
    expect(say(false)).toBe('accountChanged');
    desk.review(late.deposit, 'credit');
    expect(desk.engine.state.deposits.get(late.deposit)!.status).toBe('success');
  });
});

describe('DEC-OPR-236: a closed account does nothing and gets nothing', () => {
  test('its keys end, and it gets no others', () => {
    const desk = new SubAccountDesk();
    desk.run(keyOf(carol, 'carolskey00'));
    const told = desk.run({ kind: 'setAccountClosed', account: carol, closed: true });
    expect(told.map(({ kind }) => kind)).toEqual(['apiKeyDeleted', 'accountChanged']);
    expect(desk.engine.state.keys.of(carol)).toEqual([]);
    expect(desk.say(keyOf(carol, 'carolskey01'))).toBe('accountClosed');
    expect(reopen(desk, carol)).toBe('accountChanged');
    expect(desk.say(keyOf(carol, 'carolskey01'))).toBe('apiKeyCreated');
  });

  test('it neither trades nor is frozen, and no money reaches it', () => {
    const desk = new SubAccountDesk();
    close(desk, carol);
    close(desk, desk.second);
    const status = { kind: 'setAccountStatus', account: carol } as const;
    const send = { asset: assets.USDT, amount: as<Balance>(1n), clientTranId: null } as const;
    const said = [
      desk.say({ kind: 'placeOrder', account: carol, order: { ...orderOf('buy', 1, 10), symbol: as(0) } }),
      desk.say({ ...status, status: 'frozen' }),
      desk.say({ ...status, status: 'normal' }),
      desk.say({ kind: 'sendFunds', account: alice, targetKind: 'uid', target: uidOf('carol'), ...send }),
      desk.say(moving({ to: desk.second })),
      refusalOf(desk, adjust(carol, 1n, 'credit')),
      refusalOf(desk, adjust(carol, 1n, 'debit')),
      desk.say({ kind: 'creditFunds', account: carol, asset: assets.USDT, amount: as<Balance>(1n) }),
      desk.say(opening({ master: carol, name: 'carolsdesk1' })),
    ];
    expect(said).toEqual([
      ...['orderRefused', 'accountClosed', 'accountClosed', 'targetNotUsable', 'targetNotUsable'],
      ...['accountClosed', 'accountClosed', 'accountClosed', 'accountNotUsable'],
    ]);
    expect(desk.say({ ...status, account: alice, status: 'closed' })).toBe('invalidConfiguration');
    expect(desk.engine.state.accounts.statusOf(desk.second)).toBe('closed');
  });
});

test('DEC-OPR-233: an operator cancels as many orders as one entry may, the oldest first', () => {
  const desk = new PairDesk();
  desk.give(alice, assets.USDT, 100_000n);
  const terms = { kind: 'setTradingRules', account: alice, makerFeePpm: null, takerFeePpm: null } as const;
  desk.run({ ...terms, openOrdersMax: 1000 });
  const orders = Array.from({ length: 20 }, () => ({ ...orderOf('buy', 1, 10), symbol: pair }));
  for (let from = 0; from < 600; from += 20) desk.run({ kind: 'placeOrders', account: alice, orders });
  const cancel = (symbols: readonly (typeof pair)[]) =>
    desk.run({ kind: 'cancelSomeOrders', account: alice, symbols }).filter(({ kind }) => kind === 'orderClosed').length;
  expect([cancel([as(999)]), cancel([pair]), desk.open]).toEqual([0, engineLimits.cancelledOrdersPerEntry, 100]);
  expect([cancel([]), cancel([]), desk.open]).toEqual([100, 0, 0]);
});
