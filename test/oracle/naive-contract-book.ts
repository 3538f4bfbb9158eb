import type { CloseReason, OrderKind, Side, StpMode } from '#model/order.ts';
import { removesMaker, removesTaker } from './naive-prevention.ts';
import type { NaiveFutures } from './naive-contracts.ts';
import { canFill, closeOrder, restOrder, settleFill, settingOf, termsOf } from './naive-contracts.ts';
import { keepsMaintenance } from './naive-maintenance.ts';
import { greater, lesser, notional } from './naive-margin.ts';

// Books of contracts as plain lists: who trades with whom, and why an order ends. Money is the affair of
// naive-contracts.ts.

/** An order of a book, resting or incoming; `lots` is what is left of it. */
export interface NaiveBookOrder {
  readonly id: number;
  readonly account: number;
  readonly contract: number;
  readonly side: Side;
  readonly kind: OrderKind;
  /** Limit, or the end of the collar. */
  readonly price: bigint;
  readonly stp: StpMode;
  /** It only closes and holds nothing. */
  readonly reduces: boolean;
  lots: bigint;
}

/** What the books need to know besides money. */
export interface NaiveBooks {
  readonly state: NaiveFutures;
  /** Orders at rest, in the order of acceptance. */
  resting: NaiveBookOrder[];
  readonly lastPrices: Map<number, bigint>;
  /** Masters with a group: their accounts can be kept from trading with themselves. */
  readonly grouped: Set<number>;
  /** What happened, a line each. */
  lines: string[];
}

/** Orders of the other side, the best first, then the oldest. */
export function opposingOf({ resting }: NaiveBooks, contract: number, side: Side): NaiveBookOrder[] {
  const better = (one: NaiveBookOrder, other: NaiveBookOrder): boolean =>
    side === 'buy' ? one.price < other.price : one.price > other.price;
  return resting
    .filter((order) => order.contract === contract && order.side !== side)
    .sort((one, other) => (better(one, other) ? -1 : better(other, one) ? 1 : one.id - other.id));
}

const isWithin = (side: Side, limit: bigint, price: bigint): boolean =>
  side === 'buy' ? price <= limit : price >= limit;

/** Ends an order: what it holds is free, and it rests no more. */
export function endOrder(books: NaiveBooks, order: NaiveBookOrder, why: CloseReason): void {
  closeOrder(books.state, order.id);
  books.resting = books.resting.filter((one) => one !== order);
  books.lines.push(`closed ${order.id} ${why}`);
}

/** The most contracts that a position of this leverage may have. */
export function mostLots(state: NaiveFutures, account: number, contract: number): bigint {
  const { leverage } = settingOf(state, account, contract);
  const tiers = termsOf(state, contract).tiers.filter((tier) => tier.maxLeverage >= leverage);
  return tiers.reduce((most, tier) => greater(most, tier.maxLots), 0n);
}

/** A possible fill of an order. */
interface PossibleFill {
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly isSelf: boolean;
  readonly isMaker: boolean;
}

/**
 * Whether one side of a fill may happen: it is paid, what it opens stays within the risk limit, and the account does
 * not end below maintenance. With itself an account changes no position. DEC-FUT-21, DEC-FUT-23, DEC-FUT-101.
 */
function isPossible(state: NaiveFutures, order: NaiveBookOrder, fill: PossibleFill): boolean {
  const { account, contract, side } = order;
  const { ticks, isSelf, isMaker } = fill;
  const lots = side === 'buy' ? fill.lots : -fill.lots;
  const { makerFeePpm, takerFeePpm } = termsOf(state, contract);
  const feePpm = isMaker ? makerFeePpm : takerFeePpm;
  const carriedOut = { account, contract, lots, ticks, feePpm, order: order.reduces ? null : order.id };
  return (isSelf || canFill(state, account, contract, lots, ticks)) && keepsMaintenance(state, carriedOut, isSelf);
}

/** Trades until nothing more may trade; answers why a rest that will not stay must go. */
function take(books: NaiveBooks, taker: NaiveBookOrder): CloseReason {
  const { state } = books;
  while (taker.lots > 0n) {
    const maker = opposingOf(books, taker.contract, taker.side)[0];
    if (maker === undefined || !isWithin(taker.side, taker.price, maker.price))
      return maker !== undefined && taker.kind === 'market' ? 'collar' : 'unfilledRest';
    const isSelf = maker.account === taker.account;
    if (isSelf && taker.stp !== 'none' && books.grouped.has(taker.account)) {
      if (removesMaker(taker.stp)) endOrder(books, maker, 'stp');
      if (removesTaker(taker.stp)) return 'stp';
      continue;
    }
    const lots = lesser(taker.lots, maker.lots);
    const possible = { lots, ticks: maker.price, isSelf };
    if (!isPossible(state, taker, { ...possible, isMaker: false })) return 'byExchange';
    if (!isPossible(state, maker, { ...possible, isMaker: true })) endOrder(books, maker, 'byExchange');
    else fill(books, taker, maker, lots);
  }
  return 'filled';
}

function fill(books: NaiveBooks, taker: NaiveBookOrder, maker: NaiveBookOrder, lots: bigint): void {
  const { contract, side } = taker;
  const ticks = maker.price;
  const sideOf = ({ account, id, reduces }: NaiveBookOrder) => ({ account, order: reduces ? null : id });
  const sides = { taker: sideOf(taker), maker: sideOf(maker) };
  const [takerFee, makerFee] = settleFill(books.state, { contract, ticks, lots, takerSide: side, ...sides });
  const worth = notional(termsOf(books.state, contract), ticks, lots);
  books.lines.push(`trade ${contract}: ${taker.id} ${side}s ${lots} of ${maker.id} for ${ticks}, ${worth}`);
  books.lines.push(`fees of ${taker.id} ${takerFee}, of ${maker.id} ${makerFee}`);
  books.lastPrices.set(contract, ticks);
  taker.lots -= lots;
  maker.lots -= lots;
  if (maker.lots === 0n) endOrder(books, maker, 'filled');
}

/** Runs an accepted order to its end of this command: filled, cancelled, or at rest. */
export function runOrder(books: NaiveBooks, order: NaiveBookOrder): void {
  const { id, account, contract, side, price, lots } = order;
  books.lines.push(`accepted ${id} of ${account} on ${contract}: ${side} ${lots} at ${price}`);
  const ended = take(books, order);
  const mayRest = order.kind === 'limit' || order.kind === 'postOnly';
  if (!mayRest || ended !== 'unfilledRest') {
    endOrder(books, order, ended);
    return;
  }
  restOrder(books.state, id, price);
  books.resting.push(order);
}
