import type { Fraction } from './fraction.ts';
import { dividedBy, isAtMost, ofPpm, roundedUp, times, whole } from './fraction.ts';
import { lastWorth } from './naive-prices.ts';
import type { NaiveAccount, NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, notionalOf } from './naive-state.ts';

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const million = 1_000_000;

/** What one side of a fill owes, both ways in which it may be paid. */
export interface FeeOffer {
  readonly account: number;
  /** The asset received, and the whole fee in it. */
  readonly asset: number;
  readonly amount: bigint;
  /** The whole fee in the platform token; `null` where it cannot be paid so, however much of it is there. */
  readonly inToken: bigint | null;
}

export interface Fee {
  readonly asset: number;
  readonly amount: bigint;
}

/** The lower of the account's rate and the symbol's, in parts per million. */
function ratePpmOf(account: NaiveAccount, symbol: NaiveSymbol, role: 'maker' | 'taker'): number {
  const own = role === 'maker' ? account.makerFeePpm : account.takerFeePpm;
  const listed = role === 'maker' ? symbol.listing.makerFeePpm : symbol.listing.takerFeePpm;
  return own === null || own > listed ? listed : own;
}

/** What one smallest unit of an asset is worth in smallest units of another, by the last price; `null` without one. */
export function worthOf(state: NaiveState, asset: number, valuedIn: number): Fraction | null {
  if (asset === valuedIn) return whole(1n);
  return lastWorth(
    state,
    state.symbols.find(({ listing }) => listing.base === asset && listing.quote === valuedIn),
  );
}

/**
 * What one smallest unit of an asset is worth in smallest units of the token, over the asset that both are valued in:
 * the token at the lower of its last and its guarded price. `null` where a price is missing. The token is worth itself
 * at any price, so it needs none.
 */
function rateOf(state: NaiveState, asset: number, { token, valuedIn }: { token: number; valuedIn: number }) {
  if (asset === token) return whole(1n);
  const worth = worthOf(state, asset, valuedIn);
  const last = worthOf(state, token, valuedIn);
  const { tokenWorth: guarded } = state;
  if (worth === null || last === null) return null;
  if (guarded === null) {
    state.meet('token without a guarded price');
    return null;
  }
  if (!isAtMost(last, guarded)) state.meet('token below its last price');
  return dividedBy(worth, isAtMost(last, guarded) ? last : guarded);
}

/** The exact commission, a fraction of the asset received, as a whole number of the token; `null` without prices. */
function tokenFee(state: NaiveState, received: number, commission: Fraction): bigint | null {
  const { feeToken } = state;
  if (feeToken === null) return null;
  const rate = rateOf(state, received, feeToken);
  if (rate === null) return null;
  const discounted = times(commission, ofPpm(million - feeToken.discountPpm));
  const fee = roundedUp(times(discounted, rate));
  if (fee <= safe) return fee;
  state.meet('token fee past the bound');
  return null;
}

/**
 * What an order owes for a fill, at the last prices as they are now: ask before the fill sets a new one. The
 * commission is what is received times the rate, a fraction; each way of paying rounds it up once, at its own scale.
 */
export function feeOffer(
  state: NaiveState,
  order: NaiveOrder,
  role: 'maker' | 'taker',
  fill: { readonly price: number; readonly lots: number },
): FeeOffer {
  const symbol = state.symbols[order.request.symbol] as NaiveSymbol;
  const account = state.accounts[order.account] as NaiveAccount;
  const isBuy = order.request.side === 'buy';
  const asset = isBuy ? symbol.listing.base : symbol.listing.quote;
  const received = isBuy
    ? BigInt(fill.lots) * baseUnit(state, symbol)
    : notionalOf(state, symbol, fill.price, fill.lots);
  const commission = times(whole(received), ofPpm(ratePpmOf(account, symbol, role)));
  const isFree = commission.over === 0n;
  return {
    account: order.account,
    asset,
    amount: roundedUp(commission),
    inToken: isFree || !account.feeDeduction ? null : tokenFee(state, asset, commission),
  };
}

/** The platform token of an account when a fee is judged. */
export interface Purse {
  /** Free before the fill. */
  readonly before: bigint;
  /** Free with all that is posted so far. */
  readonly free: bigint;
  /** What later fills of the taker will take of it. */
  readonly later: bigint;
  /** What the maker's fee, judged after this one, will take of it. */
  readonly byMaker: bigint;
  /** What the taker's fee, judged before this one, has taken of it. */
  readonly byTaker: bigint;
}

/** Counts how close a fee is to what there is of the token, and what decided. */
function meetPurse(state: NaiveState, fee: bigint, { before, free, later, byMaker, byTaker }: Purse): void {
  const spare = free - later - byMaker;
  if (spare === fee) state.meet('token fee just enough');
  if (spare === fee - 1n) state.meet('token fee one unit short');
  if (spare >= fee && before < fee) state.meet('token fee won by the fill');
  if (spare >= fee) return;
  if (before >= fee) state.meet('token fee lost by the fill');
  if (spare + later >= fee) state.meet('token fee lost to later fills');
  if (spare + byMaker >= fee) state.meet('token fee lost to that of the maker');
  if (spare + byTaker >= fee) state.meet('token fee lost to that of the taker');
}

/**
 * Chooses how a fee is paid, when all else of its fill is posted: in the token where enough for the whole fee is free
 * and needed for nothing else, otherwise all of it in the asset received.
 */
export function feeOf(state: NaiveState, offer: FeeOffer, purse: Purse): Fee {
  const plain = { asset: offer.asset, amount: offer.amount };
  if (offer.inToken === null || state.feeToken === null) return plain;
  meetPurse(state, offer.inToken, purse);
  const isEnough = purse.free - purse.later - purse.byMaker >= offer.inToken;
  return isEnough ? { asset: state.feeToken.token, amount: offer.inToken } : plain;
}
