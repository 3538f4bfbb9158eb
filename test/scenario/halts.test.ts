import { describe, expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { TradingState } from '#model/trading.ts';
import { as, type Balance, type TimestampMs } from '#model/units.ts';
import { ContractDesk, contract, orderOf } from './contract-desk.ts';
import { LiquidationDesk } from './liquidation-desk.ts';
import { deskWithOrders, pair } from './pair-desk.ts';
import { assets, people, type WalletHarness } from './wallet-harness.ts';

const { alice, bob, carol } = people;
const set = (desk: WalletHarness, state: TradingState, reason = 'A test.'): string =>
  desk.say({ kind: 'setTrading', state, reason });

describe.each(['halted', 'cancelOnly'] as const)('DEC-OPR-166: while trading is %s', (state) => {
  test('new orders are refused, resting ones stay with their holds, and can be cancelled', () => {
    const desk = deskWithOrders();
    expect(set(desk, state)).toBe('tradingChanged');
    for (const [side, price] of [
      ['sell', 100],
      ['buy', 1],
    ] as const)
      expect(desk.trade(bob, side, price)).toBe('tradingSuspended');
    expect([desk.open, desk.free(alice, assets.USDT), desk.status]).toEqual([3, 9810n, 'online']);
    desk.restore();
    expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [pair] });
    expect([desk.open, desk.free(alice, assets.USDT)]).toEqual([1, 10_000n]);
    expect(set(desk, 'open')).toBe('tradingChanged');
    expect(desk.trade(alice, 'buy', 200)).toBe('orderAccepted');
    expect(desk.open).toBe(0);
  });

  test('ladders lose what they cancel and get nothing new, and batches are refused one by one', () => {
    const desk = deskWithOrders();
    set(desk, state);
    const order = { ...orderOf('buy', 1, 90), symbol: pair };
    const [first] = desk.engine.state.accounts.openOrders.all(alice);
    const cancel = [desk.engine.state.tables.viewOf(first!).order];
    const kinds = (command: Parameters<typeof desk.run>[0]): string[] =>
      desk.run(command).flatMap((event) => (event.kind === 'orderRefused' ? [event.reason] : [event.kind]));
    const requoted = kinds({ kind: 'requote', account: alice, symbol: pair, cancel, place: [order] });
    expect(requoted.filter((kind) => kind === 'orderClosed' || kind === 'tradingSuspended')).toEqual([
      'orderClosed',
      'tradingSuspended',
    ]);
    expect(kinds({ kind: 'placeOrders', account: alice, orders: [order, order] })).toEqual([
      'tradingSuspended',
      'tradingSuspended',
    ]);
  });

  test('a retry of an order that was accepted before is answered with it', () => {
    const desk = deskWithOrders();
    const order = { ...orderOf('buy', 1, 80), symbol: pair, clientOrderId: ClientOrderId.of('mine') };
    const say = (): string => desk.run({ kind: 'placeOrder', account: alice, order })[0]!.kind;
    expect(say()).toBe('orderAccepted');
    set(desk, state);
    expect(say()).toBe('orderRepeated');
  });

  test('openings that are scheduled wait until it is open', () => {
    const desk = deskWithOrders();
    const openAt = as<TimestampMs>(desk.at + 1000);
    desk.change({ status: 'paused', openAt });
    set(desk, state);
    desk.at += 2000;
    expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
    expect(desk.status).toBe('paused');
    desk.restore();
    set(desk, 'open');
    expect(desk.trade(bob, 'sell', 100)).toBe('orderAccepted');
    expect(desk.status).toBe('online');
  });

  test('contracts take no orders, those that reduce a position and those in delivery neither', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    set(desk, state);
    const refused = 'contractNotTradable';
    expect(desk.order(carol, 'buy', 1, 1000)).toBe(refused);
    expect(desk.reduce(alice, 'sell', 1, null)).toBe(refused);
    set(desk, 'open');
    desk.order(carol, 'buy', 1, 1000);
    desk.say({ kind: 'setContractState', contract, state: 'delivery' });
    set(desk, state);
    expect(desk.reduce(alice, 'sell', 1, null)).toBe(refused);
    set(desk, 'open');
    expect(desk.reduce(alice, 'sell', 1, null)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(9);
  });

  test('liquidation waits, and funding goes on', () => {
    const desk = new LiquidationDesk({}, { minFundingPpm: 1000, maxFundingPpm: 1000, fundingHours: 1 });
    desk.trade(alice, bob, 10, 1000);
    desk.tell(1000);
    set(desk, state);
    const facts = desk.update(880, { after: 3_600_000 });
    expect(facts.find(({ kind }) => kind === 'fundingSettled')).toMatchObject({ funding: { paid: 880n } });
    expect(facts.filter(({ kind }) => kind === 'positionTaken' || kind === 'tradeExecuted')).toEqual([]);
    set(desk, 'open');
    expect(desk.tell(880)).toMatchObject([{ reason: 'liquidation', account: alice }, { reason: 'deleveraging' }]);
  });

  test('a contract without an index is paused only after a minute in which trading was open', () => {
    const desk = new ContractDesk();
    const stateOf = () => desk.engine.state.contracts.at(contract).rules.state;
    desk.index(1000);
    set(desk, state);
    desk.at += 90_000;
    desk.run({ kind: 'updateIndices', prices: [] });
    expect(stateOf()).toBe('enabled');
    set(desk, 'open');
    desk.run({ kind: 'updateIndices', prices: [] });
    desk.restore();
    desk.at += 59_999;
    desk.run({ kind: 'updateIndices', prices: [] });
    expect(stateOf()).toBe('enabled');
    desk.at += 1;
    desk.run({ kind: 'updateIndices', prices: [] });
    expect(stateOf()).toBe('paused');
  });

  test('money moves as before', () => {
    const desk = deskWithOrders();
    set(desk, state);
    desk.give(carol, assets.USDT, 10n);
    const transfer = {
      from: 'spot',
      to: 'futures',
      asset: assets.USDT,
      amount: as<Balance>(5n),
      clientTranId: null,
    } as const;
    expect(desk.say({ kind: 'transferFunds', account: carol, ...transfer })).toBe('fundsTransferred');
  });
});

test('DEC-OPR-166: a halt has a reason, and says since when it is', () => {
  const desk = deskWithOrders();
  expect(set(desk, 'halted', '')).toBe('invalidConfiguration');
  expect(set(desk, 'halted', 'x'.repeat(501))).toBe('invalidConfiguration');
  expect(desk.engine.state.trading.status).toBe(null);
  const since = desk.at;
  set(desk, 'halted', '😀'.repeat(500));
  desk.at += 5;
  set(desk, 'halted', 'Still.');
  expect(desk.engine.state.trading.status).toEqual({ state: 'halted', reason: 'Still.', actor: null, since });
  set(desk, 'cancelOnly');
  expect(desk.engine.state.trading.status).toMatchObject({ since: since + 5 });
});
