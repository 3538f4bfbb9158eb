import type { AccountStatus } from '#model/account.ts';
import type { Event } from '#model/event-record.ts';
import type { CloseReason, OrderRequest, OrderView } from '#model/order.ts';
import { statusOf } from '#model/order.ts';
import type { RebateRates } from '#model/rebate.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import type { Fraction } from './fraction.ts';

/** An order of the model, open or closed. Amounts are big integers of the smallest unit. */
export interface NaiveOrder {
  readonly number: number;
  readonly account: number;
  readonly request: OrderRequest;
  /** Limit price, or the collar of a market order. */
  readonly price: number;
  executed: number;
  executedQuote: bigint;
  fills: number;
  /** What is set aside for the part that may still fill. */
  held: bigint;
  /** Of an order without a hold: what fills still to come will take of the asset it gives. */
  toCome: bigint;
  closeReason: CloseReason | null;
  readonly acceptedAt: number;
  updatedAt: number;
}

export interface NaiveSymbol {
  readonly id: number;
  listing: SymbolListing;
  /** Best first, then oldest first. */
  bids: NaiveOrder[];
  asks: NaiveOrder[];
  lastPrice: number | null;
  lastTrade: number;
  version: number;
}

export interface NaiveAccount {
  readonly id: number;
  readonly master: number;
  readonly simulated: boolean;
  status: AccountStatus;
  feeDeduction: boolean;
  makerFeePpm: number | null;
  takerFeePpm: number | null;
  openOrdersMax: number;
  /** Whether an operator lets it trade. */
  isTradeOn: boolean;
  readonly isBroker: boolean;
  /** Whether its master was a broker when it was opened. */
  readonly isOfBroker: boolean;
  /** Who invited it; of a broker's sub-account the broker, of other sub-accounts nobody: their masters count. */
  readonly inviter: number | null;
  /** The code under which it came; empty if nobody invited it. */
  readonly code: string;
}

/** A share of one commission that is neither paid nor rejected. */
export interface NaivePending {
  readonly day: number;
  readonly beneficiary: number;
  readonly source: number;
  readonly asset: number;
  readonly amount: bigint;
}

export interface NaiveGroup {
  readonly id: number;
  readonly master: number;
  members: number[];
}

/**
 * Everything the model knows: plain arrays, maps and big integers, no index that could be wrong. Written from the
 * documents alone, never from the engine, so that both can be held against each other.
 */
export class NaiveState {
  at = 0;
  readonly scales: number[] = [];
  readonly symbols: NaiveSymbol[] = [];
  readonly accounts: NaiveAccount[] = [];
  readonly groups: NaiveGroup[] = [];
  /** Every open order and every closed one whose client id is still kept, in order of acceptance. */
  orders: NaiveOrder[] = [];
  readonly free = new Map<string, bigint>();
  readonly held = new Map<string, bigint>();
  feeToken: { token: number; valuedIn: number; discountPpm: number } | null = null;
  /** Every trade of the last minutes, earliest first. */
  trades: { symbol: number; at: number; quote: bigint; lots: number }[] = [];
  /** Prices that an operator set. */
  readonly references = new Map<number, { digits: bigint; decimals: number; until: number }>();
  /** What the platform token was worth when its price was looked at last, in which minute that was. */
  tokenWorth: Fraction | null = null;
  lookedAt = -1;
  /** What the wallet is valued in. */
  valuedIn: number | null = null;
  /** Owners of codes, refer codes included. */
  readonly codes = new Map<string, number>();
  /** Own rates of inviters, under inviter and product. */
  readonly rates = new Map<string, RebateRates>();
  pending: NaivePending[] = [];
  lastAccrual = 0;
  lastOrder = 0;
  lastGroup = 0;
  /** Whether anything trades. */
  isOpen = true;
  events: Event[] = [];
  /** How often each of the cases that only the model can tell has come up. */
  readonly met = new Map<string, number>();

  meet(cell: string): void {
    this.met.set(cell, (this.met.get(cell) ?? 0) + 1);
  }

  freeOf(account: number, asset: number): bigint {
    return this.free.get(`${account}/${asset}`) ?? 0n;
  }

  heldOf(account: number, asset: number): bigint {
    return this.held.get(`${account}/${asset}`) ?? 0n;
  }

  move(leg: { account: number; asset: number; free: bigint; held: bigint }): void {
    const key = `${leg.account}/${leg.asset}`;
    if (leg.free !== 0n) this.free.set(key, (this.free.get(key) ?? 0n) + leg.free);
    if (leg.held !== 0n) this.held.set(key, (this.held.get(key) ?? 0n) + leg.held);
  }

  /** What an account owns, free and held. */
  balance({ account, asset }: { readonly account: number; readonly asset: number }): bigint {
    const key = `${account}/${asset}`;
    return (this.free.get(key) ?? 0n) + (this.held.get(key) ?? 0n);
  }

  /** A state that may be changed to learn what would happen on one symbol: nothing of it reaches this one. */
  copyFor(symbol: number): NaiveState {
    const copy = new NaiveState();
    copy.at = this.at;
    copy.scales.push(...this.scales);
    copy.accounts.push(...this.accounts);
    copy.groups.push(...this.groups);
    copy.feeToken = this.feeToken;
    copy.tokenWorth = this.tokenWorth;
    copy.valuedIn = this.valuedIn;
    for (const [key, rates] of this.rates) copy.rates.set(key, rates);
    copy.lastOrder = this.lastOrder;
    for (const [key, amount] of this.free) copy.free.set(key, amount);
    for (const [key, amount] of this.held) copy.held.set(key, amount);
    const copied = (order: NaiveOrder): NaiveOrder => ({ ...order });
    for (const other of this.symbols) {
      const { bids, asks } = other.id === symbol ? other : { bids: [], asks: [] };
      copy.symbols.push({ ...other, bids: bids.map(copied), asks: asks.map(copied) });
    }
    return copy;
  }

  /** Orders of an account that may still fill. */
  openOrdersOf(account: number): NaiveOrder[] {
    return this.orders.filter((order) => order.account === account && order.closeReason === null);
  }
}

/** Neither it nor its master is stopped; a broker's customers do not stop with it. DEC-SUB-101. */
export function mayTrade({ accounts }: NaiveState, id: number): boolean {
  const { status, master, isOfBroker } = accounts[id] as NaiveAccount;
  const isStoppedWith = !isOfBroker && (accounts[master] as NaiveAccount).status !== 'normal';
  return status === 'normal' && !isStoppedWith;
}

/** Whether trading is switched off for it, or for its master unless that is a broker. */
export function isTradeOff({ accounts }: NaiveState, id: number): boolean {
  const { isTradeOn, master, isOfBroker } = accounts[id] as NaiveAccount;
  return !isTradeOn || (!isOfBroker && !(accounts[master] as NaiveAccount).isTradeOn);
}

/** Quote units of one tick times one lot. */
export const quoteUnit = (state: NaiveState, symbol: NaiveSymbol): bigint => {
  const { quote, priceDecimals, quantityDecimals } = symbol.listing;
  return 10n ** BigInt((state.scales[quote] as number) - priceDecimals - quantityDecimals);
};

/** Base units of one lot. */
export const baseUnit = (state: NaiveState, symbol: NaiveSymbol): bigint =>
  10n ** BigInt((state.scales[symbol.listing.base] as number) - symbol.listing.quantityDecimals);

/** Quote units of a quantity at a price. */
export const notionalOf = (state: NaiveState, symbol: NaiveSymbol, price: number, lots: number): bigint =>
  BigInt(price) * BigInt(lots) * quoteUnit(state, symbol);

/** Whether the quote amount and not the quantity bounds a market order. Exactly one is given: the gateway chose. */
export const goesByBudget = (request: OrderRequest): boolean => request.kind === 'market' && request.budget !== null;

/** Whether an order stays when nothing more fills it: it pays from its hold, every other one from free balances. */
export const mayRest = (request: OrderRequest): boolean => request.kind === 'limit' || request.kind === 'postOnly';

/** Lots of a resting order that are not filled yet. */
export const openLots = (order: NaiveOrder): number => (order.request.quantity as number) - order.executed;

/** Lots an order still wants; for an order by budget what the budget leaves at this price. */
export function wantedLots(state: NaiveState, order: NaiveOrder, price: number): number {
  const { request } = order;
  if (!goesByBudget(request)) return (request.quantity as number) - order.executed;
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const left = BigInt(request.budget as number) - order.executedQuote;
  return Number(left / notionalOf(state, symbol, price, 1));
}

/** The order as an event or a query shows it. */
export function viewOf(order: NaiveOrder): OrderView {
  const { request } = order;
  return {
    order: as(order.number),
    account: as(order.account),
    symbol: request.symbol,
    side: request.side,
    kind: request.kind,
    status: statusOf(order.executed, order.closeReason),
    price: as(order.price),
    quantity: as(goesByBudget(request) ? order.executed : (request.quantity as number)),
    budget: goesByBudget(request) ? request.budget : null,
    executed: as(order.executed),
    executedQuote: as(Number(order.executedQuote)),
    stpMode: request.stpMode,
    clientOrderId: request.clientOrderId?.text ?? null,
    closeReason: order.closeReason,
    acceptedAt: as(order.acceptedAt),
    updatedAt: as(order.updatedAt),
  };
}
