import type { OrderType, Side } from '#web/data/orders.ts';
import { type PairUnits, rescaled } from '#web/pages/trade/pair-units.ts';
import { FeeCounter, type Fees, type TokenFees } from '#web/pages/trade/token-fee.ts';

/** An order as its form has it, in units: price in ticks, quantity in lots, amount in units of the quote asset. */
export interface OrderDraft {
  readonly side: Side;
  readonly type: OrderType;
  /** `null` of a market order. */
  readonly price: bigint | null;
  /** `null` of a market order by amount. */
  readonly quantity: bigint | null;
  /** What a market order spends or gets at most; `null`: it goes by quantity. */
  readonly amount: bigint | null;
}

/** What an order would do to the account, by the book as it is now. */
export interface OrderCost {
  /** Lots that trade at once, and that rest. */
  readonly taken: bigint;
  readonly rests: bigint;
  /** Quote units of what trades at once, and of what rests at its price. */
  readonly takenAmount: bigint;
  readonly restsAmount: bigint;
  /** Fees: at once, and once the rest has traded. */
  readonly takerFee: Fees;
  readonly makerFee: Fees;
  /** Worst price that it trades at, in ticks; `null`: it does not trade at once. */
  readonly worstPrice: bigint | null;
}

/** Quote units of lots at a price. */
export const amountOf = (price: bigint, lots: bigint, units: PairUnits): bigint =>
  rescaled(price * lots, units.priceDecimals + units.quantityDecimals, units.quoteScale);

const noFees: Fees = { own: 0n, token: 0n };

const sumOf = (one: Fees, other: Fees): Fees => ({ own: one.own + other.own, token: one.token + other.token });

/** Units that a side of a trade receives: of the base asset when it buys, of the quote asset when it sells. */
const receivedOf = (side: Side, lots: bigint, amount: bigint, units: PairUnits): bigint =>
  side === 'BUY' ? rescaled(lots, units.quantityDecimals, units.baseScale) : amount;

/** Lots of a level that the draft still takes. */
function lotsAt(draft: OrderDraft, price: bigint, offered: bigint, left: bigint, units: PairUnits): bigint {
  if (draft.amount === null) return left < offered ? left : offered;
  const perLot = amountOf(price, 1n, units);
  const affordable = perLot === 0n ? 0n : left / perLot;
  return affordable < offered ? affordable : offered;
}

const isWithin = ({ side, price }: OrderDraft, level: bigint): boolean =>
  price === null || (side === 'BUY' ? level <= price : level >= price);

/**
 * What an order costs and what fees it pays: equal to what is charged as long as the book stays, where each level is
 * one order; of a level of several orders, each fee may be a unit more. `opposing`: price and lots in turn, best first.
 * `tokenFees`: `null`: fees are paid in what is received. DEC-WEB-10, DEC-WEB-18.
 */
export function costOf(
  draft: OrderDraft,
  opposing: Float64Array,
  units: PairUnits,
  tokenFees: TokenFees | null = null,
): OrderCost {
  const { taken, left } = takenOf(draft, opposing, units);
  if (draft.type === 'FILL_OR_KILL' && left > 0n) return nothing;
  const rests = draft.type === 'LIMIT' || draft.type === 'LIMIT_MAKER' ? left : 0n;
  const restsAmount = draft.price === null ? 0n : amountOf(draft.price, rests, units);
  const lots = taken.reduce((sum, level) => sum + level.lots, 0n);
  const takenAmount = taken.reduce((sum, level) => sum + level.amount, 0n);
  const isBuy = draft.side === 'BUY';
  const given = isBuy ? takenAmount + restsAmount : rescaled(lots + rests, units.quantityDecimals, units.baseScale);
  const counter = new FeeCounter(tokenFees, given, units.priceDecimals);
  const feeOf = (of: Taken, ppm: bigint): Fees =>
    counter.feeOf(receivedOf(draft.side, of.lots, of.amount, units), ppm, of.price);
  const takerFee = taken.reduce((sum, level) => sumOf(sum, feeOf(level, units.takerPpm)), noFees);
  const rest = { price: draft.price ?? 0n, lots: rests, amount: restsAmount };
  const makerFee = rests === 0n ? noFees : feeOf(rest, units.makerPpm);
  return { taken: lots, takenAmount, takerFee, rests, restsAmount, makerFee, worstPrice: taken.at(-1)?.price ?? null };
}

/** What an order takes of a level of the book. */
interface Taken {
  readonly price: bigint;
  readonly lots: bigint;
  /** Quote units. */
  readonly amount: bigint;
}

/** Levels that an order takes at once, and what is left of it: lots, or quote units where it goes by amount. */
function takenOf(draft: OrderDraft, opposing: Float64Array, units: PairUnits): { taken: Taken[]; left: bigint } {
  const { type, amount } = draft;
  let left = amount ?? draft.quantity ?? 0n;
  const taken: Taken[] = [];
  for (let at = 0; at + 1 < opposing.length && left > 0n && type !== 'LIMIT_MAKER'; at += 2) {
    const price = BigInt(opposing[at] as number);
    if (!isWithin(draft, price)) break;
    const lots = lotsAt(draft, price, BigInt(opposing[at + 1] as number), left, units);
    if (lots === 0n) break;
    const paid = amountOf(price, lots, units);
    left -= amount === null ? lots : paid;
    taken.push({ price, lots, amount: paid });
  }
  return { taken, left };
}

const nothing: OrderCost = {
  ...{ taken: 0n, takenAmount: 0n, takerFee: noFees },
  ...{ rests: 0n, restsAmount: 0n, makerFee: noFees, worstPrice: null },
};

/** From how far off a price is asked about, in parts of a hundred. */
const farPercent = 5n;

/** By how many whole percent an order would buy above or sell below the best opposing price; below 5: 0. DEC-WEB-11. */
export function percentOff(draft: OrderDraft, cost: OrderCost, best: bigint | null): bigint {
  const price = draft.price ?? cost.worstPrice;
  if (best === null || best === 0n || price === null) return 0n;
  const worse = draft.side === 'BUY' ? price - best : best - price;
  const percent = (worse * 100n) / best;
  return percent >= farPercent ? percent : 0n;
}

/** The lots that a share of what is free buys or sells; a share counts in percent. */
export function lotsOfShare(
  draft: Pick<OrderDraft, 'side' | 'price'>,
  share: bigint,
  free: bigint,
  units: PairUnits,
): bigint {
  if (draft.side === 'SELL') return rescaled((free * share) / 100n, units.baseScale, units.quantityDecimals);
  const perLot = draft.price === null ? 0n : amountOf(draft.price, 1n, units);
  return perLot === 0n ? 0n : (free * share) / 100n / perLot;
}
