import { expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { ContractDesk, orderOf } from './contract-desk.ts';
import { opening, SubAccountDesk } from './sub-account-desk.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

const { alice, bob, carol, child } = people;
/** BTCUSDT. */
const pair = as<SymbolId>(1);

/** A buy that rests, of one lot at a price of its own. */
const buy = (price: number) => ({ ...orderOf('buy', 1, price), symbol: pair });
const sell = (price: number) => ({ ...orderOf('sell', 1, price), symbol: pair });

const openOf = (desk: WalletHarness, account: AccountId): number => desk.engine.state.accounts.openCount(account);

test('DEC-SUB-102: freezing cancels open orders, of pairs and of contracts, in the same entry, and nothing fills', () => {
  const desk = new ContractDesk();
  desk.give(alice, assets.USDT, 1000n);
  desk.index(9000);
  expect(desk.order(alice, 'buy', 2, 9000)).toBe('accepted');
  desk.run({ kind: 'placeOrder', account: alice, order: buy(100) });
  expect(openOf(desk, alice)).toBe(2);
  const events = desk.run({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
  expect(events[0]).toMatchObject({ kind: 'accountChanged', account: { status: 'frozen' } });
  const closed = events.filter((event) => event.kind === 'orderClosed');
  expect(closed).toHaveLength(2);
  expect(openOf(desk, alice)).toBe(0);
  expect(desk.free(alice, assets.USDT)).toBe(1000n);
  expect(desk.wallet(alice)[1]).toBe(0n);
  desk.give(bob, assets.BTC, 10n ** 4n);
  desk.run({ kind: 'placeOrder', account: bob, order: sell(100) });
  expect(desk.free(alice, assets.BTC)).toBe(0n);
  expect(desk.order(alice, 'buy', 1, 9000)).toBe('accountNotUsable');
});

test('DEC-SUB-102: an abnormal account keeps no orders either, one of quarantined tails does', () => {
  const desk = new WalletHarness();
  for (const account of [alice, bob]) {
    desk.give(account, assets.USDT, 1000n);
    desk.run({ kind: 'placeOrder', account, order: buy(100) });
  }
  desk.run({ kind: 'setAccountStatus', account: alice, status: 'abnormal' });
  for (let tail = 0; tail < engineLimits.tailsPerAccount; tail += 1) {
    const seq = as<never>((desk.engine.seq + 1) as never);
    const told = { commandKind: 'placeOrder', invariant: 'x' };
    desk.run({ kind: 'recordQuarantine', seq, lastSeq: seq, account: bob, ...told });
  }
  expect(desk.engine.state.accounts.statusOf(bob)).toBe('abnormal');
  expect([openOf(desk, alice), openOf(desk, bob)]).toEqual([0, 1]);
});

test('DEC-SUB-101: the status of a sub-account is the worse of its own and its master’s', () => {
  const desk = new SubAccountDesk();
  const { accounts } = desk.engine.state;
  const shown = () => [desk.first, child, desk.customer].map((each) => desk.engine.state.accounts.statusOf(each));
  expect(accounts.isUnusable(child)).toBe(false);
  desk.setStatus(alice, 'frozen');
  desk.setStatus(bob, 'frozen');
  expect(shown()).toEqual(['frozen', 'frozen', 'normal']);
  desk.setStatus(desk.first, 'abnormal');
  expect(shown()).toEqual(['abnormal', 'frozen', 'normal']);
  desk.setStatus(alice, 'abnormal');
  desk.setStatus(child, 'frozen');
  expect(shown()).toEqual(['abnormal', 'abnormal', 'normal']);
  desk.setStatus(alice, 'normal');
  desk.setStatus(desk.first, 'normal');
  expect(shown()).toEqual(['normal', 'frozen', 'normal']);
  desk.restore();
  desk.setStatus(alice, 'frozen');
  expect(shown()).toEqual(['frozen', 'frozen', 'normal']);
});

test('DEC-SUB-101, DEC-SUB-102: a frozen master’s sub-accounts are refused and keep no orders, a broker’s go on', () => {
  const desk = new SubAccountDesk();
  for (const account of [child, desk.first, desk.customer, bob]) {
    desk.give(account, assets.USDT, 1000n);
    desk.run({ kind: 'placeOrder', account, order: buy(100) });
  }
  desk.setStatus(alice, 'frozen');
  desk.setStatus(bob, 'frozen');
  expect([child, desk.first, desk.customer, bob].map((account) => openOf(desk, account))).toEqual([0, 0, 1, 0]);
  const place = (account: AccountId) => desk.run({ kind: 'placeOrder', account, order: buy(99) })[0]?.kind;
  expect([place(child), place(desk.first), place(desk.customer)]).toEqual([
    'orderRefused',
    'orderRefused',
    'orderAccepted',
  ]);
  const send = { targetKind: 'uid', clientTranId: null, asset: assets.USDT, amount: as<never>(1n as never) } as const;
  const uid = (account: AccountId) => String(desk.engine.state.accounts.get(account)!.uid);
  const from = (account: AccountId, to: AccountId) =>
    desk.say({ kind: 'sendFunds', account, ...send, target: uid(to) });
  expect(from(desk.first, carol)).toBe('accountNotUsable');
  desk.give(carol, assets.USDT, 1000n);
  expect([from(carol, desk.first), from(carol, alice), from(carol, desk.customer)]).toEqual([
    'targetForbidden',
    'targetNotUsable',
    'fundsSent',
  ]);
});

test('DEC-SUB-103: a frozen sub-account gets no futures and no group, and ends its keys', () => {
  const desk = new SubAccountDesk();
  desk.setStatus(desk.customer, 'frozen');
  const futures = { kind: 'enableFutures', master: bob } as const;
  expect(desk.say({ ...futures, account: desk.customer })).toBe('targetForbidden');
  expect(desk.say({ ...futures, account: desk.other })).toBe('subAccountChanged');
  desk.run({ kind: 'createStpGroup', master: bob, name: 'desk' });
  for (const kind of ['addToStpGroup', 'removeFromStpGroup'] as const) {
    const members = (...list: AccountId[]) => desk.say({ kind, master: bob, group: 1, members: list });
    expect(members(desk.other, desk.customer)).toBe('targetForbidden');
    expect(members(desk.other, bob)).toBe('stpGroupChanged');
  }
});

test('DEC-SUB-102: more orders than an entry may cancel go in the next ones, and an image keeps what waits', () => {
  const most = engineLimits.cancelledOrdersPerEntry;
  const desk = new WalletHarness();
  const subs = ['alicesdesk1', 'alicesdesk2'].map((name) => {
    const [opened] = desk.run(opening({ name }));
    return opened?.kind === 'accountOpened' ? opened.account.account : as<AccountId>(0);
  });
  const owners = [alice, ...subs];
  for (const account of owners) {
    desk.give(account, assets.USDT, 10_000n);
    for (let from = 0; from < 300; from += 20) {
      const orders = Array.from({ length: 20 }, () => buy(10));
      desk.run({ kind: 'placeOrders', account, orders });
    }
  }
  const open = () => owners.map((account) => openOf(desk, account));
  expect(open()).toEqual([300, 300, 300]);
  desk.run({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
  expect(open()).toEqual([0, 900 - most - 300, 300]);
  desk.restore();
  expect(desk.engine.state.frozenOrders.count).toBe(2);
  // Who may trade again meanwhile keeps what is left.
  desk.run({ kind: 'setAccountStatus', account: alice, status: 'normal' });
  desk.run({ kind: 'setAccountStatus', account: subs[1]!, status: 'frozen' });
  desk.run({ kind: 'cancelFrozenOrders' });
  expect(open()).toEqual([0, 100, 0]);
  expect(desk.engine.state.frozenOrders.count).toBe(0);
  expect(desk.run({ kind: 'cancelFrozenOrders' })).toEqual([]);
});
