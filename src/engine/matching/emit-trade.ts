import type { Lots, PriceTicks, Quanta, TradeNumber } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { sideOfCode } from '#engine/book/side-code.ts';
import type { Commission } from '#engine/matching/commission.ts';
import type { Taker } from '#engine/matching/taker.ts';
import type { TradeView } from '#engine/matching/trade-view.ts';
import type { EngineState } from '#engine/state.ts';

/** What was traded, and the fees that both sides paid. */
export interface TradeTerms {
  readonly price: number;
  readonly lots: number;
  readonly quoteAmount: number;
  readonly takerFee: Commission;
  readonly makerFee: Commission;
}

/** Counts the trade of a fill that is settled, and emits it. */
export type EmitTrade = (book: Book, taker: Taker, maker: number, terms: TradeTerms) => void;

/** Creates the function for one engine; `trade` is the view that it fills. */
export function createEmitTrade({ emit, tables }: EngineState, trade: TradeView): EmitTrade {
  const { orders } = tables;
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
  };
}
