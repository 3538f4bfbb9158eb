import type { CloseReason } from '#model/order.ts';
import { as } from '#model/units.ts';
import { isWithin, opposing } from './naive-collar.ts';
import { isPrevented, removesMaker, removesTaker } from './naive-prevention.ts';
import { accrue } from './naive-rebates.ts';
import { hold, release, settleFill } from './naive-settlement.ts';
import type { NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';
import { goesByBudget, mayRest, notionalOf, openLots, viewOf, wantedLots } from './naive-state.ts';

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const symbolOf = (state: NaiveState, order: NaiveOrder): NaiveSymbol =>
  state.symbols[order.request.symbol] as NaiveSymbol;
const sideOf = (symbol: NaiveSymbol, side: string): NaiveOrder[] => (side === 'buy' ? symbol.bids : symbol.asks);

/** Lots that rest at a price. */
const levelLots = (symbol: NaiveSymbol, side: string, price: number): bigint =>
  sideOf(symbol, side)
    .filter((order) => order.price === price)
    .reduce((sum, order) => sum + BigInt(openLots(order)), 0n);

function reportLevel(state: NaiveState, symbol: NaiveSymbol, side: 'buy' | 'sell', price: number): void {
  symbol.version += 1;
  const lots = Number(levelLots(symbol, side, price));
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
  if (order.held > 0n) release(state, order);
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

function advance(state: NaiveState, order: NaiveOrder, lots: number, quote: bigint): void {
  order.executed += lots;
  order.executedQuote += quote;
  order.fills += 1;
  order.updatedAt = state.at;
}

function fill(state: NaiveState, taker: NaiveOrder, maker: NaiveOrder, lots: number): void {
  const symbol = symbolOf(state, taker);
  const { price } = maker;
  const quote = notionalOf(state, symbol, price, lots);
  const { takerFee, makerFee } = settleFill(state, taker, maker, { price, lots });
  symbol.lastTrade += 1;
  symbol.lastPrice = price;
  state.trades.push({ symbol: symbol.id, at: state.at, quote: notionalOf(state, symbol, price, lots), lots });
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
  accrue(state, taker, { fee: takerFee, lots, isMaker: false });
  accrue(state, maker, { fee: makerFee, lots, isMaker: true });
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
    const maker = opposing(symbol, side)[0];
    if (maker === undefined || !isWithin(side, taker.price, maker.price)) {
      if (lastFillPrice !== null && wantedLots(state, taker, lastFillPrice) === 0) return 'filled';
      return maker !== undefined && taker.request.kind === 'market' ? 'collar' : 'unfilledRest';
    }
    const wanted = wantedLots(state, taker, maker.price);
    if (wanted === 0) return taker.executed > 0 ? 'filled' : 'unfilledRest';
    if (isPrevented(state, { account: taker.account, stpMode }, maker)) {
      state.meet(`kept apart by ${stpMode}`);
      if (removesMaker(stpMode)) closeResting(state, maker, 'stp');
      if (removesTaker(stpMode)) return 'stp';
      continue;
    }
    const isEmptied = lastFillPrice !== null && wantedLots(state, taker, lastFillPrice) === 0;
    if (isEmptied) state.meet('sell by amount crossed a level that was emptied exactly');
    const lots = Math.min(wanted, openLots(maker));
    if (taker.executedQuote + notionalOf(state, symbol, maker.price, lots) > safe) {
      state.meet('fill past the bound');
      return 'byExchange';
    }
    fill(state, taker, maker, lots);
    lastFillPrice = maker.price;
  }
}

/** Whether an order finds all it wants, within the bound of an amount, among the makers that it may meet. */
function canFill(state: NaiveState, taker: NaiveOrder, makers: readonly NaiveOrder[]): boolean {
  const symbol = symbolOf(state, taker);
  let wanted = taker.request.quantity as number;
  let quote = 0n;
  for (const maker of makers) {
    if (wanted === 0 || !isWithin(taker.request.side, taker.price, maker.price)) break;
    const lots = Math.min(wanted, openLots(maker));
    wanted -= lots;
    quote += notionalOf(state, symbol, maker.price, lots);
  }
  if (wanted === 0 && quote > safe) state.meet('fill-or-kill past the bound');
  return wanted === 0 && quote <= safe;
}

/** Why a FILL_OR_KILL cannot fill; `null` when it can. It counts only what prevention would leave to it. */
function killReason(state: NaiveState, taker: NaiveOrder): CloseReason | null {
  const { side, stpMode } = taker.request;
  const all = opposing(symbolOf(state, taker), side);
  const isOwn = (maker: NaiveOrder): boolean => isPrevented(state, { account: taker.account, stpMode }, maker);
  const end = all.findIndex((maker) => isOwn(maker) && removesTaker(stpMode));
  const left = (end < 0 ? all : all.slice(0, end)).filter((maker) => !isOwn(maker));
  if (canFill(state, taker, left)) return null;
  return canFill(state, taker, all) ? 'stp' : 'unfilledRest';
}

/** Whether an order can rest: neither its level's lots nor what it will have traded at its price may pass the bound. */
function hasRoom(state: NaiveState, order: NaiveOrder): boolean {
  const symbol = symbolOf(state, order);
  const lots = openLots(order);
  const isLevelFull = levelLots(symbol, order.request.side, order.price) + BigInt(lots) > safe;
  const isOrderFull = order.executedQuote + notionalOf(state, symbol, order.price, lots) > safe;
  if (isLevelFull) state.meet('level past the bound');
  if (isOrderFull) state.meet('resting order past the bound');
  return !isLevelFull && !isOrderFull;
}

/** Puts an order on its book. */
function rest(state: NaiveState, order: NaiveOrder): void {
  const symbol = symbolOf(state, order);
  const { side } = order.request;
  if (!hasRoom(state, order)) {
    close(state, order, 'byExchange');
    return;
  }
  const queue = sideOf(symbol, side);
  const isBehind = (other: NaiveOrder): boolean =>
    side === 'buy' ? other.price < order.price : other.price > order.price;
  const index = queue.findIndex(isBehind);
  queue.splice(index < 0 ? queue.length : index, 0, order);
  reportLevel(state, symbol, side, order.price);
}

/** Runs an accepted order to its end of this command: filled, cancelled, or at rest. */
export function runOrder(state: NaiveState, order: NaiveOrder): void {
  const { request } = order;
  state.events.push({ kind: 'orderAccepted', order: viewOf(order) });
  if (mayRest(request)) hold(state, order);
  const killed = request.kind === 'fillOrKill' ? killReason(state, order) : null;
  const ended = killed ?? take(state, order);
  const isFilled = !goesByBudget(request) && order.executed === request.quantity;
  if (isFilled) close(state, order, 'filled');
  else if (mayRest(request) && ended === 'unfilledRest') rest(state, order);
  else close(state, order, ended);
}
