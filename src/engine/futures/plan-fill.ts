import { shareUp } from '#model/fees.ts';
import type { AccountId, OrderNumber } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, sellSide } from '#engine/book/side-code.ts';
import { closingOf } from '#engine/futures/change-position.ts';
import { openLoss } from '#engine/futures/order-margin.ts';
import { initialMargin, leverageOf, marginOf, modeOf } from '#engine/futures/position-margin.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Taker } from '#engine/spot/taker.ts';
import type { EngineState } from '#engine/state/state.ts';

/** One side of a fill of a contract. */
export interface ContractSide {
  readonly account: AccountId;
  readonly order: OrderNumber;
  /** Futures wallet of the account in the settle asset. */
  readonly row: number;
  readonly hold: number;
  /** Lots of its order before this fill. */
  readonly remaining: number;
  /** Bought above zero, sold below. */
  readonly lots: number;
  readonly isMaker: boolean;
}

/** The side of the taker in a fill of so many lots. */
export const sideOfTaker = (
  { tables }: EngineState,
  { slot, hold, remaining, side }: Taker,
  lots: number,
): ContractSide => ({
  account: tables.orders.account(slot),
  order: tables.orders.number(slot),
  row: tables.orders.gives(slot),
  hold,
  remaining,
  lots: side === buySide ? lots : -lots,
  isMaker: false,
});

/** The side of the resting order that it meets. */
export const sideOfMaker = ({ tables }: EngineState, taker: Taker, maker: number, lots: number): ContractSide => ({
  account: tables.orders.account(maker),
  order: tables.orders.number(maker),
  row: tables.orders.gives(maker),
  hold: tables.orders.hold(maker),
  remaining: tables.orders.remaining(maker),
  lots: taker.side === buySide ? -lots : lots,
  isMaker: true,
});

/** What a fill does to one side, and what the account has after it: made before the fill, and carried out by it. */
export interface FillPlan {
  /** What its order holds for these lots. */
  readonly released: number;
  readonly fee: number;
  /** Lots that are left of the fill once it closed what it could, with its sign. */
  readonly opened: number;
  /** What comes behind the position for those. */
  readonly margin: bigint;
  /** After the fill: free balance, and the position with what is behind it. */
  readonly after: { readonly free: bigint; readonly lots: number; readonly cost: bigint; readonly margin: bigint };
}

/**
 * Plans one side of a fill at a price in ticks. The order frees its share of what it holds, rounded down, and the last
 * lot all. Lots of an opposite position close, the fee is paid, and the rest opens; each takes at most what is free
 * then. A fill between orders of one account pays the fees only. DEC-FUT-23, DEC-FUT-46, DEC-FUT-49.
 */
export function planFill(
  state: EngineState,
  book: Book,
  side: ContractSide,
  { price, isSelf }: { readonly price: number; readonly isSelf: boolean },
): FillPlan {
  const { account, lots } = side;
  const unit = price * book.quotePerTickLot;
  const released = releasedBy(state, side);
  let free = state.ledger.balances.free.get(side.row) + BigInt(released);
  const position = state.positions.find(account, book.symbol);
  let [size, cost, margin] =
    position === null ? [0, 0n, 0n] : [position.lots, position.cost, marginOf(state, position)];
  const before = { lots: size, cost, margin, mode: modeOf(state, account, book.symbol) };
  const closing = isSelf ? null : closingOf(before, { lots, unit }, free);
  if (closing !== null) {
    free += closing.released + closing.profit;
    size += Math.sign(lots) * closing.lots;
    cost -= closing.cost;
    margin -= closing.released;
    if (size === 0) {
      free += margin;
      margin = 0n;
    }
  }
  const fee = feeOf(state, book, side, Math.abs(lots) * unit, free);
  free -= BigInt(fee);
  const opened = isSelf ? 0 : lots - Math.sign(lots) * (closing?.lots ?? 0);
  const wanted = opened === 0 ? 0n : openingMargin(state, book, account, { opened, price });
  const added = wanted < free ? wanted : free;
  return {
    released,
    fee,
    opened,
    margin: added,
    after: {
      free: free - added,
      lots: size + opened,
      cost: cost + BigInt(opened) * BigInt(unit),
      margin: margin + added,
    },
  };
}

/** What an order frees for a fill. DEC-FUT-46. */
function releasedBy({ holds }: EngineState, { hold, remaining, lots }: ContractSide): number {
  if (hold === noHold) return 0;
  const held = BigInt(holds.amount(hold));
  return Number((held * BigInt(Math.abs(lots))) / BigInt(remaining));
}

/**
 * The fee, at most what is free: a hold covers it but for rates that rose and units of rounding. The insurance fund
 * pays none. DEC-FUT-50.
 */
function feeOf(state: EngineState, book: Book, side: ContractSide, notional: number, free: bigint): number {
  if (side.account === state.contracts.at(book.symbol).insurer) return 0;
  const due = shareUp(notional, book.feePpm(side.isMaker));
  return BigInt(due) < free ? due : Number(free);
}

/**
 * What lots that open need behind them: their initial margin, and in an isolated position, which nothing else covers,
 * what they lose at once. DEC-FUT-49, DEC-FUT-102.
 */
function openingMargin(
  state: EngineState,
  book: Book,
  account: AccountId,
  { opened, price }: { readonly opened: number; readonly price: number },
): bigint {
  const lots = Math.abs(opened);
  const margin = BigInt(initialMargin(lots * price * book.quotePerTickLot, leverageOf(state, account, book.symbol)));
  if (modeOf(state, account, book.symbol) === 'cross') return margin;
  return margin + openLoss(state, book, { side: opened > 0 ? buySide : sellSide, price, lots });
}
