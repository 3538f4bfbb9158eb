import type { Trade } from '#model/events.ts';
import type { AccountId, AssetId, Lots, OrderNumber, PriceTicks, Quanta, TradeNumber } from '#model/units.ts';
import type { OrderTable } from '#engine/book/order-table.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The trade that event sinks read: one object, reused for every trade and valid during the call only. Client order ids
 * are read from the records on access.
 */
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
  /** Slots of the orders. */
  takerSlot = 0;
  makerSlot = 0;
  private readonly orders: OrderTable;

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  get takerClientOrderId(): string | null {
    return this.orders.clientOrderId(this.takerSlot);
  }
  get makerClientOrderId(): string | null {
    return this.orders.clientOrderId(this.makerSlot);
  }
}
