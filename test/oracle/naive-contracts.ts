import type { Marked, NaivePosition, NaiveTerms } from './naive-margin.ts';
import {
  backing,
  bankruptcyPrice,
  commission,
  freeMargin,
  greater,
  lesser,
  magnitude,
  notional,
  openingMargin,
  openLoss,
  orderHold,
  riskRefusal,
} from './naive-margin.ts';

// Positions and the money behind them, in plain lists, written from the rules. One settle asset. Matching is not here:
// who trades with whom at which price comes from the model of books.

/** An open order of a contract; `lots` is what is left of it. */
export interface NaiveContractOrder {
  readonly id: number;
  readonly account: number;
  readonly contract: number;
  readonly side: 'buy' | 'sell';
  /** Limit, or the end of its collar. */
  readonly limit: bigint;
  /** What its initial margin is counted at; see `orderHold`. */
  bound: bigint;
  lots: bigint;
  held: bigint;
}

/** How an account trades a contract from now on. */
export interface NaiveSetting {
  mode: 'isolated' | 'cross';
  leverage: bigint;
}

/** All there is. */
export interface NaiveFutures {
  readonly terms: Map<number, NaiveTerms>;
  /** What is free in the futures wallet of each account; funds are accounts too. */
  readonly free: Map<number, bigint>;
  readonly orders: NaiveContractOrder[];
  readonly positions: NaivePosition[];
  readonly settings: Map<string, NaiveSetting>;
  /** Fair prices. */
  readonly marks: Map<number, bigint>;
  /** Index prices. */
  readonly indices: Map<number, bigint>;
  /** Since when the fund of a contract has a position, in ms. */
  readonly fundSince: Map<number, number>;
  readonly paused: Set<number>;
  /** Takeovers that a fund could not pay. */
  waited: number;
  clearing: bigint;
  fees: bigint;
  rounding: bigint;
  transferredIn: bigint;
}

export const newFutures = (terms: readonly NaiveTerms[]): NaiveFutures => ({
  terms: new Map(terms.map((one) => [one.id, one])),
  free: new Map(),
  orders: [],
  positions: [],
  settings: new Map(),
  marks: new Map(),
  indices: new Map(),
  fundSince: new Map(),
  paused: new Set(),
  waited: 0,
  clearing: 0n,
  fees: 0n,
  rounding: 0n,
  transferredIn: 0n,
});

export const freeOf = (state: NaiveFutures, account: number): bigint => state.free.get(account) ?? 0n;

/** Adds to what is free. @throws Error where nothing is left of a balance that cannot owe. */
export function addFree(state: NaiveFutures, account: number, amount: bigint): void {
  const after = freeOf(state, account) + amount;
  if (after < 0n) throw new Error(`account ${account} would owe ${-after}`);
  state.free.set(account, after);
}

export function termsOf(state: NaiveFutures, contract: number): NaiveTerms {
  const terms = state.terms.get(contract);
  if (terms === undefined) throw new Error(`no contract ${contract}`);
  return terms;
}

export const positionOf = (state: NaiveFutures, account: number, contract: number): NaivePosition | undefined =>
  state.positions.find((one) => one.account === account && one.contract === contract);

/** Cross and 20, or what the lowest tier allows, until both are set or the first trade keeps them. DEC-FUT-24. */
export const settingOf = (state: NaiveFutures, account: number, contract: number): NaiveSetting =>
  state.settings.get(`${account}/${contract}`) ?? {
    mode: 'cross',
    leverage: lesser(20n, termsOf(state, contract).tiers[0]?.maxLeverage ?? 1n),
  };

/** A position at the prices of now. */
export const markedOf = (state: NaiveFutures, position: NaivePosition): Marked => ({
  terms: termsOf(state, position.contract),
  position,
  mark: state.marks.get(position.contract) ?? 0n,
  index: state.indices.get(position.contract) ?? 0n,
});

/** The cross positions of an account at the prices of now. */
export const crossOf = (state: NaiveFutures, account: number): Marked[] =>
  state.positions
    .filter((one) => one.account === account && one.mode === 'cross')
    .map((position) => markedOf(state, position));

/** Brings money into a futures wallet, or below zero out of it. Answers `notEnoughFunds` beyond the free margin. */
export function transfer(state: NaiveFutures, account: number, amount: bigint): 'notEnoughFunds' | null {
  if (-amount > freeMargin(freeOf(state, account), crossOf(state, account))) return 'notEnoughFunds';
  addFree(state, account, amount);
  state.transferredIn += amount;
  return null;
}

const signed = (side: 'buy' | 'sell', lots: bigint): bigint => (side === 'buy' ? lots : -lots);

/** Holds what an order needs and keeps it, or answers why not. DEC-FUT-46. */
export function openOrder(
  state: NaiveFutures,
  order: Omit<NaiveContractOrder, 'held' | 'limit'> & { readonly limit?: bigint },
): 'aboveRiskLimit' | 'notEnoughMargin' | null {
  const terms = termsOf(state, order.contract);
  const { leverage } = settingOf(state, order.account, order.contract);
  const ordered = state.orders
    .filter((one) => one.account === order.account && one.contract === order.contract && one.side === order.side)
    .reduce((total, one) => total + one.lots, 0n);
  const refusal = riskRefusal(terms, {
    position: positionOf(state, order.account, order.contract)?.lots ?? 0n,
    ordered: signed(order.side, ordered),
    lots: signed(order.side, order.lots),
    leverage,
  });
  if (refusal !== null) return refusal;
  const limit = order.limit ?? order.bound;
  const initial = orderHold(terms, order.bound, order.lots, leverage);
  const [fair, worse] = openLosses(state, order.contract, order.side, limit, order.lots);
  if (initial + worse > freeMargin(freeOf(state, order.account), crossOf(state, order.account)))
    return 'notEnoughMargin';
  const held = initial + fair;
  addFree(state, order.account, -held);
  state.orders.push({ ...order, limit, held });
  return null;
}

/** Open loss of contracts at the fair price, and at the worse of that and the index. DEC-FUT-101, DEC-FUT-102. */
function openLosses(
  state: NaiveFutures,
  contract: number,
  side: 'buy' | 'sell',
  ticks: bigint,
  lots: bigint,
): [bigint, bigint] {
  const terms = termsOf(state, contract);
  const [fair, index] = [state.marks, state.indices].map((prices) =>
    openLoss(terms, side, ticks, lots, prices.get(contract) ?? 0n),
  ) as [bigint, bigint];
  return [fair, greater(fair, index)];
}

/** Ends an order and frees what it holds. */
export function closeOrder(state: NaiveFutures, id: number): void {
  const at = state.orders.findIndex((order) => order.id === id);
  const [order] = at < 0 ? [] : state.orders.splice(at, 1);
  if (order !== undefined) addFree(state, order.account, order.held);
}

/** What is left of an order rests at its limit, and holds for that from now on. DEC-FUT-46. */
export function restOrder(state: NaiveFutures, id: number, limit: bigint): void {
  const order = orderOf(state, id);
  const surplus = needOf(state, order) - needOf(state, { ...order, bound: limit });
  order.bound = limit;
  free(state, order, surplus);
}

function orderOf(state: NaiveFutures, id: number): NaiveContractOrder {
  const order = state.orders.find((one) => one.id === id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** What an order needs at the rates of now. */
const needOf = (state: NaiveFutures, { account, contract, bound, lots }: NaiveContractOrder): bigint =>
  orderHold(termsOf(state, contract), bound, lots, settingOf(state, account, contract).leverage);

/** Frees so much of what an order holds, or all. */
function free(state: NaiveFutures, order: NaiveContractOrder, amount: bigint): void {
  const freed = lesser(order.held, amount);
  order.held -= freed;
  addFree(state, order.account, freed);
}

/** Frees the share that was filled of what an order holds, rounded down; a filled one is gone. DEC-FUT-46. */
function shrinkOrder(state: NaiveFutures, id: number, lots: bigint): void {
  const order = orderOf(state, id);
  const share = (order.held * lots) / order.lots;
  order.lots -= lots;
  if (order.lots === 0n) closeOrder(state, id);
  else free(state, order, share);
}

/** The worst price at which an account can close what it has; `null` without a position. DEC-FUT-48. */
export function worstClosingPrice(state: NaiveFutures, account: number, contract: number): bigint | null {
  const position = positionOf(state, account, contract);
  if (position === undefined) return null;
  const behind = backing(position, freeOf(state, account), crossOf(state, account));
  return bankruptcyPrice(termsOf(state, contract), position.lots, position.cost, behind);
}

/** Whether a fill of so many contracts, sold ones below zero, can be paid: one that only opens always. DEC-FUT-49. */
export function canPay(state: NaiveFutures, account: number, contract: number, lots: bigint, ticks: bigint): boolean {
  const position = positionOf(state, account, contract);
  const worst = worstClosingPrice(state, account, contract);
  if (position === undefined || worst === null || position.lots > 0n === lots > 0n) return true;
  return position.lots > 0n ? ticks >= worst : ticks <= worst;
}

/**
 * Whether a fill may happen: it can be paid, and what it opens is within the risk limit. DEC-FUT-21, DEC-FUT-49.
 */
export function canFill(state: NaiveFutures, account: number, contract: number, lots: bigint, ticks: bigint): boolean {
  const { leverage } = settingOf(state, account, contract);
  const position = positionOf(state, account, contract)?.lots ?? 0n;
  const refusal = riskRefusal(termsOf(state, contract), { position, ordered: 0n, lots, leverage });
  return refusal === null && canPay(state, account, contract, lots, ticks);
}

/** Closes so many contracts of a position: frees their margin, pays their profit. Answers the profit. */
function closePart(state: NaiveFutures, position: NaivePosition, closed: bigint, ticks: bigint): bigint {
  const all = magnitude(position.lots);
  const direction = position.lots > 0n ? 1n : -1n;
  // Division of bigints cuts towards zero.
  const cost = (position.cost * closed) / all;
  const profit = direction * notional(termsOf(state, position.contract), ticks, closed) - cost;
  // Its share of the margin, or what the loss needs beyond that and, of a cross position, what is free.
  const free = position.mode === 'cross' ? freeOf(state, position.account) : 0n;
  const margin = greater((position.margin * closed) / all, -profit - free);
  position.lots -= direction * closed;
  position.cost -= cost;
  position.margin -= margin;
  position.realised += profit;
  state.clearing -= profit;
  addFree(state, position.account, margin + profit);
  if (position.lots === 0n) state.positions.splice(state.positions.indexOf(position), 1);
  return profit;
}

/** One side of a fill. */
export interface NaiveFillSide {
  readonly account: number;
  readonly contract: number;
  /** Bought contracts, or below zero sold ones. */
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly feePpm: number;
  /** The order behind it; `null`: none that holds anything. */
  readonly order: number | null;
}

/**
 * Settles one side of a fill: closes first, opens the rest. The commission comes out of what is free then, and is no
 * more than that; so does the margin of what was opened, after it. A fund pays no commission and keeps no margin.
 * Answers the realised profit. DEC-FUT-49.
 */
export function settleSide(state: NaiveFutures, fill: NaiveFillSide): bigint {
  const { account, contract, lots, ticks } = fill;
  const terms = termsOf(state, contract);
  const isFund = account === terms.fund;
  state.settings.set(`${account}/${contract}`, settingOf(state, account, contract));
  const before = positionOf(state, account, contract);
  const opposite = before !== undefined && before.lots > 0n !== lots > 0n;
  const closed = opposite ? lesser(magnitude(before.lots), magnitude(lots)) : 0n;
  if (fill.order !== null) shrinkOrder(state, fill.order, magnitude(lots));
  const profit = opposite ? closePart(state, before, closed, ticks) : 0n;
  if (!isFund) payCommission(state, fill);
  const opened = magnitude(lots) - closed;
  if (opened > 0n) {
    const setting = settingOf(state, account, contract);
    const position = positionOf(state, account, contract) ?? newPosition(state, account, contract, setting);
    const worth = notional(terms, ticks, opened);
    // Nothing but its margin stands behind an isolated position: what it loses at once is put there, too.
    const loses =
      setting.mode === 'cross' ? 0n : openLosses(state, contract, lots > 0n ? 'buy' : 'sell', ticks, opened)[1];
    const wanted = openingMargin(worth, setting.leverage) + loses;
    const margin = isFund ? 0n : lesser(wanted, freeOf(state, account));
    position.lots += lots > 0n ? opened : -opened;
    position.cost += lots > 0n ? worth : -worth;
    position.margin += margin;
    addFree(state, account, -margin);
  }
  return profit;
}

/** A side of a trade of an account with itself. DEC-FUT-23. */
export function payForSelf(state: NaiveFutures, side: NaiveFillSide): void {
  if (side.order !== null) shrinkOrder(state, side.order, magnitude(side.lots));
  payCommission(state, side);
}

/** Takes the commission of a fill, at most what is free. */
function payCommission(state: NaiveFutures, { account, contract, lots, ticks, feePpm }: NaiveFillSide): void {
  const due = commission(notional(termsOf(state, contract), ticks, magnitude(lots)), feePpm);
  const fee = lesser(due, freeOf(state, account));
  addFree(state, account, -fee);
  state.fees += fee;
}

function newPosition(state: NaiveFutures, account: number, contract: number, setting: NaiveSetting): NaivePosition {
  const position = { account, contract, lots: 0n, cost: 0n, margin: 0n, realised: 0n, ...setting };
  state.positions.push(position);
  return position;
}

/** A trade of two sides. */
export interface NaiveFill {
  readonly contract: number;
  readonly ticks: bigint;
  readonly lots: bigint;
  readonly takerSide: 'buy' | 'sell';
  readonly taker: { readonly account: number; readonly order: number | null };
  readonly maker: { readonly account: number; readonly order: number | null };
}

/**
 * Settles both sides, the taker's first, and answers what each paid as commission. With itself an account only pays
 * both commissions. DEC-FUT-23.
 */
export function settleFill(state: NaiveFutures, fill: NaiveFill): bigint[] {
  const { contract, ticks, taker, maker } = fill;
  const { takerFeePpm, makerFeePpm } = termsOf(state, contract);
  const lots = signed(fill.takerSide, fill.lots);
  const sides = [
    { ...taker, contract, lots, ticks, feePpm: takerFeePpm },
    { ...maker, contract, lots: -lots, ticks, feePpm: makerFeePpm },
  ];
  return sides.map((side) => {
    const before = state.fees;
    if (taker.account !== maker.account) settleSide(state, side);
    else payForSelf(state, side);
    return state.fees - before;
  });
}

/** What is not true of the state though it must be; empty: all is well. */
export function brokenInvariants(state: NaiveFutures): string[] {
  const broken: string[] = [];
  const total = (values: Iterable<bigint>): bigint => [...values].reduce((one, other) => one + other, 0n);
  for (const contract of state.terms.keys()) {
    const lots = total(state.positions.filter((one) => one.contract === contract).map((one) => one.lots));
    if (lots !== 0n) broken.push(`contract ${contract} has ${lots} more long than short`);
  }
  const cost = total(state.positions.map((position) => position.cost));
  if (state.clearing !== -cost) broken.push(`clearing has ${state.clearing}, positions cost ${cost}`);
  const wallets =
    total(state.free.values()) +
    total(state.orders.map((order) => order.held)) +
    total(state.positions.map((position) => position.margin));
  const money = wallets + state.clearing + state.fees + state.rounding;
  if (money !== state.transferredIn) broken.push(`${money} is there of ${state.transferredIn}`);
  for (const { account, lots, cost: paid, margin } of state.positions) {
    if (lots === 0n || lots > 0n !== paid > 0n || margin < 0n) broken.push(`position of ${account} is malformed`);
  }
  for (const [account, free] of state.free) if (free < 0n) broken.push(`account ${account} owes`);
  return broken;
}
