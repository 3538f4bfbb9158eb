import {
  closeReasons,
  orderKinds,
  statusOf,
  stpModes,
  type CloseReason,
  type OrderKind,
  type OrderStatus,
  type OrderView,
  type Side,
  type StpMode,
} from '#model/order.ts';
import type { AccountId, Lots, OrderNumber, PriceTicks, Quanta, SymbolId, TimestampMs } from '#model/units.ts';
import { isByBudgetFlags, kindOfFlags, reasonOfFlags, sideOfFlags, stpOfFlags } from '#engine/book/order-flags.ts';
import type { OrderTable } from '#engine/book/order-table.ts';
import { sideOfCode } from '#engine/book/side-code.ts';

/** A view of one record as the order that its owner sees. Moving it to another record costs nothing. */
export class OrderCursor implements OrderView {
  private readonly orders: OrderTable;
  private slot = 0;

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Points at an order. */
  at(slot: number): this {
    this.slot = slot;
    return this;
  }

  get order(): OrderNumber {
    return this.orders.number(this.slot);
  }
  get account(): AccountId {
    return this.orders.account(this.slot);
  }
  get symbol(): SymbolId {
    return this.orders.symbol(this.slot);
  }
  get side(): Side {
    return sideOfCode(sideOfFlags(this.flags));
  }
  get kind(): OrderKind {
    return orderKinds[kindOfFlags(this.flags)]!;
  }
  get stpMode(): StpMode {
    return stpModes[stpOfFlags(this.flags)]!;
  }
  get price(): PriceTicks {
    return this.orders.price(this.slot) as PriceTicks;
  }
  /** Quantity of the request; 0 for an order by quote amount. */
  get askedQuantity(): Lots {
    return this.orders.quantity(this.slot) as Lots;
  }
  /**
   * Quantity of the request; for an order by quote amount the executed quantity, because it has no quantity of its own.
   */
  get quantity(): Lots {
    return (this.isByBudget ? this.executed : this.orders.quantity(this.slot)) as Lots;
  }
  get budget(): Quanta | null {
    return this.isByBudget ? (this.orders.budget(this.slot) as Quanta) : null;
  }
  get executed(): Lots {
    return this.orders.executed(this.slot) as Lots;
  }
  get executedQuote(): Quanta {
    return this.orders.executedQuote(this.slot) as Quanta;
  }
  get clientOrderId(): string | null {
    return this.orders.clientOrderId(this.slot);
  }
  get closeReason(): CloseReason | null {
    const reason = reasonOfFlags(this.flags);
    return reason === 0 ? null : closeReasons[reason - 1]!;
  }
  get status(): OrderStatus {
    return statusOf(this.executed, this.closeReason);
  }
  get acceptedAt(): TimestampMs {
    return this.orders.acceptedAt(this.slot) as TimestampMs;
  }
  get updatedAt(): TimestampMs {
    return this.orders.updatedAt(this.slot) as TimestampMs;
  }
  get isByBudget(): boolean {
    return isByBudgetFlags(this.flags);
  }

  private get flags(): number {
    return this.orders.flags(this.slot);
  }
}
