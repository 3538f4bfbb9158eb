import type { PostingKind } from '#model/account.ts';
import { house } from '#model/account.ts';
import { as, toAmount, type OrderNumber } from '#model/units.ts';
import type { Fee, FeeOffer } from './naive-fees.ts';
import { feeOf, feeOffer } from './naive-fees.ts';
import type { NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, mayRest, notionalOf, quoteUnit } from './naive-state.ts';

interface Leg {
  readonly account: number;
  readonly asset: number;
  readonly free?: bigint;
  readonly held?: bigint;
  readonly why: PostingKind;
  /** `null` where no order is behind it. */
  readonly order: number | null;
}

/** Moves money and tells of it, if there is any. */
export function post(state: NaiveState, leg: Leg): void {
  const free = leg.free ?? 0n;
  const held = leg.held ?? 0n;
  if (free === 0n && held === 0n) return;
  state.move({ account: leg.account, asset: leg.asset, free, held });
  state.events.push({
    kind: 'posted',
    account: as(leg.account),
    asset: as(leg.asset),
    free: toAmount(free),
    held: toAmount(held),
    why: leg.why,
    order: leg.order as OrderNumber | null,
    balance: toAmount(state.balance(leg)),
  });
}

const symbolOf = (state: NaiveState, order: NaiveOrder): NaiveSymbol =>
  state.symbols[order.request.symbol] as NaiveSymbol;

/** The asset an order gives, and the one it receives. */
function assetsOf(symbol: NaiveSymbol, order: NaiveOrder): { given: number; received: number } {
  const { base, quote } = symbol.listing;
  return order.request.side === 'buy' ? { given: quote, received: base } : { given: base, received: quote };
}

/** Sets aside the worst case of an order that may rest. */
export function hold(state: NaiveState, order: NaiveOrder): void {
  const symbol = symbolOf(state, order);
  const lots = order.request.quantity as number;
  order.held =
    order.request.side === 'buy'
      ? notionalOf(state, symbol, order.price, lots)
      : BigInt(lots) * baseUnit(state, symbol);
  const { given } = assetsOf(symbol, order);
  const { account, number } = order;
  post(state, { account, asset: given, free: -order.held, held: order.held, why: 'orderHold', order: number });
}

/** Gives back what an order that ends still has set aside. */
export function release(state: NaiveState, order: NaiveOrder): void {
  const { given } = assetsOf(symbolOf(state, order), order);
  const { account, number, held } = order;
  post(state, { account, asset: given, free: held, held: -held, why: 'cancelRelease', order: number });
  order.held = 0n;
}

/** One side of a fill without its fee: gives, receives, and gets back what a better price left over of its hold. */
function exchange(state: NaiveState, order: NaiveOrder, fill: { price: number; lots: number }): void {
  const symbol = symbolOf(state, order);
  const base = BigInt(fill.lots) * baseUnit(state, symbol);
  const quote = notionalOf(state, symbol, fill.price, fill.lots);
  const isBuy = order.request.side === 'buy';
  const [gives, gets] = isBuy ? [quote, base] : [base, quote];
  const { given, received } = assetsOf(symbol, order);
  const at = { account: order.account, order: order.number };
  const isHeld = mayRest(order.request);
  post(state, { ...at, asset: given, free: isHeld ? 0n : -gives, held: isHeld ? -gives : 0n, why: 'fill' });
  post(state, { ...at, asset: received, free: gets, why: 'fill' });
  if (!isHeld) {
    order.toCome -= gives;
    return;
  }
  const better = isBuy ? BigInt(order.price - fill.price) : 0n;
  const surplus = better * BigInt(fill.lots) * quoteUnit(state, symbol);
  post(state, { ...at, asset: given, free: surplus, held: -surplus, why: 'surplusRelease' });
  order.held -= gives + surplus;
}

function charge(state: NaiveState, order: NaiveOrder, fee: Fee): void {
  const { account, number } = order;
  post(state, { account, asset: fee.asset, free: -fee.amount, why: 'fee', order: number });
  post(state, { account: house.fees, asset: fee.asset, free: fee.amount, why: 'fee', order: number });
}

/** What an account has free of the platform token. */
const freeToken = (state: NaiveState, account: number): bigint =>
  state.feeToken === null ? 0n : state.freeOf(account, state.feeToken.token);

/** What the taker's later fills will take of the token from an account. */
function takenLater(state: NaiveState, account: number, taker: NaiveOrder): bigint {
  const { given } = assetsOf(symbolOf(state, taker), taker);
  return account === taker.account && state.feeToken?.token === given ? taker.toCome : 0n;
}

/** In a self-trade whose maker receives the token: the maker's whole fee in it, which comes second but must be paid. */
function takenByMaker(state: NaiveState, taker: FeeOffer, maker: FeeOffer): bigint {
  return taker.account === maker.account && state.feeToken?.token === maker.asset ? maker.amount : 0n;
}

/**
 * All postings of a fill, at the last prices of before it: both sides exchange, then the taker's fee is judged and
 * charged, then the maker's, so that in a self-trade it finds what the taker's has left.
 */
export function settleFill(
  state: NaiveState,
  taker: NaiveOrder,
  maker: NaiveOrder,
  fill: { readonly price: number; readonly lots: number },
): { takerFee: Fee; makerFee: Fee } {
  const takerOffer = feeOffer(state, taker, 'taker', fill);
  const makerOffer = feeOffer(state, maker, 'maker', fill);
  const takerBefore = freeToken(state, taker.account);
  const makerBefore = freeToken(state, maker.account);
  exchange(state, taker, fill);
  exchange(state, maker, fill);
  const takerFee = feeOf(state, takerOffer, {
    before: takerBefore,
    free: freeToken(state, taker.account),
    later: takenLater(state, taker.account, taker),
    byMaker: takenByMaker(state, takerOffer, makerOffer),
    byTaker: 0n,
  });
  charge(state, taker, takerFee);
  const isSelfTrade = taker.account === maker.account && takerFee.asset === state.feeToken?.token;
  const makerFee = feeOf(state, makerOffer, {
    before: makerBefore,
    free: freeToken(state, maker.account),
    later: takenLater(state, maker.account, taker),
    byMaker: 0n,
    byTaker: isSelfTrade ? takerFee.amount : 0n,
  });
  charge(state, maker, makerFee);
  return { takerFee, makerFee };
}
