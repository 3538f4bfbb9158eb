import { shareUp } from '#domain/fees.ts';
import type { AssetId } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide } from '#engine/book/side-code.ts';
import { canSettle } from '#engine/contracts/can-settle.ts';
import { atMostFree, closePart, closedBy, openPart, tellPosition } from '#engine/contracts/change-position.ts';
import { orderMargin } from '#engine/contracts/order-margin.ts';
import { positionFor } from '#engine/contracts/position-margin.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Commission } from '#engine/matching/commission.ts';
import type { EmitTrade } from '#engine/matching/emit-trade.ts';
import type { SettleFill } from '#engine/matching/settle-fill.ts';
import type { Taker } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';

/** One side of a fill of a contract. */
interface ContractSide {
  readonly slot: number;
  readonly hold: number;
  /** Price in ticks at which its hold is counted. */
  readonly heldAt: number;
  /** Lots of its order before this fill. */
  readonly remaining: number;
  /** Bought above zero, sold below. */
  readonly lots: number;
  readonly isMaker: boolean;
}

const sideOfTaker = ({ slot, hold, heldAt, remaining, side }: Taker, lots: number): ContractSide => ({
  slot,
  hold,
  heldAt,
  remaining,
  lots: side === buySide ? lots : -lots,
  isMaker: false,
});

/**
 * What a hold releases for a fill: the difference to what the rest of the order needs, and all of it with the last lot.
 * Where rates changed since it was opened, at most what is held. DEC-FUT-46.
 */
function releasedBy(state: EngineState, book: Book, { slot, hold, heldAt, remaining, lots }: ContractSide): number {
  if (hold === noHold) return 0;
  const held = Number(state.holds.amount(hold));
  const rest = remaining - Math.abs(lots);
  if (rest === 0) return held;
  const account = state.tables.orders.account(slot);
  const needed = orderMargin(state, book, account, heldAt, remaining);
  return Math.min(held, needed - orderMargin(state, book, account, heldAt, rest));
}

/** Whether both sides of the next fill can be settled; else whose order stops. DEC-FUT-21, DEC-FUT-49. */
export type CheckFill = (
  book: Book,
  taker: Taker,
  maker: number,
  price: number,
  lots: number,
) => 'both' | 'notTaker' | 'notMaker';

/** Creates the check of one engine. */
export function createCheckFill(state: EngineState): CheckFill {
  const { orders } = state.tables;
  const sideCan = (book: Book, side: ContractSide, unit: number): boolean =>
    canSettle(state, book, { account: orders.account(side.slot), lots: side.lots, unit });
  return (book, taker, maker, price, lots) => {
    const unit = price * book.quotePerTickLot;
    // A trade of an account with itself changes no position. DEC-FUT-23.
    if (taker.account === orders.account(maker)) return 'both';
    if (!sideCan(book, sideOfTaker(taker, lots), unit)) return 'notTaker';
    return sideCan(book, sideOfMaker(state, taker, maker, lots), unit) ? 'both' : 'notMaker';
  };
}

const sideOfMaker = ({ tables }: EngineState, taker: Taker, maker: number, lots: number): ContractSide => ({
  slot: maker,
  hold: tables.orders.hold(maker),
  heldAt: tables.orders.price(maker),
  remaining: tables.orders.remaining(maker),
  lots: taker.side === buySide ? -lots : lots,
  isMaker: true,
});

/**
 * Creates the settlement of fills of contracts: of the taker, then of the maker. Each side gets back what its order
 * holds for these lots, closes what it can of an opposite position, pays its fee and opens the rest. What both trade is
 * paid by nobody: positions owe it. DEC-FUT-20, DEC-FUT-49.
 */
export function createSettleContractFill(state: EngineState, emitTrade: EmitTrade): SettleFill {
  const { ledger } = state;
  const { orders } = state.tables;
  const takerFee: Commission = { amount: 0, asset: 0 as AssetId, row: 0 };
  const makerFee: Commission = { amount: 0, asset: 0 as AssetId, row: 0 };

  /**
   * Takes the fee, at most what is free: a hold covers it but for rates that rose and units of rounding. The insurance
   * fund pays none. DEC-FUT-50.
   */
  function payFee(into: Commission, book: Book, side: ContractSide, notional: number): void {
    const row = orders.gives(side.slot);
    const order = orders.number(side.slot);
    into.asset = book.quote;
    into.row = row;
    const isFund = orders.account(side.slot) === state.contracts.at(book.symbol).insurer;
    const due = isFund ? 0 : shareUp(notional, book.feePpm(side.isMaker));
    into.amount = Number(atMostFree(state, row, BigInt(due)));
    if (into.amount === 0) return;
    ledger.post(row, -into.amount, 'fee', order);
    ledger.post(ledger.feeRow(book.quote), into.amount, 'fee', order);
  }

  function settleSide(fee: Commission, book: Book, side: ContractSide, price: number, isSelf: boolean): void {
    const { slot, lots } = side;
    const account = orders.account(slot);
    const row = orders.gives(slot);
    const order = orders.number(slot);
    const unit = price * book.quotePerTickLot;
    const released = releasedBy(state, book, side);
    if (released > 0) ledger.release(side.hold, released, 'surplusRelease');
    if (isSelf) {
      payFee(fee, book, side, Math.abs(lots) * unit);
      return;
    }
    const position = positionFor(state, account, book.symbol);
    const fill = { book, account, row, lots, unit, order };
    const opened = lots - Math.sign(lots) * closedBy(lots, position);
    closePart(state, position, fill);
    payFee(fee, book, side, Math.abs(lots) * unit);
    openPart(state, position, opened, fill);
  }

  return (book, taker, maker, price, lots, quoteAmount) => {
    const makerAccount = orders.account(maker);
    const isSelf = taker.account === makerAccount;
    settleSide(takerFee, book, sideOfTaker(taker, lots), price, isSelf);
    settleSide(makerFee, book, sideOfMaker(state, taker, maker, lots), price, isSelf);
    emitTrade(book, taker, maker, { price, lots, quoteAmount, takerFee, makerFee });
    if (isSelf) return;
    tellPosition(state, taker.account, book.symbol);
    tellPosition(state, makerAccount, book.symbol);
  };
}
