import { describe, expect, test } from 'vitest';
import type { AccountSwitches } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type AccountId, type Balance } from '#model/units.ts';
import { ContractDesk, orderOf } from './contract-desk.ts';
import { deskWithOrders, pair, PairDesk } from './pair-desk.ts';
import { LiquidationDesk } from './liquidation-desk.ts';
import { moving, SubAccountDesk } from './sub-account-desk.ts';
import { assets, people, type WalletHarness } from './wallet-harness.ts';
import { alice as payer, coin, tagged, WithdrawalDesk } from './withdrawal-desk.ts';

const { alice, bob, carol, child } = people;

const on = { trade: true, withdraw: true, api: true };
const say = (desk: WalletHarness, account: AccountId, off: Partial<AccountSwitches>, cancelOrders = false): string =>
  desk.say({ kind: 'setAccountSwitches', account, switches: { ...on, ...off }, cancelOrders });
const amount = as<Balance>(5n);

describe('DEC-OPR-167: trade off', () => {
  test('refuses new orders; resting ones stay, fill and can be cancelled', () => {
    const desk = deskWithOrders();
    expect(say(desk, alice, { trade: false })).toBe('accountChanged');
    expect(desk.trade(alice, 'buy', 80)).toBe('tradingOffForAccount');
    expect(desk.open).toBe(3);
    desk.restore();
    expect(desk.trade(bob, 'sell', 100)).toBe('orderAccepted');
    expect([desk.open, desk.free(alice, assets.BTC)]).toEqual([2, 10_000n]);
    expect(desk.trade(alice, 'buy', 80)).toBe('tradingOffForAccount');
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [pair] });
    expect(desk.open).toBe(1);
    say(desk, alice, {});
    expect(desk.trade(alice, 'buy', 80)).toBe('orderAccepted');
  });

  test('with cancelOrders cancels them, as many as one entry may, the rest in the next ones', () => {
    const desk = new PairDesk();
    desk.give(alice, assets.USDT, 100_000n);
    desk.run({
      kind: 'setTradingRules',
      account: alice,
      makerFeePpm: null,
      takerFeePpm: null,
      openOrdersMax: 1000,
    });
    for (let from = 0; from < 600; from += 20)
      desk.run({
        kind: 'placeOrders',
        account: alice,
        orders: Array.from({ length: 20 }, () => ({ ...orderOf('buy', 1, 10), symbol: pair })),
      });
    expect(say(desk, alice, { trade: true }, true)).toBe('invalidConfiguration');
    const told = desk.run({
      kind: 'setAccountSwitches',
      account: alice,
      switches: { ...on, trade: false },
      cancelOrders: true,
    });
    expect(told.filter(({ kind }) => kind === 'orderClosed')).toHaveLength(engineLimits.cancelledOrdersPerEntry);
    desk.restore();
    expect([desk.open, desk.engine.state.frozenOrders.count]).toEqual([100, 1]);
    desk.run({ kind: 'cancelFrozenOrders' });
    expect([desk.open, desk.free(alice, assets.USDT)]).toEqual([0, 100_000n]);
  });

  test('who may trade again meanwhile keeps what is left', () => {
    const desk = deskWithOrders();
    say(desk, alice, { trade: false });
    desk.engine.state.frozenOrders.add(alice);
    desk.engine.state.frozenOrders.isFresh = false;
    say(desk, alice, {});
    desk.run({ kind: 'cancelFrozenOrders' });
    expect([desk.open, desk.engine.state.frozenOrders.count]).toEqual([3, 0]);
  });

  test('refuses orders of contracts, those that reduce a position too, while liquidation goes on', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    desk.order(carol, 'buy', 1, 900);
    say(desk, alice, { trade: false });
    expect(desk.order(alice, 'buy', 1, 900)).toBe('tradingOffForAccount');
    expect(desk.reduce(alice, 'sell', 1, null)).toBe('tradingOffForAccount');
    const other = new LiquidationDesk();
    other.trade(alice, bob, 10, 1000);
    say(other, alice, { trade: false });
    expect(other.tell(880)).toMatchObject([{ reason: 'liquidation', account: alice }, { reason: 'deleveraging' }]);
  });

  test('refuses conversions of dust', () => {
    const desk = new PairDesk();
    const convert = { kind: 'convertDust', account: alice, assets: [assets.BTC] } as const;
    say(desk, alice, { trade: false });
    expect(desk.say(convert)).toBe('tradingOffForAccount');
    say(desk, alice, { withdraw: false, api: false });
    expect(desk.say(convert)).not.toBe('tradingOffForAccount');
  });

  test('moves no money and lets it move', () => {
    const desk = new PairDesk();
    desk.give(alice, assets.USDT, 100n);
    say(desk, alice, { trade: false });
    const transfer = { from: 'spot', to: 'futures', asset: assets.USDT, amount, clientTranId: null } as const;
    expect(desk.say({ kind: 'transferFunds', account: alice, ...transfer })).toBe('fundsTransferred');
  });
});

describe('DEC-OPR-167: withdraw off', () => {
  const send = { targetKind: 'uid', clientTranId: null, asset: assets.USDT, amount } as const;
  const uidOf = (desk: WalletHarness, account: AccountId) => String(desk.engine.state.accounts.get(account)!.uid);
  const sendTo = (desk: WalletHarness, account: AccountId, to: AccountId) =>
    desk.say({ kind: 'sendFunds', account, ...send, target: uidOf(desk, to) });

  test('refuses withdrawals to chains and inside, and what was asked for before waits', () => {
    const desk = new WithdrawalDesk();
    const asked = desk.after(['assess']);
    const begun = desk.after(['assess', 'begin']);
    const reason = (events: ReturnType<WithdrawalDesk['run']>) =>
      events.flatMap((event) => (event.kind === 'commandRefused' ? [event.reason] : []))[0];
    const switches = (withdraw: boolean) =>
      desk.run({
        kind: 'setAccountSwitches',
        account: as(payer),
        switches: { ...on, withdraw },
        cancelOrders: false,
      });
    switches(false);
    const off = 'withdrawalsOffForAccount';
    expect(reason(desk.request())).toBe(off);
    expect(reason(desk.request({ asset: as(tagged), network: 'TAG' }))).toBe(off);
    expect(reason(desk.step(asked, 'begin'))).toBe(off);
    expect(reason(desk.step(begun, 'sign'))).toBe(off);
    expect([desk.status(asked), desk.status(begun)]).toEqual(['wait', 'processing']);
    desk.nonce = 0;
    switches(true);
    desk.step(asked, 'begin');
    desk.step(begun, 'sign');
    expect([desk.status(asked), desk.status(begun)]).toEqual(['processing', 'packaging']);
    switches(false);
    // It may have been sent already.
    desk.step(begun, 'broadcast');
    expect(desk.status(begun)).toBe('confirming');
    expect(desk.held(payer, coin)).toBe(200n);
  });

  test('refuses transfers to other users, and takes money in', () => {
    const desk = new SubAccountDesk();
    desk.give(carol, assets.USDT, 100n);
    say(desk, alice, { withdraw: false });
    expect(sendTo(desk, alice, carol)).toBe('withdrawalsOffForAccount');
    expect(sendTo(desk, carol, alice)).toBe('fundsSent');
    expect(sendTo(desk, carol, desk.first)).toBe('fundsSent');
    say(desk, alice, { trade: false, api: false });
    expect(sendTo(desk, alice, carol)).toBe('fundsSent');
  });

  test('sub-accounts follow their master: money moves among them and does not leave', () => {
    const desk = new SubAccountDesk();
    say(desk, alice, { withdraw: false });
    expect(desk.say(moving({ to: desk.first }))).toBe('universalTransferMade');
    expect(desk.say(moving({ from: desk.first, to: child }))).toBe('notOfThisMaster');
    expect(desk.say(moving({ from: desk.first, to: desk.second }))).toBe('universalTransferMade');
    expect(sendTo(desk, desk.second, carol)).toBe('withdrawalsOffForAccount');
    const later = desk.opened({ name: 'openedlater' });
    expect(desk.say(moving({ to: later }))).toBe('universalTransferMade');
    expect(sendTo(desk, later, carol)).toBe('withdrawalsOffForAccount');
    desk.restore();
    expect(sendTo(desk, later, carol)).toBe('withdrawalsOffForAccount');
  });

  test('a sub-account that is off gives nothing to its master or to others of it, but moves between its wallets', () => {
    const desk = new SubAccountDesk();
    desk.run(moving({ to: desk.first }));
    say(desk, desk.first, { withdraw: false });
    expect(desk.say(moving({ from: desk.first, to: alice }))).toBe('withdrawalsOffForAccount');
    expect(desk.say(moving({ from: desk.first, to: desk.second }))).toBe('withdrawalsOffForAccount');
    expect(desk.say(moving({ from: desk.first, to: desk.first, toWallet: 'futures' }))).toBe('universalTransferMade');
    expect(desk.say(moving({ from: desk.first, fromWallet: 'futures', to: alice }))).toBe('withdrawalsOffForAccount');
    say(desk, desk.second, { withdraw: false });
    expect(desk.say(moving({ from: desk.first, fromWallet: 'futures', to: desk.second }))).toBe(
      'universalTransferMade',
    );
  });

  test('customers of a broker do not follow it: it gives them nothing that could leave', () => {
    const desk = new SubAccountDesk();
    desk.give(bob, assets.USDT, 1000n);
    const toCustomer = moving({ master: bob, from: bob, to: desk.customer });
    expect(desk.say(toCustomer)).toBe('universalTransferMade');
    say(desk, bob, { withdraw: false });
    expect(desk.say(toCustomer)).toBe('withdrawalsOffForAccount');
    expect(desk.say(moving({ master: bob, from: desk.customer, to: bob }))).toBe('universalTransferMade');
    say(desk, desk.customer, { withdraw: false });
    expect(desk.say(toCustomer)).toBe('universalTransferMade');
    expect(desk.say(moving({ master: bob, from: desk.customer, to: desk.other }))).toBe('withdrawalsOffForAccount');
    expect(sendTo(desk, desk.other, carol)).not.toBe('withdrawalsOffForAccount');
  });

  test('trades go on', () => {
    const desk = deskWithOrders();
    say(desk, alice, { withdraw: false, api: false });
    expect(desk.trade(alice, 'buy', 80)).toBe('orderAccepted');
  });
});

test('DEC-OPR-167: sub-accounts follow every switch of their master, customers of a broker none', () => {
  const desk = new SubAccountDesk();
  const shown = (account: AccountId) =>
    (['trade', 'withdraw', 'api'] as const).filter((name) => desk.engine.state.accounts.isOff(account, name));
  say(desk, alice, { trade: false, api: false });
  say(desk, bob, { trade: false, withdraw: false, api: false });
  say(desk, desk.first, { withdraw: false });
  expect([alice, child, desk.first].map(shown)).toEqual([
    ['trade', 'api'],
    ['trade', 'api'],
    ['trade', 'withdraw', 'api'],
  ]);
  expect([bob, desk.customer].map(shown)).toEqual([['trade', 'withdraw', 'api'], []]);
  say(desk, alice, {});
  expect([alice, child, desk.first].map(shown)).toEqual([[], [], ['withdraw']]);
  expect(say(desk, as(1), { trade: false })).toBe('unknownAccount');
});
