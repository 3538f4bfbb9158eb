import { expect } from 'vitest';
import { futuresWalletOf } from '#model/account.ts';
import type { ContractState, MarginMode, PositionView, Takeover } from '#model/contract.ts';
import type { Event } from '#model/event-record.ts';
import type { Side } from '#model/order.ts';
import type { AccountId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { contract, orderOf, terms } from './contract-desk.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

const { alice, bob, carol, robot } = people;

const freeTerms = { ...terms, makerFeePpm: 0, takerFeePpm: 0, minFundingPpm: 0, maxFundingPpm: 0 };
/** Contracts of the desk: BTC_USDT and DOG_USDT, of the same terms. */
export const first = contract;
export const second = as<SymbolId>(4);
/** Steps of an index or fair price in one tick. */
export const stepsPerTick = 1_000_000;

/** Two contracts without fees and funding, whose indices are told by hand, and people with money in futures wallets. */
export class LiquidationDesk extends WalletHarness {
  constructor(money: Partial<Record<'alice' | 'bob' | 'carol' | 'robot', bigint>> = {}, changes = {}) {
    super();
    for (const [name, base] of [
      ['BTC_USDT', assets.BTC],
      ['DOG_USDT', assets.DOG],
    ] as const)
      expect(this.say({ kind: 'configureContract', contract: { ...freeTerms, name, base, ...changes } })).toBe(
        'contractConfigured',
      );
    const wallets = { alice: 1_000_000n, bob: 10_000_000n, carol: 10_000_000n, robot: 10_000_000n, ...money };
    for (const [name, amount] of Object.entries(wallets)) this.fund(people[name as 'alice'], amount);
    for (const account of [alice, bob, carol]) this.leverage(account, 10);
    this.leverage(robot, 2);
  }

  fund(account: AccountId, amount: bigint): void {
    this.give(account, assets.USDT, amount);
    const moved = { from: 'spot', to: 'futures', asset: assets.USDT, amount: as<Balance>(amount) } as const;
    expect(this.say({ kind: 'transferFunds', account, ...moved, clientTranId: null })).toBe('fundsTransferred');
  }

  /** Takes money out of a futures wallet; answers what is said. */
  takeOut(account: AccountId, amount: bigint): string {
    const moved = { from: 'futures', to: 'spot', asset: assets.USDT, amount: as<Balance>(amount) } as const;
    return this.say({ kind: 'transferFunds', account, ...moved, clientTranId: null });
  }

  /** Gives the insurance fund of the first contract so much. */
  insure(amount: bigint): void {
    this.run({ kind: 'fundInsurance', contract: first, amount: as<Balance>(amount) });
  }

  leverage(account: AccountId, leverage: number, mode: MarginMode = 'isolated', contract = first): void {
    expect(this.say({ kind: 'setLeverage', account, contract, mode, leverage })).toBe('positionChanged');
  }

  /** Places a limit order, and answers how it was taken. */
  order(account: AccountId, side: Side, lots: number, price: number, contract = first): string {
    return answer(
      this.run({ kind: 'placeOrder', account, order: { ...orderOf(side, lots, price), symbol: contract } }),
    );
  }

  reduce(account: AccountId, side: Side, lots: number, price: number): string {
    const order = orderOf(side, lots, price, 'immediateOrCancel');
    return answer(this.run({ kind: 'reducePosition', account, order }));
  }

  /** `buyer` buys so many lots of `seller`, whose order rests. */
  trade(buyer: AccountId, seller: AccountId, lots: number, price: number, contract = first): void {
    expect(this.order(seller, 'sell', lots, price, contract)).toBe('orderAccepted');
    expect(this.order(buyer, 'buy', lots, price, contract)).toBe('orderAccepted');
  }

  /** Tells both indices in ticks, so many ms after the last command; answers what was taken over. */
  tell(ticks: number, { after = 1000, other = 1000 } = {}): readonly Takeover[] {
    return takeoversOf(this.update(ticks, { after, other }));
  }

  /** As `tell`, and answers all events. */
  update(ticks: number, { after = 1000, other = 1000 } = {}): readonly Event[] {
    this.at += after;
    const prices = [
      { contract: first, price: ticks * stepsPerTick },
      { contract: second, price: other * stepsPerTick },
    ];
    return this.run({ kind: 'updateIndices', prices });
  }

  go(state: ContractState): readonly Takeover[] {
    const events = this.run({ kind: 'setContractState', contract: first, state });
    expect(events.filter((event) => event.kind === 'commandRefused')).toEqual([]);
    return takeoversOf(events);
  }

  record(account: AccountId, contract = first): Position {
    return this.engine.state.positions.find(account, contract)!;
  }

  position(account: AccountId, contract = first): PositionView {
    return viewOfPosition(this.engine.state, this.record(account, contract));
  }

  /** Account of the insurance fund of the first contract. */
  get insurer(): AccountId {
    return this.engine.state.contracts.at(first).insurer;
  }

  /** Free in a futures wallet. */
  futuresFree(account: AccountId): bigint {
    return this.houseHas(futuresWalletOf(account));
  }

  /** Free in a ledger account. */
  houseHas(account: AccountId): bigint {
    const { balances } = this.engine.state.ledger;
    return balances.free.get(balances.row(account, assets.USDT));
  }
}

const takeoversOf = (events: readonly Event[]): readonly Takeover[] =>
  events.flatMap((event) => (event.kind === 'positionTaken' ? [event.takeover] : []));

function answer(events: readonly Event[]): string {
  const first = events.find(({ kind }) => kind === 'orderRefused' || kind === 'orderAccepted')!;
  return first.kind === 'orderRefused' ? first.reason : first.kind;
}
