import type { PostingKind } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { OrderView, Side } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Amount } from '#model/units.ts';

const slots = 1 << 17;
const mask = slots - 1;
/** A record that begins at the very end still finds room. */
const overhang = 2;

/** Writes every event's numbers into a ring of one megabyte, as a sink that feeds other threads would. */
export class RingSink implements EventSink {
  readonly ring = new Float64Array(slots + overhang);
  at = 0;
  trades = 0;
  lots = 0;
  refused = 0;
  accruals = 0;

  entryBegan(seq: number, at: number): void {
    this.#put(1, seq, at, 0);
  }
  orderAccepted(order: OrderView): void {
    this.#put(2, order.order, order.price, order.quantity);
    this.#put(order.account, order.symbol, order.acceptedAt, order.side === 'buy' ? 0 : 1);
  }
  orderRepeated(order: OrderView): void {
    this.refused += 1;
    this.#put(3, order.order, order.price, order.quantity);
  }
  orderRefused(account: number, symbol: number, _reason: RejectReason): void {
    this.refused += 1;
    this.#put(4, account, symbol, 0);
  }
  cancelRefused(account: number, symbol: number, _reason: RejectReason): void {
    this.refused += 1;
    this.#put(5, account, symbol, 0);
  }
  tradeExecuted(trade: Trade): void {
    this.trades += 1;
    this.lots += trade.lots;
    this.#put(6, trade.trade, trade.price, trade.lots);
    this.#put(trade.maker, trade.taker, trade.makerFee, trade.takerFee);
  }
  rebateAccrued(accrual: RebateAccrual): void {
    const { amounts } = accrual;
    this.accruals += 1;
    this.#put(12, accrual.source, accrual.asset, accrual.commission);
    this.#put(amounts[0]!, amounts[1]!, amounts[2]!, amounts[3]!);
  }
  positionChanged(position: PositionView): void {
    this.#put(13, position.account, position.contract, position.lots);
    this.#put(Number(position.cost), Number(position.margin), Number(position.realised), position.leverage);
  }
  orderFilled(order: OrderView, lots: number, price: number): void {
    this.#put(7, order.order, lots, price);
    this.#put(order.executed, order.executedQuote, order.account, order.symbol);
  }
  orderClosed(order: OrderView): void {
    this.#put(8, order.order, order.executed, order.executedQuote);
  }
  levelChanged(symbol: number, version: number, side: Side, price: number, lots: number): void {
    this.#put(9, symbol, version, side === 'buy' ? price : -price);
    this.#putTwo(lots, 0);
  }
  posted(
    account: number,
    asset: number,
    free: Amount,
    held: Amount,
    _why: PostingKind,
    order: number | null,
    balance: Amount,
  ): void {
    this.#put(10, account, asset, order ?? 0);
    this.#put(Number(free), Number(held), Number(balance), 0);
  }
  fact(_fact: Fact): void {
    this.#put(11, 0, 0, 0);
  }

  #putTwo(first: number, second: number): void {
    const { ring } = this;
    const at = this.at & mask;
    ring[at] = first;
    ring[at | 1] = second;
    this.at = at + 2;
  }

  #put(first: number, second: number, third: number, fourth: number): void {
    const { ring } = this;
    const at = this.at & mask;
    ring[at] = first;
    ring[at + 1] = second;
    ring[at + 2] = third;
    ring[at + 3] = fourth;
    this.at = at + 4;
  }
}
