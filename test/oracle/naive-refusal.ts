import { houseAccountCount } from '#model/account.ts';
import type { OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { isWithin, opposing } from './naive-collar.ts';
import { fundsRefusal } from './naive-funds.ts';
import type { NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, goesByBudget, isTradeOff, mayRest, mayTrade, notionalOf } from './naive-state.ts';

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const million = 1_000_000n;

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

/** PERCENT_PRICE_BY_SIDE as specified: the three named kinds for buys, every priced kind for sells. */
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

function rulesRefusal(state: NaiveState, request: OrderRequest): RejectReason | null {
  const symbol = state.symbols[request.symbol];
  if (symbol === undefined) return 'unknownSymbol';
  const { listing } = symbol;
  if (!state.isOpen || listing.status !== 'online') return 'tradingSuspended';
  if (!listing.apiTradingAllowed) return 'apiTradingOff';
  const allowed = { all: true, closed: false, buyOnly: request.side === 'buy', sellOnly: request.side === 'sell' };
  if (!allowed[listing.tradeSideType]) return 'sideNotAllowed';
  if (!listing.orderKinds.includes(request.kind)) {
    return request.kind === 'market' ? 'marketNotAllowed' : 'kindNotAllowed';
  }
  return isMalformed(request) ? 'malformedOrder' : null;
}

/** The first reason that applies, in the order of DEC-ORD-04. `isIdTaken`: by an order with other terms. */
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
  if (!mayTrade(state, accountId)) return 'accountNotUsable';
  if (isTradeOff(state, accountId)) return 'tradingOffForAccount';
  if (mayRest(request) && state.openOrdersOf(accountId).length >= account.openOrdersMax) return 'tooManyOpenOrders';
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
