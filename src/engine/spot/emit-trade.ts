import type { Lots, PriceTicks, Quanta, TradeNumber } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { sideOfCode } from '#engine/book/side-code.ts';
import type { Commission } from '#engine/spot/commission.ts';
import type { Taker } from '#engine/spot/taker.ts';
import { TradeView } from '#engine/state/spot/trade-view.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What was traded, and the fees that both sides paid. */
export interface TradeTerms {
  readonly price: number;
  readonly lots: number;
  readonly quoteAmount: number;
  readonly takerFee: Commission;
  readonly makerFee: Commission;
}

/** Counts and emits the trade of a fill that is settled. The view that it answers is valid until the next trade. */
export type EmitTrade = (book: Book, taker: Taker, maker: number, terms: TradeTerms) => TradeView;

/** Creates the function for one engine. */
export function createEmitTrade(state: EngineState): EmitTrade {
  const { emit } = state;
  const { orders } = state.tables;
  const trade = new TradeView(orders);
  return (book, taker, maker, { price, lots, quoteAmount, takerFee, makerFee }) => {
    book.trades += 1;
    trade.symbol = book.symbol;
    trade.trade = book.trades as TradeNumber;
    trade.price = price as PriceTicks;
    trade.lots = lots as Lots;
    trade.quoteAmount = quoteAmount as Quanta;
    trade.takerSide = sideOfCode(taker.side);
    trade.taker = orders.number(taker.slot);
    trade.maker = orders.number(maker);
    trade.takerAccount = taker.account;
    trade.makerAccount = orders.account(maker);
    trade.fillOfTaker = taker.fills + 1;
    trade.takerFee = takerFee.amount as Quanta;
    trade.takerFeeAsset = takerFee.asset;
    trade.makerFee = makerFee.amount as Quanta;
    trade.makerFeeAsset = makerFee.asset;
    trade.takerSlot = taker.slot;
    trade.makerSlot = maker;
    emit.tradeExecuted(trade);
    return trade;
  };
}
