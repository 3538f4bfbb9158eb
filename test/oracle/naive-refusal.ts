import { houseAccountCount } from '#domain/account.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import { isPrevented, removesTaker } from './naive-prevention.ts';
import type { NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, goesByBudget, notionalOf } from './naive-state.ts';

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const million = 1_000_000n;

const opposing = (symbol: NaiveSymbol, side: string) => (side === 'buy' ? symbol.asks : symbol.bids);

/** Whether a price of the opposing side is within an order's own price. */
export const isWithin = (side: string, limit: number, price: number): boolean =>
  side === 'buy' ? price <= limit : price >= limit;

/** How far a market order may walk; `null` without a price to start from. decisions.md section 3, MARKET collar. */
export function naiveCollar(symbol: NaiveSymbol, side: string): number | null {
  const best = opposing(symbol, side)[0];
  const reference = symbol.lastPrice ?? best?.price;
  if (reference === undefined) return null;
  const last = BigInt(reference);
  const share = BigInt(symbol.listing.collarPpm);
  if (side === 'buy') return Number((last * (million + share)) / million);
  return Number((last * (million - share) + million - 1n) / million);
}

/** What a market order would trade: lots and their cost, prevention considered. */
function walkOf(state: NaiveState, account: number, request: OrderRequest, collar: number) {
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const byBudget = goesByBudget(request);
  let lots = 0;
  let cost = 0n;
  for (const maker of opposing(symbol, request.side)) {
    if (!isWithin(request.side, collar, maker.price)) break;
    const unit = notionalOf(state, symbol, maker.price, 1);
    const wanted = byBudget
      ? Number((BigInt(request.budget as number) - cost) / unit)
      : (request.quantity as number) - lots;
    if (wanted === 0) break;
    if (isPrevented(state, { account, stpMode: request.stpMode }, maker)) {
      if (removesTaker(request.stpMode)) break;
      continue;
    }
    const taken = Math.min(wanted, (maker.request.quantity as number) - maker.executed);
    lots += taken;
    cost += unit * BigInt(taken);
  }
  return { lots, cost };
}

const isCount = (value: number | null): value is number => value !== null && Number.isSafeInteger(value) && value >= 0;

/** Terms that no order can have, whatever the market. */
function isMalformed(request: OrderRequest): boolean {
  if (request.kind === 'market') {
    if (request.price !== null || (request.quantity === null) === (request.budget === null)) return true;
    return request.budget === null ? !isCount(request.quantity) : !isCount(request.budget);
  }
  if (request.budget !== null) return true;
  return !isCount(request.quantity) || !isCount(request.price) || request.price === 0;
}

function sizeRefusal(state: NaiveState, symbol: NaiveSymbol, request: OrderRequest): RejectReason | null {
  const { listing } = symbol;
  const byBudget = goesByBudget(request);
  if (!byBudget && (request.quantity as number) < Math.max(1, listing.minLots)) return 'belowMinimumQuantity';
  const isMarket = request.kind === 'market';
  const floor = BigInt(isMarket ? listing.minNotionalMarket : listing.minNotional);
  const least = floor > 0n ? floor : 1n;
  const most = BigInt(isMarket ? listing.maxNotionalMarket : listing.maxNotional);
  const amount = amountOf(state, symbol, request);
  if (amount !== null && amount < least) return 'belowMinimumAmount';
  if (amount !== null && (amount > most || amount > safe)) return 'aboveMaximumAmount';
  if (!byBudget && BigInt(request.quantity as number) * baseUnit(state, symbol) > safe) return 'aboveMaximumAmount';
  return null;
}

/** Worth of an order in the quote asset; of a market order by quantity at the last or best price, if any. */
function amountOf(state: NaiveState, symbol: NaiveSymbol, request: OrderRequest): bigint | null {
  if (goesByBudget(request)) return BigInt(request.budget as number);
  const price = request.price ?? symbol.lastPrice ?? opposing(symbol, request.side)[0]?.price ?? null;
  return price === null ? null : notionalOf(state, symbol, price, request.quantity as number);
}

/** PERCENT_PRICE_BY_SIDE as printed: the three named kinds for buys, every priced kind for sells. */
function isOutsideBand(symbol: NaiveSymbol, request: OrderRequest): boolean {
  const { bidMultiplierUpPpm, askMultiplierDownPpm } = symbol.listing;
  if (request.kind === 'market' || symbol.lastPrice === null) return false;
  const price = BigInt(request.price as number) * million;
  const last = BigInt(symbol.lastPrice);
  if (request.side === 'buy') {
    if (bidMultiplierUpPpm === null || request.kind === 'postOnly') return false;
    return price > last * BigInt(bidMultiplierUpPpm);
  }
  return askMultiplierDownPpm !== null && price < last * BigInt(askMultiplierDownPpm);
}

function fundsRefusal(state: NaiveState, account: number, request: OrderRequest): RejectReason | null {
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const { base, quote } = symbol.listing;
  const collar = naiveCollar(symbol, request.side) ?? 0;
  if (request.side === 'buy') {
    let cost: bigint;
    if (request.kind !== 'market')
      cost = notionalOf(state, symbol, request.price as number, request.quantity as number);
    else if (goesByBudget(request)) cost = BigInt(request.budget as number);
    else ({ cost } = walkOf(state, account, request, collar));
    return cost > state.freeOf(account, quote) ? 'notEnoughQuote' : null;
  }
  const lots = goesByBudget(request) ? walkOf(state, account, request, collar).lots : (request.quantity as number);
  return BigInt(lots) * baseUnit(state, symbol) > state.freeOf(account, base) ? 'notEnoughBase' : null;
}

function rulesRefusal(state: NaiveState, request: OrderRequest): RejectReason | null {
  const symbol = state.symbols[request.symbol];
  if (symbol === undefined) return 'unknownSymbol';
  const { listing } = symbol;
  if (listing.status !== 'online') return 'tradingSuspended';
  if (!listing.apiTradingAllowed) return 'apiTradingOff';
  const allowed = { all: true, closed: false, buyOnly: request.side === 'buy', sellOnly: request.side === 'sell' };
  if (!allowed[listing.tradeSideType]) return 'sideNotAllowed';
  if (!listing.orderKinds.includes(request.kind)) {
    return request.kind === 'market' ? 'marketNotAllowed' : 'kindNotAllowed';
  }
  return isMalformed(request) ? 'malformedOrder' : null;
}

/** The first reason that applies, in the order of decisions.md section 3. `isIdTaken`: by an order with other terms. */
export function naiveRefusal(
  state: NaiveState,
  accountId: number,
  request: OrderRequest,
  isIdTaken: boolean,
): RejectReason | null {
  const rules = rulesRefusal(state, request);
  if (rules !== null) return rules;
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const size = sizeRefusal(state, symbol, request);
  if (size !== null) return size;
  if (isOutsideBand(symbol, request)) return 'priceOutsideBand';
  const account = state.accounts[accountId];
  if (account === undefined || accountId < houseAccountCount) return 'unknownAccount';
  if (account.status !== 'normal') return 'accountNotUsable';
  const mayRest = request.kind === 'limit' || request.kind === 'postOnly';
  if (mayRest && state.openOrdersOf(accountId).length >= account.openOrdersMax) return 'tooManyOpenOrders';
  if (isIdTaken) return 'clientOrderIdInUse';
  const best = opposing(symbol, request.side)[0];
  if (
    request.kind === 'postOnly' &&
    best !== undefined &&
    isWithin(request.side, request.price as number, best.price)
  ) {
    return 'wouldTakeLiquidity';
  }
  if (request.kind === 'market' && best === undefined) return 'noOpposingOrder';
  return fundsRefusal(state, accountId, request);
}
