import type { PostingKind } from '#domain/account.ts';
import { house } from '#domain/account.ts';
import type { CloseReason, OrderRequest } from '#domain/order.ts';
import { as } from '#domain/units.ts';
import { naiveCommission, ratePpmOf } from './naive-commission.ts';
import { isPrevented, removesMaker, removesTaker } from './naive-prevention.ts';
import { isWithin } from './naive-refusal.ts';
import type { NaiveAccount, NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, goesByBudget, notionalOf, quoteUnit, viewOf, wantedLots } from './naive-state.ts';

interface Leg {
  readonly account: number;
  readonly asset: number;
  readonly free?: bigint;
  readonly held?: bigint;
  readonly why: PostingKind;
  readonly order: number;
}

function post(state: NaiveState, leg: Leg): void {
  const free = leg.free ?? 0n;
  const held = leg.held ?? 0n;
  if (free === 0n && held === 0n) return;
  state.move({ account: leg.account, asset: leg.asset, free, held });
  state.events.push({
    kind: 'posted',
    account: as(leg.account),
    asset: as(leg.asset),
    free: Number(free),
    held: Number(held),
    why: leg.why,
    order: as(leg.order),
  });
}

const symbolOf = (state: NaiveState, order: NaiveOrder): NaiveSymbol =>
  state.symbols[order.request.symbol] as NaiveSymbol;
const sideOf = (symbol: NaiveSymbol, side: string): NaiveOrder[] => (side === 'buy' ? symbol.bids : symbol.asks);
const restsAfterwards = (request: OrderRequest): boolean => request.kind === 'limit' || request.kind === 'postOnly';
/** Asset an order gives. */
const givenBy = (symbol: NaiveSymbol, order: NaiveOrder): number =>
  order.request.side === 'buy' ? symbol.listing.quote : symbol.listing.base;
const receivedBy = (symbol: NaiveSymbol, order: NaiveOrder): number =>
  order.request.side === 'buy' ? symbol.listing.base : symbol.listing.quote;

function reportLevel(state: NaiveState, symbol: NaiveSymbol, side: 'buy' | 'sell', price: number): void {
  symbol.version += 1;
  const lots = sideOf(symbol, side)
    .filter((order) => order.price === price)
    .reduce((sum, order) => sum + (order.request.quantity as number) - order.executed, 0);
  state.events.push({
    kind: 'levelChanged',
    symbol: as(symbol.id),
    version: as(symbol.version),
    side,
    price: as(price),
    lots: as(lots),
  });
}

function close(state: NaiveState, order: NaiveOrder, why: CloseReason): void {
  order.closeReason = why;
  order.updatedAt = state.at;
  if (order.held > 0n) {
    const asset = givenBy(symbolOf(state, order), order);
    post(state, {
      account: order.account,
      asset,
      free: order.held,
      held: -order.held,
      why: 'cancelRelease',
      order: order.number,
    });
    order.held = 0n;
  }
  state.events.push({ kind: 'orderClosed', order: viewOf(order) });
}

/** Takes a resting order off its book and closes it. */
export function closeResting(state: NaiveState, order: NaiveOrder, why: CloseReason): void {
  const symbol = symbolOf(state, order);
  const { side } = order.request;
  const queue = sideOf(symbol, side);
  queue.splice(queue.indexOf(order), 1);
  close(state, order, why);
  reportLevel(state, symbol, side, order.price);
}

/** One side of a fill: gives, receives, pays, gets its surplus back. */
function settleSide(
  state: NaiveState,
  order: NaiveOrder,
  fill: { price: number; lots: number; fee: { asset: number; amount: bigint } },
): void {
  const symbol = symbolOf(state, order);
  const base = BigInt(fill.lots) * baseUnit(state, symbol);
  const quote = notionalOf(state, symbol, fill.price, fill.lots);
  const [gives, gets] = order.request.side === 'buy' ? [quote, base] : [base, quote];
  const at = { account: order.account, order: order.number };
  const given = givenBy(symbol, order);
  const isHeld = restsAfterwards(order.request);
  post(state, { ...at, asset: given, free: isHeld ? 0n : -gives, held: isHeld ? -gives : 0n, why: 'fill' });
  post(state, { ...at, asset: receivedBy(symbol, order), free: gets, why: 'fill' });
  post(state, { ...at, asset: fill.fee.asset, free: -fill.fee.amount, why: 'fee' });
  if (!isHeld) return;
  const better = order.request.side === 'buy' ? BigInt(order.price - fill.price) : 0n;
  const surplus = better * BigInt(fill.lots) * quoteUnit(state, symbol);
  post(state, { ...at, asset: given, free: surplus, held: -surplus, why: 'surplusRelease' });
  order.held -= gives + surplus;
}

function advance(state: NaiveState, order: NaiveOrder, lots: number, quote: bigint): void {
  order.executed += lots;
  order.executedQuote += quote;
  order.fills += 1;
  order.updatedAt = state.at;
}

function feeOf(state: NaiveState, order: NaiveOrder, role: 'maker' | 'taker', fill: { lots: number; quote: bigint }) {
  const symbol = symbolOf(state, order);
  const account = state.accounts[order.account] as NaiveAccount;
  return naiveCommission(state, {
    account: order.account,
    received: receivedBy(symbol, order),
    amount: order.request.side === 'buy' ? BigInt(fill.lots) * baseUnit(state, symbol) : fill.quote,
    ratePpm: ratePpmOf(account, symbol, role),
  });
}

function fill(state: NaiveState, taker: NaiveOrder, maker: NaiveOrder, lots: number): void {
  const symbol = symbolOf(state, taker);
  const { price } = maker;
  const quote = notionalOf(state, symbol, price, lots);
  const takerFee = feeOf(state, taker, 'taker', { lots, quote });
  const makerFee = feeOf(state, maker, 'maker', { lots, quote });
  symbol.lastTrade += 1;
  symbol.lastPrice = price;
  advance(state, taker, lots, quote);
  advance(state, maker, lots, quote);
  state.events.push({
    kind: 'tradeExecuted',
    trade: {
      symbol: as(symbol.id),
      trade: as(symbol.lastTrade),
      price: as(price),
      lots: as(lots),
      quoteAmount: as(Number(quote)),
      takerSide: taker.request.side,
      taker: as(taker.number),
      maker: as(maker.number),
      takerAccount: as(taker.account),
      makerAccount: as(maker.account),
      takerClientOrderId: taker.request.clientOrderId?.text ?? null,
      makerClientOrderId: maker.request.clientOrderId?.text ?? null,
      fillOfTaker: taker.fills,
      takerFee: as(Number(takerFee.amount)),
      takerFeeAsset: as(takerFee.asset),
      makerFee: as(Number(makerFee.amount)),
      makerFeeAsset: as(makerFee.asset),
    },
  });
  settleSide(state, taker, { price, lots, fee: takerFee });
  settleSide(state, maker, { price, lots, fee: makerFee });
  post(state, { account: house.fees, asset: takerFee.asset, free: takerFee.amount, why: 'fee', order: taker.number });
  post(state, { account: house.fees, asset: makerFee.asset, free: makerFee.amount, why: 'fee', order: maker.number });
  state.events.push({ kind: 'orderFilled', order: viewOf(taker), lots: as(lots), price: as(price) });
  state.events.push({ kind: 'orderFilled', order: viewOf(maker), lots: as(lots), price: as(price) });
  if (maker.executed === maker.request.quantity) {
    sideOf(symbol, maker.request.side).shift();
    close(state, maker, 'filled');
  }
  reportLevel(state, symbol, maker.request.side, price);
}

/** Trades until nothing more may trade; answers why a rest that will not stay must go. */
function take(state: NaiveState, taker: NaiveOrder): CloseReason {
  const symbol = symbolOf(state, taker);
  const { side, stpMode } = taker.request;
  let lastFillPrice: number | null = null;
  for (;;) {
    const maker = sideOf(symbol, side === 'buy' ? 'sell' : 'buy')[0];
    if (maker === undefined || !isWithin(side, taker.price, maker.price)) {
      if (lastFillPrice !== null && wantedLots(state, taker, lastFillPrice) === 0) return 'filled';
      return maker !== undefined && taker.request.kind === 'market' ? 'collar' : 'unfilledRest';
    }
    const wanted = wantedLots(state, taker, maker.price);
    if (wanted === 0) return taker.executed > 0 ? 'filled' : 'unfilledRest';
    if (isPrevented(state, { account: taker.account, stpMode }, maker)) {
      if (removesMaker(stpMode)) closeResting(state, maker, 'stp');
      if (removesTaker(stpMode)) return 'stp';
      continue;
    }
    fill(state, taker, maker, Math.min(wanted, (maker.request.quantity as number) - maker.executed));
    lastFillPrice = maker.price;
  }
}

/** Why a FILL_OR_KILL cannot fill; `null` when it can. It counts only what prevention would leave to it. */
function killReason(state: NaiveState, taker: NaiveOrder): CloseReason | null {
  const symbol = symbolOf(state, taker);
  const { side, stpMode } = taker.request;
  const quantity = taker.request.quantity as number;
  let reachable = 0;
  let all = 0;
  let isBarred = false;
  for (const maker of sideOf(symbol, side === 'buy' ? 'sell' : 'buy')) {
    if (!isWithin(side, taker.price, maker.price)) break;
    const open = (maker.request.quantity as number) - maker.executed;
    const isOwn = isPrevented(state, { account: taker.account, stpMode }, maker);
    if (isOwn && removesTaker(stpMode) && reachable < quantity) isBarred = true;
    if (!isOwn && !isBarred) reachable += open;
    all += open;
  }
  if (reachable >= quantity) return null;
  return all >= quantity ? 'stp' : 'unfilledRest';
}

function rest(state: NaiveState, order: NaiveOrder): void {
  const symbol = symbolOf(state, order);
  const { side } = order.request;
  const queue = sideOf(symbol, side);
  const isBehind = (other: NaiveOrder): boolean =>
    side === 'buy' ? other.price < order.price : other.price > order.price;
  const index = queue.findIndex(isBehind);
  queue.splice(index < 0 ? queue.length : index, 0, order);
  reportLevel(state, symbol, side, order.price);
}

/** Runs an accepted order to its end of this command: filled, cancelled, or at rest. */
export function runOrder(state: NaiveState, order: NaiveOrder): void {
  const symbol = symbolOf(state, order);
  const { request } = order;
  state.events.push({ kind: 'orderAccepted', order: viewOf(order) });
  if (restsAfterwards(request)) {
    order.held =
      request.side === 'buy'
        ? notionalOf(state, symbol, order.price, request.quantity as number)
        : BigInt(request.quantity as number) * baseUnit(state, symbol);
    const asset = givenBy(symbol, order);
    post(state, {
      account: order.account,
      asset,
      free: -order.held,
      held: order.held,
      why: 'orderHold',
      order: order.number,
    });
  }
  const killed = request.kind === 'fillOrKill' ? killReason(state, order) : null;
  const ended = killed ?? take(state, order);
  const isFilled = !goesByBudget(request) && order.executed === request.quantity;
  if (isFilled) close(state, order, 'filled');
  else if (restsAfterwards(request) && ended === 'unfilledRest') rest(state, order);
  else close(state, order, ended);
}
