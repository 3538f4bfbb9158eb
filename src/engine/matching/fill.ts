import { assert } from '#base/assert.ts';
import type { Trade } from '#domain/events.ts';
import type {
  AccountId,
  AssetId,
  BookVersion,
  Lots,
  OrderNumber,
  PriceTicks,
  Quanta,
  TradeNumber,
} from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { doublesShift, orderDouble, orderWord, wordsShift, type OrderCursor } from '#engine/book/order-table.ts';
import { createCommissions } from '#engine/matching/commission.ts';
import type { Closing } from '#engine/matching/close-order.ts';
import type { Taker } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The trade lent to sinks; client ids are read from the records only when somebody looks. */
class LentTrade implements Mutable<Trade> {
  symbol = 0 as Trade['symbol'];
  trade = 0 as TradeNumber;
  price = 0 as PriceTicks;
  lots = 0 as Lots;
  quoteAmount = 0 as Quanta;
  takerSide: Trade['takerSide'] = 'buy';
  taker = 0 as OrderNumber;
  maker = 0 as OrderNumber;
  takerAccount = 0 as AccountId;
  makerAccount = 0 as AccountId;
  fillOfTaker = 0;
  takerFee = 0 as Quanta;
  takerFeeAsset = 0 as AssetId;
  makerFee = 0 as Quanta;
  makerFeeAsset = 0 as AssetId;
  takerView: OrderCursor | null = null;
  makerView: OrderCursor | null = null;

  get takerClientOrderId(): string | null {
    return this.takerView!.clientOrderId;
  }
  get makerClientOrderId(): string | null {
    return this.makerView!.clientOrderId;
  }
}
/**
 * One match of `lots` at the maker's price: trade, postings of taker, maker and house, then the orders' new state, the
 * maker's close if it is done, and the level. The lots exist on both sides.
 */
export type ExecuteFill = (book: Book, maker: number, level: number, lots: number) => void;

/** Fills for one engine and its taker. */
export function createExecuteFill(state: EngineState, taker: Taker, closeOrder: Closing['closeOrder']): ExecuteFill {
  const { emit, tables, takerView, makerView } = state;
  const { orders, levels } = tables;
  const settle = createSettle(state, taker);

  /** Counts the fill on the taker and in its record. */
  function advanceTaker(lots: number, quoteAmount: number, price: number): void {
    const { doubles } = orders;
    const double = taker.slot << doublesShift;
    taker.fills += 1;
    taker.executed += lots;
    taker.executedQuote += quoteAmount;
    taker.lastFillPrice = price;
    if (taker.byBudget) taker.budget -= quoteAmount;
    else taker.open -= lots;
    doubles[double | orderDouble.open] = taker.byBudget ? taker.executed : taker.open;
    doubles[double | orderDouble.executedQuote] = taker.executedQuote;
    doubles[double | orderDouble.updatedAt] = state.at;
  }

  return (book, maker, level, lots) => {
    const price = levels.price(level);
    const quoteAmount = price * lots * book.quotePerTickLot;
    assert(lots > 0 && Number.isSafeInteger(quoteAmount), 'a fill has a size and an exact amount');
    assert(taker.side === 0 ? price <= taker.limit : price >= taker.limit, 'a taker never trades beyond its limit');

    settle(book, maker, price, lots, quoteAmount);
    advanceTaker(lots, quoteAmount, price);
    const double = maker << doublesShift;
    const makerOpen = orders.doubles[double | orderDouble.open]! - lots;
    orders.doubles[double | orderDouble.executedQuote]! += quoteAmount;
    orders.doubles[double | orderDouble.updatedAt] = state.at;
    book.lastPrice = price;

    emit.orderFilled(takerView, lots as Lots, price as PriceTicks);
    let left: number;
    if (makerOpen === 0) {
      left = tables.dequeue(book, taker.side ^ 1, maker);
      orders.doubles[double | orderDouble.open] = 0;
      emit.orderFilled(makerView, lots as Lots, price as PriceTicks);
      closeOrder(maker, 'filled', makerView);
    } else {
      left = levels.addLots(level, -lots);
      orders.doubles[double | orderDouble.open] = makerOpen;
      emit.orderFilled(makerView, lots as Lots, price as PriceTicks);
    }
    book.version += 1;
    emit.levelChanged(
      book.symbol,
      book.version as BookVersion,
      taker.side === 0 ? 'sell' : 'buy',
      price as PriceTicks,
      left as Lots,
    );
  };
}

/** The money of a fill, and the event that tells of it. */
function createSettle(
  state: EngineState,
  taker: Taker,
): (book: Book, maker: number, price: number, lots: number, quoteAmount: number) => void {
  const { ledger, emit } = state;
  const { orders } = state.tables;
  const { commissionOf, payCommission, bookCommission } = createCommissions(state);
  const trade = new LentTrade();

  return (book, maker, price, lots, quoteAmount) => {
    const { words, doubles } = orders;
    const takerWord = taker.slot << wordsShift;
    const makerWord = maker << wordsShift;
    const takerNumber = doubles[taker.slot << doublesShift]! as OrderNumber;
    const makerNumber = doubles[maker << doublesShift]! as OrderNumber;
    const makerAccount = words[makerWord | orderWord.account]! as AccountId;
    const baseAmount = lots * book.basePerLot;
    const takerGives = taker.side === 0 ? quoteAmount : baseAmount;
    const takerGets = taker.side === 0 ? baseAmount : quoteAmount;
    const takerRow = words[takerWord | orderWord.gets]!;
    const makerRow = words[makerWord | orderWord.gets]!;

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
    trade.takerSide = taker.side === 0 ? 'buy' : 'sell';
    trade.taker = takerNumber;
    trade.maker = makerNumber;
    trade.takerAccount = taker.account;
    trade.makerAccount = makerAccount;
    trade.fillOfTaker = taker.fills + 1;
    trade.takerFee = takerFeeAmount as Quanta;
    trade.takerFeeAsset = takerFeeAsset;
    trade.makerFee = makerFeeAmount as Quanta;
    trade.makerFeeAsset = makerFeeAsset;
    trade.takerView = state.takerView.at(taker.slot);
    trade.makerView = state.makerView.at(maker);
    emit.tradeExecuted(trade);

    if (taker.hasHold) ledger.payFromHold(taker.slot, takerGives, takerNumber);
    else ledger.post(words[takerWord | orderWord.gives]!, -takerGives, 'fill', takerNumber);
    ledger.post(takerRow, takerGets, 'fill', takerNumber);
    payCommission(takerFeeRow, takerFeeAmount, takerNumber);
    if (taker.hasHold && taker.side === 0 && price < taker.limit) {
      ledger.release(taker.slot, (taker.limit - price) * lots * book.quotePerTickLot, 'surplusRelease', takerNumber);
    }
    ledger.payFromHold(maker, takerGets, makerNumber);
    ledger.post(makerRow, takerGives, 'fill', makerNumber);
    payCommission(makerFeeRow, makerFeeAmount, makerNumber);
    bookCommission(takerFeeAsset, takerFeeAmount, takerNumber);
    bookCommission(makerFeeAsset, makerFeeAmount, makerNumber);
  };
}
