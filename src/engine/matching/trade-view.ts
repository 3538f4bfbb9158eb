import type { Trade } from '#domain/events.ts';
import type { AccountId, AssetId, Lots, OrderNumber, PriceTicks, Quanta, TradeNumber } from '#domain/units.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The trade that sinks are shown: one object for all; client ids are read from the records when somebody looks. */
export class TradeView implements Mutable<Trade> {
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
