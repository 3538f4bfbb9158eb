import type { Lots, PriceTicks, Quanta, TradeNumber } from '#domain/units.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { buySide, sideOfCode } from '#engine/book/side-code.ts';
import { createCommissionsOfRules1 } from '#engine/matching/rules-1/commission.ts';
import type { SettleFill } from '#engine/matching/settle-fill.ts';
import { TradeView } from '#engine/matching/trade-view.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * Creates the settlement of rules version 1. It computes both token fees before the postings of the fill, so a token
 * fee could take money that the fill itself needs.
 */
export function createSettleFillOfRules1(state: EngineState): SettleFill {
  const { ledger, emit } = state;
  const { orders } = state.tables;
  const { commissionOf, payCommission, bookCommission } = createCommissionsOfRules1(state);
  const trade = new TradeView(orders);

  return (book, taker, maker, price, lots, quoteAmount) => {
    const takerNumber = orders.number(taker.slot);
    const makerNumber = orders.number(maker);
    const makerAccount = orders.account(maker);
    const baseAmount = lots * book.basePerLot;
    const takerGives = taker.side === buySide ? quoteAmount : baseAmount;
    const takerGets = taker.side === buySide ? baseAmount : quoteAmount;
    const takerRow = orders.gets(taker.slot);
    const makerRow = orders.gets(maker);

    const takerFee = commissionOf(book, taker.account, takerRow, takerGets, false);
    const { row: takerFeeRow, amount: takerFeeAmount, asset: takerFeeAsset } = takerFee;
    const makerFee = commissionOf(book, makerAccount, makerRow, takerGives, true);
    const { row: makerFeeRow, amount: makerFeeAmount, asset: makerFeeAsset } = makerFee;

    book.trades += 1;
    trade.symbol = book.symbol;
    trade.trade = book.trades as TradeNumber;
    trade.price = price as PriceTicks;
    trade.lots = lots as Lots;
    trade.quoteAmount = quoteAmount as Quanta;
    trade.takerSide = sideOfCode(taker.side);
    trade.taker = takerNumber;
    trade.maker = makerNumber;
    trade.takerAccount = taker.account;
    trade.makerAccount = makerAccount;
    trade.fillOfTaker = taker.fills + 1;
    trade.takerFee = takerFeeAmount as Quanta;
    trade.takerFeeAsset = takerFeeAsset;
    trade.makerFee = makerFeeAmount as Quanta;
    trade.makerFeeAsset = makerFeeAsset;
    trade.takerSlot = taker.slot;
    trade.makerSlot = maker;
    emit.tradeExecuted(trade);

    if (taker.hold !== noHold) ledger.payFromHold(taker.hold, takerGives, 'fill');
    else ledger.post(taker.givesRow, -takerGives, 'fill', takerNumber);
    ledger.post(takerRow, takerGets, 'fill', takerNumber);
    payCommission(takerFeeRow, takerFeeAmount, takerNumber);
    if (taker.hold !== noHold && taker.side === buySide && price < taker.limit) {
      ledger.release(taker.hold, (taker.limit - price) * lots * book.quotePerTickLot, 'surplusRelease');
    }
    ledger.payFromHold(orders.hold(maker), takerGets, 'fill');
    ledger.post(makerRow, takerGives, 'fill', makerNumber);
    payCommission(makerFeeRow, makerFeeAmount, makerNumber);
    bookCommission(takerFeeAsset, takerFeeAmount, takerNumber);
    bookCommission(makerFeeAsset, makerFeeAmount, makerNumber);
  };
}
