import type { AssetId, Lots, PriceTicks, Quanta, TradeNumber } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { createCommissions, type Commission } from '#engine/matching/commission.ts';
import type { Taker } from '#engine/matching/taker.ts';
import { TradeView } from '#engine/matching/trade-view.ts';
import type { EngineState } from '#engine/state.ts';

/** The money of one fill of `lots` at the maker's price, and the event that tells of the trade. */
export type SettleFill = (book: Book, maker: number, price: number, lots: number, quoteAmount: number) => void;

const noCommission = (): Commission => ({ amount: 0, asset: 0 as AssetId, row: 0 });

/**
 * Settles the fills of one engine and its taker: all that both sides pay and receive, then the taker's commission, then
 * the maker's. A commission is judged when everything before it has been posted, so it never takes money that the fill
 * itself needs.
 */
export function createSettlement(state: EngineState, taker: Taker): SettleFill {
  const { ledger, emit } = state;
  const { orders } = state.tables;
  const { ownCommission, commissionOf, payCommission } = createCommissions(state, taker);
  const trade = new TradeView();
  const takerFee = noCommission();
  const makerFee = noCommission();

  /** Everything but commissions. */
  function exchange(book: Book, maker: number, price: number, lots: number, quoteAmount: number): void {
    const takerNumber = orders.number(taker.slot);
    const makerNumber = orders.number(maker);
    const baseAmount = lots * book.basePerLot;
    const takerGives = taker.side === 0 ? quoteAmount : baseAmount;
    const takerGets = taker.side === 0 ? baseAmount : quoteAmount;
    if (taker.hold !== noHold) ledger.payFromHold(taker.hold, takerGives, 'fill');
    else ledger.post(taker.givesRow, -takerGives, 'fill', takerNumber);
    if (taker.toGive > 0) taker.toGive -= takerGives;
    ledger.post(orders.gets(taker.slot), takerGets, 'fill', takerNumber);
    if (taker.hold !== noHold && taker.side === 0 && price < taker.limit) {
      ledger.release(taker.hold, (taker.limit - price) * lots * book.quotePerTickLot, 'surplusRelease');
    }
    ledger.payFromHold(orders.hold(maker), takerGets, 'fill');
    ledger.post(orders.gets(maker), takerGives, 'fill', makerNumber);
  }

  function tellTrade(book: Book, maker: number, price: number, lots: number, quoteAmount: number): void {
    book.trades += 1;
    trade.symbol = book.symbol;
    trade.trade = book.trades as TradeNumber;
    trade.price = price as PriceTicks;
    trade.lots = lots as Lots;
    trade.quoteAmount = quoteAmount as Quanta;
    trade.takerSide = taker.side === 0 ? 'buy' : 'sell';
    trade.taker = orders.number(taker.slot);
    trade.maker = orders.number(maker);
    trade.takerAccount = taker.account;
    trade.makerAccount = orders.account(maker);
    trade.fillOfTaker = taker.fills + 1;
    trade.takerFee = takerFee.amount as Quanta;
    trade.takerFeeAsset = takerFee.asset;
    trade.makerFee = makerFee.amount as Quanta;
    trade.makerFeeAsset = makerFee.asset;
    trade.takerView = state.takerView.at(taker.slot);
    trade.makerView = state.makerView.at(maker);
    emit.tradeExecuted(trade);
  }

  return (book, maker, price, lots, quoteAmount) => {
    const isBuy = taker.side === 0;
    const baseAmount = lots * book.basePerLot;
    exchange(book, maker, price, lots, quoteAmount);
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
    // Of a self trade the maker receives where the taker gives from: its commission must stay there.
    const isSelf = makerSide.gets === taker.givesRow;
    commissionOf(takerFee, book, takerSide, taker.toGive + (isSelf ? ownCommission(book, makerSide) : 0));
    payCommission(takerFee, orders.number(taker.slot));
    commissionOf(makerFee, book, makerSide, taker.toGive);
    payCommission(makerFee, orders.number(maker));
    tellTrade(book, maker, price, lots, quoteAmount);
  };
}
