import type { PostingKind } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { OrderView, Side } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { RejectReason } from '#model/rejection.ts';
import type {
  AccountId,
  Amount,
  AssetId,
  BookVersion,
  Lots,
  OrderNumber,
  PriceTicks,
  Seq,
  SymbolId,
  TimestampMs,
} from '#model/units.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';

/** Hands each event to every subscriber, in the order of their subscription. */
export class FanOut implements EventSink, EventFeed {
  private sinks: readonly EventSink[] = [];

  subscribe(sink: EventSink): () => void {
    this.sinks = [...this.sinks, sink];
    return () => {
      this.sinks = this.sinks.filter((other) => other !== sink);
    };
  }

  entryBegan(seq: Seq, at: TimestampMs): void {
    for (const sink of this.sinks) sink.entryBegan(seq, at);
  }
  orderAccepted(order: OrderView): void {
    for (const sink of this.sinks) sink.orderAccepted(order);
  }
  orderRepeated(order: OrderView): void {
    for (const sink of this.sinks) sink.orderRepeated(order);
  }
  orderRefused(account: AccountId, symbol: SymbolId, reason: RejectReason, clientOrderId: string | null): void {
    for (const sink of this.sinks) sink.orderRefused(account, symbol, reason, clientOrderId);
  }
  cancelRefused(account: AccountId, symbol: SymbolId, reason: RejectReason): void {
    for (const sink of this.sinks) sink.cancelRefused(account, symbol, reason);
  }
  tradeExecuted(trade: Trade): void {
    for (const sink of this.sinks) sink.tradeExecuted(trade);
  }
  rebateAccrued(accrual: RebateAccrual): void {
    for (const sink of this.sinks) sink.rebateAccrued(accrual);
  }
  positionChanged(position: PositionView): void {
    for (const sink of this.sinks) sink.positionChanged(position);
  }
  orderFilled(order: OrderView, lots: Lots, price: PriceTicks): void {
    for (const sink of this.sinks) sink.orderFilled(order, lots, price);
  }
  orderClosed(order: OrderView): void {
    for (const sink of this.sinks) sink.orderClosed(order);
  }
  levelChanged(symbol: SymbolId, version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    for (const sink of this.sinks) sink.levelChanged(symbol, version, side, price, lots);
  }
  posted(
    account: AccountId,
    asset: AssetId,
    free: Amount,
    held: Amount,
    why: PostingKind,
    order: OrderNumber | null,
  ): void {
    for (const sink of this.sinks) sink.posted(account, asset, free, held, why, order);
  }
  fact(fact: Fact): void {
    for (const sink of this.sinks) sink.fact(fact);
  }
}
