import { expect } from 'vitest';
import type { ContractListing } from '#model/contract.ts';
import type { Event } from '#model/event-record.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { Product, RebateAccrual } from '#model/rebate.ts';
import type { AccountId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { coin, RebateDesk, usd } from './rebate-desk.ts';
import { openRules } from './wallet-harness.ts';

// A contract is 1 COIN and a tick 1 USD, both whole: n lots at price p trade n × p units. Takers pay 10 %, makers 1 %.
const terms: ContractListing = {
  name: 'COIN_USD',
  base: coin,
  settle: usd,
  size: 1,
  sizeDecimals: 0,
  priceDecimals: 0,
  state: 'enabled',
  minLots: as(1),
  maxLots: as(1_000_000),
  makerFeePpm: 10_000,
  takerFeePpm: 100_000,
  fairLimitPpm: 10_000,
  bidLimitPpm: 1_000_000,
  askLimitPpm: 1_000_000,
  collarPpm: 1_000_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  fundingHours: 8,
  liquidationFeePpm: 400,
  tiers: [{ maxLots: as(1_000_000), maintenancePpm: 4000, initialPpm: 20_000, maxLeverage: 50 }],
};
/** The contract, by id. */
export const contract = as<SymbolId>(3);

/** Rates of an inviter: referral, sub-affiliate, third, kickback. */
type Rates = readonly [number, number, number, number];

/** A desk with a contract, whose market maker has plenty of money for it. */
export class FuturesDesk extends RebateDesk {
  constructor() {
    super();
    this.run({ kind: 'configureWallet', rules: { ...openRules, valuedIn: usd, transferable: [usd] } });
    expect(this.say({ kind: 'configureContract', contract: terms })).toBe('contractConfigured');
    this.toFutures(this.maker, 10_000_000);
  }

  toFutures(account: AccountId, amount: number): void {
    const move = { from: 'spot', to: 'futures', asset: usd, amount: as<Balance>(BigInt(amount)) } as const;
    expect(this.say({ kind: 'transferFunds', account, ...move, clientTranId: null })).toBe('fundsTransferred');
  }

  order(account: AccountId, side: Side, lots: number, price: number): Event[] {
    const order: OrderRequest = {
      ...{ symbol: contract, side, kind: 'limit', price: as(price), quantity: as(lots), budget: null },
      ...{ clientOrderId: null, stpMode: 'none' },
    };
    return this.run({ kind: 'placeOrder', account, order });
  }

  /** Somebody trades the contract with somebody else, as the taker; answers what accrued. */
  trade(taker: AccountId, side: Side, lots: number, price: number, maker = this.maker): RebateAccrual[] {
    this.order(maker, side === 'buy' ? 'sell' : 'buy', lots, price);
    const events = this.order(taker, side, lots, price);
    expect(events.some(({ kind }) => kind === 'tradeExecuted')).toBe(true);
    return events.flatMap((event) => (event.kind === 'rebateAccrued' ? [event.accrual] : []));
  }

  ratesOf(inviter: AccountId, product: Product, rates: Rates): void {
    const [referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm] = rates;
    const own = { referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm };
    expect(this.say({ kind: 'setRebateRates', inviter, product, ...own })).toBe('rebateRatesSet');
  }
}
