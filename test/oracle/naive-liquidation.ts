import type { NaiveFutures } from './naive-contracts.ts';
import { type NaiveFunding, settleFunding } from './naive-funding-payments.ts';
import {
  addFree,
  canPay,
  closeOrder,
  crossOf,
  freeOf,
  markedOf as marked,
  positionOf,
  settleSide,
  termsOf,
} from './naive-contracts.ts';
import type { Fraction } from './fraction.ts';
import { ofPpm, roundedUp, times } from './fraction.ts';
import type { Marked, NaivePosition } from './naive-margin.ts';
import {
  backing,
  bankruptcyPrice,
  crossEquity,
  crossMaintenance,
  isolatedEquity,
  lesser,
  magnitude,
  maintenance,
  markValue,
  perTickLot,
  tierIndex,
  unrealised,
} from './naive-margin.ts';

// What happens to positions that are worth too little: step by step, written from the rules.

/** A part of a position that the fund took. */
export interface NaiveTakeover {
  readonly account: number;
  readonly contract: number;
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly realised: bigint;
  readonly fee: bigint;
  /** What the fund lost by it. */
  readonly fromFund: bigint;
}

/** How many contracts a step takes: what is above the tier below, in the first tier all. DEC-FUT-47. */
export function stepLots(state: NaiveFutures, position: NaivePosition): bigint {
  const { tiers } = termsOf(state, position.contract);
  const all = magnitude(position.lots);
  const index = tierIndex(termsOf(state, position.contract), all) ?? tiers.length - 1;
  return index === 0 ? all : all - (tiers[index - 1]?.maxLots ?? 0n);
}

/**
 * The fund takes so many contracts of a position over: the liquidation fee first, then at the price that loses the rest
 * of what is behind them. `null`: the fund would have to owe for what it closes by that, so it waits. DEC-FUT-48.
 */
export function takeOver(state: NaiveFutures, position: NaivePosition, taken: bigint): NaiveTakeover | null {
  const { account, contract } = position;
  const terms = termsOf(state, contract);
  const all = magnitude(position.lots);
  const mark = state.marks.get(contract) ?? 0n;
  const behind = (backing(position, freeOf(state, account), crossOf(state, account)) * taken) / all;
  const fee = lesser(behind, roundedUp(times(markValue(terms, mark, taken), ofPpm(terms.liquidationFeePpm))));
  const cost = (position.cost * taken) / all;
  const lots = position.lots > 0n ? taken : -taken;
  const ticks = bankruptcyPrice(terms, lots, cost, behind - fee);
  if (!canFundTake(state, { contract, lots, ticks, fee })) {
    state.waited += 1;
    return null;
  }
  const realised = settleSide(state, { account, contract, lots: -lots, ticks, feePpm: 0, order: null });
  // What was freed with the taken part pays the fee: it is behind it.
  addFree(state, account, -fee);
  addFree(state, terms.fund, fee);
  const gained = settleSide(state, { account: terms.fund, contract, lots, ticks, feePpm: 0, order: null });
  return { account, contract, lots, ticks, realised, fee, fromFund: -gained - fee };
}

/** Whether the fund can pay for what it closes of an opposite position by taking these contracts, with the fee in. */
function canFundTake(
  state: NaiveFutures,
  { contract, lots, ticks, fee }: { contract: number; lots: bigint; ticks: bigint; fee: bigint },
): boolean {
  const terms = termsOf(state, contract);
  const own = positionOf(state, terms.fund, contract);
  if (own === undefined || own.lots > 0n === lots > 0n) return true;
  const closed = lesser(magnitude(own.lots), magnitude(lots));
  const proceeds = (own.lots > 0n ? 1n : -1n) * ticks * closed * perTickLot(terms);
  const profit = proceeds - (own.cost * closed) / magnitude(own.lots);
  return freeOf(state, terms.fund) + fee + profit >= 0n;
}

/** Whether a contract is left as it is: it is paused or over, or has no fair price yet. DEC-FUT-09. */
export const isWaiting = (state: NaiveFutures, contract: number): boolean =>
  state.paused.has(contract) || (state.marks.get(contract) ?? 0n) === 0n;

const isFund = (state: NaiveFutures, account: number): boolean =>
  [...state.terms.values()].some((terms) => terms.fund === account);

function cancelOrders(state: NaiveFutures, account: number, contract: number | null): void {
  const ids = state.orders
    .filter((order) => order.account === account && (contract === null || order.contract === contract))
    .map((order) => order.id);
  for (const id of ids) closeOrder(state, id);
}

function liquidateIsolated(state: NaiveFutures, position: NaivePosition, done: NaiveTakeover[]): void {
  const isDue = (): boolean => {
    const one = marked(state, position);
    return position.lots !== 0n && isolatedEquity(one) <= maintenance(one.terms, position, one.mark);
  };
  if (!isDue()) return;
  cancelOrders(state, position.account, position.contract);
  while (isDue()) {
    const takeover = takeOver(state, position, stepLots(state, position));
    if (takeover === null) return;
    done.push(takeover);
  }
}

/** The cross position that loses most; of equal ones that of the lower contract. DEC-FUT-47. */
function worstCross(state: NaiveFutures, account: number): NaivePosition | undefined {
  const loss = ({ terms, position, mark }: Marked): bigint => unrealised(terms, position, mark);
  return crossOf(state, account)
    .filter(({ position }) => !isWaiting(state, position.contract))
    .sort((one, other) => {
      const difference = loss(one) - loss(other);
      return difference === 0n ? one.position.contract - other.position.contract : difference < 0n ? -1 : 1;
    })[0]?.position;
}

function liquidateCross(state: NaiveFutures, account: number, done: NaiveTakeover[]): void {
  const isDue = (): boolean => {
    const cross = crossOf(state, account);
    return cross.length > 0 && crossEquity(freeOf(state, account), cross) <= crossMaintenance(cross);
  };
  if (!isDue() || worstCross(state, account) === undefined) return;
  cancelOrders(state, account, null);
  while (isDue()) {
    const worst = worstCross(state, account);
    const takeover = worst === undefined ? null : takeOver(state, worst, stepLots(state, worst));
    if (takeover === null) return;
    done.push(takeover);
  }
}

/** Liquidates what is due at the fair prices of now: by account, its isolated positions by contract, then cross. */
export function liquidate(state: NaiveFutures): NaiveTakeover[] {
  const done: NaiveTakeover[] = [];
  const accounts = [...new Set(state.positions.map((position) => position.account))].sort((a, b) => a - b);
  for (const account of accounts) {
    if (isFund(state, account)) continue;
    const isolated = state.positions
      .filter((one) => one.account === account && one.mode === 'isolated' && !isWaiting(state, one.contract))
      .sort((one, other) => one.contract - other.contract);
    for (const position of isolated) liquidateIsolated(state, position, done);
    liquidateCross(state, account, done);
  }
  return done;
}

/** Notes since when a fund has a position; without one the clock stops. */
export function noteFunds(state: NaiveFutures, at: number): void {
  for (const terms of state.terms.values()) {
    if (positionOf(state, terms.fund, terms.id) === undefined) state.fundSince.delete(terms.id);
    else if (!state.fundSince.has(terms.id)) state.fundSince.set(terms.id, at);
  }
}

/** Whether a fund must be rid of its position: 60 s with one, or its equity at the fair price is below zero. */
export function mustDeleverage(state: NaiveFutures, contract: number, at: number): boolean {
  const terms = termsOf(state, contract);
  const own = positionOf(state, terms.fund, contract);
  if (own === undefined || isWaiting(state, contract)) return false;
  const since = state.fundSince.get(contract) ?? at;
  const equity = freeOf(state, terms.fund) + unrealised(terms, own, state.marks.get(contract) ?? 0n);
  return at - since >= 60_000 || equity < 0n;
}

/** Profit ratio times leverage: unrealised / |cost| × leverage. DEC-FUT-18. */
export const rankOf = (state: NaiveFutures, position: NaivePosition): Fraction => {
  const { terms, mark } = marked(state, position);
  return { over: unrealised(terms, position, mark) * position.leverage, under: magnitude(position.cost) };
};

/** A part of a position that was closed against the fund's. */
export interface NaiveDeleveraging {
  readonly account: number;
  readonly contract: number;
  /** With the sign of its position. */
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly realised: bigint;
  /** What the fund lost by it. */
  readonly fromFund: bigint;
}

/** Opposite positions by rank, the highest first; equal ones by account. */
export function deleveragingOrder(state: NaiveFutures, contract: number): NaivePosition[] {
  const own = positionOf(state, termsOf(state, contract).fund, contract);
  if (own === undefined) return [];
  return state.positions
    .filter((one) => one.contract === contract && one.lots > 0n !== own.lots > 0n)
    .sort((one, other) => {
      const [a, b] = [rankOf(state, one), rankOf(state, other)];
      const difference = b.over * a.under - a.over * b.under;
      return difference === 0n ? one.account - other.account : difference < 0n ? -1 : 1;
    });
}

/**
 * Closes the fund's position against opposite ones in the order of their rank, at the price that the fund paid on the
 * mean, rounded so that the fund never loses; who cannot pay at that price is left out. No commission. DEC-FUT-50.
 */
export function deleverage(state: NaiveFutures, contract: number): NaiveDeleveraging[] {
  const terms = termsOf(state, contract);
  const own = positionOf(state, terms.fund, contract);
  if (own === undefined) return [];
  const direction = own.lots > 0n ? 1n : -1n;
  const ticks = bankruptcyPrice(terms, own.lots, own.cost, 0n);
  const done: NaiveDeleveraging[] = [];
  let left = magnitude(own.lots);
  for (const position of deleveragingOrder(state, contract)) {
    const { account } = position;
    const lots = direction * lesser(left, magnitude(position.lots));
    if (left === 0n) break;
    if (!canPay(state, account, contract, lots, ticks)) continue;
    const realised = settleSide(state, { account, contract, lots, ticks, feePpm: 0, order: null });
    const gained = settleSide(state, { account: terms.fund, contract, lots: -lots, ticks, feePpm: 0, order: null });
    left -= magnitude(lots);
    done.push({ account, contract, lots: -lots, ticks, realised, fromFund: -gained });
  }
  return done;
}

/** What an update did. */
export interface NaiveUpdate {
  readonly takeovers: readonly NaiveTakeover[];
  readonly deleveragings: readonly NaiveDeleveraging[];
  readonly fundings: readonly (NaiveFunding & { readonly contract: number })[];
}

/**
 * What one update of the index does to positions, in this order: funding where it is due, its debtors, all others that
 * are due, the funds' own orders, which the books make, then the funds that must be rid of theirs.
 */
export function updatePositions(
  state: NaiveFutures,
  at: number,
  fundings: ReadonlyMap<number, bigint>,
  orderForFunds: () => void = () => {},
): NaiveUpdate {
  const takeovers: NaiveTakeover[] = [];
  const moved: (NaiveFunding & { readonly contract: number })[] = [];
  for (const [contract, rate] of fundings) {
    const funding = settleFunding(state, contract, rate);
    moved.push({ ...funding, contract });
    for (const position of funding.unable) {
      if (isFund(state, position.account) || isWaiting(state, contract)) continue;
      cancelOrders(state, position.account, position.mode === 'isolated' ? contract : null);
      const takeover = takeOver(state, position, magnitude(position.lots));
      if (takeover !== null) takeovers.push(takeover);
    }
  }
  takeovers.push(...liquidate(state));
  orderForFunds();
  noteFunds(state, at);
  const due = [...state.terms.keys()].filter((contract) => mustDeleverage(state, contract, at));
  const deleveragings = due.flatMap((contract) => deleverage(state, contract));
  noteFunds(state, at);
  return { takeovers, deleveragings, fundings: moved };
}
