import type { AssetId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { buySide } from '#engine/book/side-code.ts';
import { createCommissions, type Commission } from '#engine/spot/commission.ts';
import { countVolume } from '#engine/spot/count-volume.ts';
import type { EmitTrade } from '#engine/spot/emit-trade.ts';
import type { Taker } from '#engine/spot/taker.ts';
import type { AccrueRebates } from '#engine/rebates/accrue-rebates.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Settles one fill of `lots` at the maker's price: posts what both sides pay and receive, and emits the trade. */
export type SettleFill = (
  book: Book,
  taker: Taker,
  maker: number,
  price: number,
  lots: number,
  quoteAmount: number,
) => void;

const noCommission = (): Commission => ({ amount: 0, asset: 0 as AssetId, row: 0 });

/**
 * Creates the settlement of fills of one engine. Posts all that both sides pay and receive, then the taker's fee, then
 * the maker's. A fee is computed after everything before it is posted, so it never takes money that the fill itself
 * needs. The trade comes last, so that rebates are of fees that are paid.
 */
export function createSettleFill(state: EngineState, emitTrade: EmitTrade, accrueRebates: AccrueRebates): SettleFill {
  const { ledger } = state;
  const { orders } = state.tables;
  const { ownCommission, commissionOf, payCommission } = createCommissions(state);
  const takerFee = noCommission();
  const makerFee = noCommission();

  /** Everything but fees. Of a buy below its limit price, the surplus is released from its hold (hold release). */
  const exchange: SettleFill = (book, taker, maker, price, lots, quoteAmount) => {
    const takerNumber = orders.number(taker.slot);
    const makerNumber = orders.number(maker);
    const baseAmount = lots * book.basePerLot;
    const takerGives = taker.side === buySide ? quoteAmount : baseAmount;
    const takerGets = taker.side === buySide ? baseAmount : quoteAmount;
    if (taker.hold !== noHold) ledger.payFromHold(taker.hold, takerGives, 'fill');
    else ledger.post(taker.givesRow, -takerGives, 'fill', takerNumber);
    if (taker.neededByFills > 0) taker.neededByFills -= takerGives;
    ledger.post(orders.gets(taker.slot), takerGets, 'fill', takerNumber);
    if (taker.hold !== noHold && taker.side === buySide && price < taker.limit) {
      ledger.release(taker.hold, (taker.limit - price) * lots * book.quotePerTickLot, 'surplusRelease');
    }
    ledger.payFromHold(orders.hold(maker), takerGets, 'fill');
    ledger.post(orders.gets(maker), takerGives, 'fill', makerNumber);
  };

  return (book, taker, maker, price, lots, quoteAmount) => {
    const isBuy = taker.side === buySide;
    const baseAmount = lots * book.basePerLot;
    exchange(book, taker, maker, price, lots, quoteAmount);
    const takerSide = {
      account: taker.account,
      gets: orders.gets(taker.slot),
      received: isBuy ? baseAmount : quoteAmount,
      isMaker: false,
    };
    const makerSide = {
      account: orders.account(maker),
      gets: orders.gets(maker),
      received: isBuy ? quoteAmount : baseAmount,
      isMaker: true,
    };
    // In a self-trade the maker receives into the row that the taker pays from: the maker's fee must stay there.
    const isSelf = makerSide.gets === taker.givesRow;
    const fromMaker = isSelf ? ownCommission(book, makerSide) : 0;
    commissionOf(takerFee, book, takerSide, { row: taker.givesRow, amount: taker.neededByFills + fromMaker });
    payCommission(takerFee, orders.number(taker.slot));
    commissionOf(makerFee, book, makerSide, { row: taker.givesRow, amount: taker.neededByFills });
    payCommission(makerFee, orders.number(maker));
    const trade = emitTrade(book, taker, maker, { price, lots, quoteAmount, takerFee, makerFee });
    countVolume(state, book, trade);
    accrueRebates(book, trade);
  };
}
