import type { PostingKind } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import { noopSink } from '#model/event-record.ts';
import type { Side } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import { type RejectReason, refusals } from '#model/rejection.ts';
import type {
  AccountId,
  Amount,
  AssetId,
  BookVersion,
  Digest,
  Lots,
  OrderNumber,
  PriceTicks,
  Seq,
  SymbolId,
  TimestampMs,
} from '#model/units.ts';
import { as } from '#model/units.ts';
import { OrderCursor } from '#engine/book/order-cursor.ts';
import type { OrderTable } from '#engine/book/order-table.ts';
import { canonicalText } from '#base/checksum.ts';

const perTwo32 = 1 / 4294967296;

/**
 * Emits events to the sink of the running command and folds each into a rolling 128-bit digest, so that two engines
 * whose events ever differed have different digests. Callers name orders by slot; sinks get a view.
 */
export class Emitter {
  sink: EventSink = noopSink;
  /** Why an order or a cancel was refused last, since whoever asks for it made it `null`. */
  orderRefusal: RejectReason | null = null;
  /** The view that sinks get; valid during the call only. */
  private readonly view: OrderCursor;
  private a = 0x6a09e667;
  private b = 0x3c6ef372;
  private c = 0x510e527f;
  private d = 0x1f83d9ab;

  constructor(orders: OrderTable) {
    this.view = new OrderCursor(orders);
  }

  entryBegan(seq: Seq, at: TimestampMs): void {
    this.mix(1, seq, at);
    this.sink.entryBegan(seq, at);
  }

  orderAccepted(slot: number): void {
    const order = this.view.at(slot);
    this.mix(2, order.order, order.account);
    this.mix(order.symbol, order.price, order.askedQuantity);
    this.sink.orderAccepted(order);
  }

  orderRepeated(slot: number): void {
    const order = this.view.at(slot);
    this.mix(3, order.order, order.account);
    this.sink.orderRepeated(order);
  }

  orderRefused(account: AccountId, symbol: SymbolId, reason: RejectReason, clientOrderId: string | null): void {
    this.mix(4, account, refusals[reason].number);
    this.orderRefusal = reason;
    this.sink.orderRefused(account, symbol, reason, clientOrderId);
  }

  cancelRefused(account: AccountId, symbol: SymbolId, reason: RejectReason): void {
    this.mix(5, account, refusals[reason].number);
    this.orderRefusal = reason;
    this.sink.cancelRefused(account, symbol, reason);
  }

  tradeExecuted(trade: Trade): void {
    this.mix(trade.price, trade.lots, trade.taker);
    this.mix(trade.maker, trade.takerFee, trade.makerFee);
    this.sink.tradeExecuted(trade);
  }

  rebateAccrued(accrual: RebateAccrual): void {
    const { amounts } = accrual;
    this.mix(accrual.accrual, accrual.source, accrual.commission);
    this.mix(amounts[0]!, amounts[1]!, amounts[2]! + amounts[3]! * 3);
    this.sink.rebateAccrued(accrual);
  }

  positionChanged(position: PositionView): void {
    this.mix(position.account, position.contract, position.lots);
    this.mix(this.near(position.cost), this.near(position.margin), this.near(position.realised));
    this.mix(position.leverage, position.mode === 'cross' ? 1 : 0, position.openedAt);
    this.sink.positionChanged(position);
  }

  orderFilled(slot: number, lots: Lots, price: PriceTicks): void {
    this.sink.orderFilled(this.view.at(slot), lots, price);
  }

  orderClosed(slot: number): void {
    const order = this.view.at(slot);
    this.mix(7, order.order, order.executed);
    this.sink.orderClosed(order);
  }

  levelChanged(symbol: SymbolId, version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    this.mix(version, price, lots);
    this.sink.levelChanged(symbol, version, side, price, lots);
  }

  posted(
    account: AccountId,
    asset: AssetId,
    free: Amount,
    held: Amount,
    why: PostingKind,
    order: OrderNumber | null,
    balance: Amount,
  ): void {
    if (order !== null && typeof free === 'number' && typeof held === 'number')
      this.mix(account * 4099 + asset, free, held);
    else this.text(canonicalText({ account, asset, free: BigInt(free), held: BigInt(held), why, order }));
    this.sink.posted(account, asset, free, held, why, order, balance);
  }

  fact(fact: Fact): void {
    this.text(canonicalText(fact));
    this.sink.fact(fact);
  }

  /** Digest of all events so far. */
  digest(): Digest {
    const word = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
    return as<Digest>(word(this.a) + word(this.b) + word(this.c) + word(this.d));
  }

  save(): readonly [number, number, number, number] {
    return [this.a, this.b, this.c, this.d];
  }

  load(state: readonly [number, number, number, number]): void {
    [this.a, this.b, this.c, this.d] = state;
  }

  /**
   * Folds three safe integers into the digest, low and high words separately. Every step is invertible, so one step
   * never maps two states to the same state.
   */
  private mix(x: number, y: number, z: number): void {
    // The three products are independent, so the processor computes them in parallel; the words rotate, so that each
    // input reaches every word.
    const a = Math.imul(this.a ^ x, 0x9e3779b1) ^ (x * perTwo32);
    const b = Math.imul(this.b ^ y, 0x85ebca77) ^ (y * perTwo32);
    const c = Math.imul(this.c ^ z, 0xc2b2ae3d) ^ (z * perTwo32);
    const d = this.d;
    this.a = (d ^ ((a << 13) | (a >>> 19))) | 0;
    this.b = a ^ (a >>> 15);
    this.c = (b + ((c << 7) | (c >>> 25))) | 0;
    this.d = (c ^ (b >>> 16)) | 0;
  }

  /** An amount for `mix`; one that is no safe integer is folded in whole besides. */
  private near(amount: bigint): number {
    const near = Number(amount);
    if (!Number.isSafeInteger(near)) this.text(String(amount));
    return near;
  }

  private text(text: string): void {
    this.mix(text.length, 0, 0);
    for (let index = 0; index < text.length; index += 3) {
      this.mix(text.charCodeAt(index), text.charCodeAt(index + 1) | 0, text.charCodeAt(index + 2) | 0);
    }
  }
}
