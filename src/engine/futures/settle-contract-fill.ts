import type { AssetId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { canSettle } from '#engine/futures/can-settle.ts';
import { closePart, openPart, emitPosition } from '#engine/futures/change-position.ts';
import { keepsMaintenance } from '#engine/futures/keeps-maintenance.ts';
import { planFill, sideOfMaker, sideOfTaker, type ContractSide } from '#engine/futures/plan-fill.ts';
import { positionFor } from '#engine/futures/position-margin.ts';
import type { Commission } from '#engine/spot/commission.ts';
import type { EmitTrade } from '#engine/spot/emit-trade.ts';
import type { SettleFill } from '#engine/spot/settle-fill.ts';
import type { Taker } from '#engine/spot/taker.ts';
import type { AccrueRebates } from '#engine/rebates/accrue-rebates.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Whether both sides of the next fill can be settled; else whose order stops. DEC-FUT-21, DEC-FUT-49, DEC-FUT-101. */
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
  function canSettleSide(book: Book, side: ContractSide, price: number, isSelf: boolean): boolean {
    const { account, lots } = side;
    // A trade of an account with itself changes no position. DEC-FUT-23.
    if (!isSelf && !canSettle(state, book, { account, lots, unit: price * book.quotePerTickLot })) return false;
    return keepsMaintenance(state, book, account, planFill(state, book, side, { price, isSelf }));
  }
  return (book, taker, maker, price, lots) => {
    const isSelf = taker.account === orders.account(maker);
    if (!canSettleSide(book, sideOfTaker(state, taker, lots), price, isSelf)) return 'notTaker';
    return canSettleSide(book, sideOfMaker(state, taker, maker, lots), price, isSelf) ? 'both' : 'notMaker';
  };
}

/**
 * Creates the settlement of fills of contracts: of the taker, then of the maker. Each side gets back what its order
 * holds for these lots, closes what it can of an opposite position, pays its fee and opens the rest. What both trade is
 * paid by nobody: positions owe it. DEC-FUT-20, DEC-FUT-49.
 */
export function createSettleContractFill(
  state: EngineState,
  emitTrade: EmitTrade,
  accrueRebates: AccrueRebates,
): SettleFill {
  const { ledger } = state;
  const { orders } = state.tables;
  const takerFee: Commission = { amount: 0, asset: 0 as AssetId, row: 0 };
  const makerFee: Commission = { amount: 0, asset: 0 as AssetId, row: 0 };

  function payFee(into: Commission, book: Book, { row, order }: ContractSide, amount: number): void {
    into.asset = book.quote;
    into.row = row;
    into.amount = amount;
    if (amount === 0) return;
    ledger.post(row, -amount, 'fee', order);
    ledger.post(ledger.feeRow(book.quote), amount, 'fee', order);
  }

  function settleSide(fee: Commission, book: Book, side: ContractSide, price: number, isSelf: boolean): void {
    const { account, row, order, lots } = side;
    const plan = planFill(state, book, side, { price, isSelf });
    if (plan.released > 0) ledger.release(side.hold, plan.released, 'surplusRelease');
    if (isSelf) {
      payFee(fee, book, side, plan.fee);
      return;
    }
    const position = positionFor(state, account, book.symbol);
    const fill = { book, account, row, lots, unit: price * book.quotePerTickLot, order };
    closePart(state, position, fill);
    payFee(fee, book, side, plan.fee);
    openPart(state, position, plan.margin, { ...fill, lots: plan.opened });
  }

  return (book, taker, maker, price, lots, quoteAmount) => {
    const makerAccount = orders.account(maker);
    const isSelf = taker.account === makerAccount;
    settleSide(takerFee, book, sideOfTaker(state, taker, lots), price, isSelf);
    settleSide(makerFee, book, sideOfMaker(state, taker, maker, lots), price, isSelf);
    const trade = emitTrade(book, taker, maker, { price, lots, quoteAmount, takerFee, makerFee });
    accrueRebates(book, trade);
    if (isSelf) return;
    emitPosition(state, taker.account, book.symbol);
    emitPosition(state, makerAccount, book.symbol);
  };
}
