import { expect } from 'vitest';
import { futuresWalletOf } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { ContractListing, MarginMode, PositionView } from '#model/contract.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import type { AccountId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

// USDT has 4 decimals. One contract is 1 BTC and a tick 0.01 USDT, so that a lot costs 100 units per tick: at price p,
// n lots cost 100 × n × p units.
export const terms: ContractListing = {
  name: 'BTC_USDT',
  base: assets.BTC,
  settle: assets.USDT,
  size: 1,
  sizeDecimals: 0,
  priceDecimals: 2,
  state: 'enabled',
  minLots: as(1),
  maxLots: as(1000),
  makerFeePpm: 100,
  takerFeePpm: 400,
  fairLimitPpm: 10_000,
  bidLimitPpm: 100_000,
  askLimitPpm: 100_000,
  collarPpm: 500_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  fundingHours: 8,
  liquidationFeePpm: 400,
  tiers: [
    { maxLots: as(100), maintenancePpm: 4000, initialPpm: 20_000, maxLeverage: 50 },
    { maxLots: as(2000), maintenancePpm: 50_000, initialPpm: 100_000, maxLeverage: 10 },
  ],
};
/** Its number. */
export const contract = as<SymbolId>(3);

/** People whose futures wallets have a million units unless told otherwise, and the contract. */
export class ContractDesk extends WalletHarness {
  constructor(money: Partial<Record<'alice' | 'bob' | 'carol', bigint>> = {}) {
    super();
    expect(this.say({ kind: 'configureContract', contract: terms })).toBe('contractConfigured');
    for (const name of ['alice', 'bob', 'carol'] as const) this.fund(people[name], money[name] ?? 1_000_000n);
  }

  fund(account: AccountId, amount: bigint): void {
    this.give(account, assets.USDT, amount);
    const terms = { from: 'spot', to: 'futures', asset: assets.USDT, amount: as<Balance>(amount) } as const;
    expect(this.say({ kind: 'transferFunds', account, ...terms, clientTranId: null })).toBe('fundsTransferred');
  }

  /** Tells the index of a contract, in ticks; the fair price follows while the book has an empty side. */
  index(ticks: number, id = contract): void {
    const price = Math.round(ticks * 1_000_000);
    this.run({ kind: 'updateIndices', prices: [{ contract: id, price }] });
  }

  /** Takes money out of a futures wallet; answers what is said. */
  takeOut(account: AccountId, amount: bigint): string {
    const terms = { from: 'futures', to: 'spot', asset: assets.USDT, amount: as<Balance>(amount) } as const;
    return this.say({ kind: 'transferFunds', account, ...terms, clientTranId: null });
  }

  leverage(account: AccountId, leverage: number, mode: MarginMode = 'cross'): string {
    return this.say({ kind: 'setLeverage', account, contract, mode, leverage });
  }

  /** The reason of refusal, or `accepted`. */
  order(account: AccountId, side: Side, lots: number, price: number | null, kind: OrderKind = 'limit'): string {
    return answer(this.run({ kind: 'placeOrder', account, order: orderOf(side, lots, price, kind) }));
  }

  reduce(account: AccountId, side: Side, lots: number, price: number | null, kind: OrderKind = 'market'): string {
    return answer(this.run({ kind: 'reducePosition', account, order: orderOf(side, lots, price, kind) }));
  }

  /** A trade: the maker's order rests, the taker's meets it. */
  trade(maker: AccountId, taker: AccountId, side: Side, lots: number, price: number): void {
    expect(this.order(maker, side === 'buy' ? 'sell' : 'buy', lots, price)).toBe('accepted');
    expect(this.order(taker, side, lots, price)).toBe('accepted');
  }

  position(account: AccountId): PositionView {
    return viewOfPosition(this.engine.state, this.engine.state.positions.find(account, contract)!);
  }

  /** Free and held in the futures wallet. */
  wallet(account: AccountId): readonly [bigint, bigint] {
    const { balances } = this.engine.state.ledger;
    const row = balances.row(futuresWalletOf(account), assets.USDT);
    return [balances.free.get(row), balances.held.get(row)];
  }

  houseHas(account: AccountId): bigint {
    const { balances } = this.engine.state.ledger;
    return balances.free.get(balances.row(account, assets.USDT));
  }
}

/** An order for the contract. */
export const orderOf = (side: Side, lots: number, price: number | null, kind: OrderKind = 'limit'): OrderRequest => ({
  symbol: contract,
  side,
  kind,
  price: price === null ? null : as(price),
  quantity: as(lots),
  budget: null,
  clientOrderId: ClientOrderId.of(null),
  stpMode: 'none',
});

function answer(events: ReturnType<WalletHarness['run']>): string {
  const first = events[0]!;
  return first.kind === 'orderRefused' ? first.reason : 'accepted';
}
