import { assert } from '#base/assert.ts';
import type { OrderView } from '#model/order.ts';
import type { OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';

const noOrder = 0;
const leastRoom = 16;

/**
 * A participant's open orders in one pair, in columns, because makers scan them many times a second. Rows are in order
 * of acceptance; rows of closed orders stay empty until the next compaction.
 */
export class RestingOrders {
  /** Rows, empty ones included. */
  rows = 0;
  #count = 0;
  readonly #rowOf = new Map<OrderNumber, number>();
  #numbers = new Float64Array(leastRoom);
  #isBid = new Uint8Array(leastRoom);
  #prices = new Float64Array(leastRoom);
  /** Quantities left, in lots. */
  #rests = new Float64Array(leastRoom);
  #placedAt = new Float64Array(leastRoom);

  add({ order, side, price, quantity, executed, acceptedAt }: OrderView): void {
    assert(!this.#rowOf.has(order), 'an order is accepted once');
    if (this.rows === this.#numbers.length) this.#makeRoom();
    const row = this.rows;
    this.rows += 1;
    this.#count += 1;
    this.#rowOf.set(order, row);
    this.#numbers[row] = order;
    this.#isBid[row] = side === 'buy' ? 1 : 0;
    this.#prices[row] = price;
    this.#rests[row] = quantity - executed;
    this.#placedAt[row] = acceptedAt;
  }

  /** Nothing if the order is not here. */
  fill(order: OrderNumber, rest: number): void {
    const row = this.#rowOf.get(order);
    if (row !== undefined) this.#rests[row] = rest;
  }

  /** Nothing if the order is not here. */
  remove(order: OrderNumber): void {
    const row = this.#rowOf.get(order);
    if (row === undefined) return;
    this.#rowOf.delete(order);
    this.#numbers[row] = noOrder;
    this.#count -= 1;
    if (this.#count === 0) this.rows = 0;
  }

  clear(): void {
    this.#rowOf.clear();
    this.#count = 0;
    this.rows = 0;
  }

  /** The order of a row, `null` in an empty one. */
  orderAt(row: number): OrderNumber | null {
    const order = this.#numbers[row] as number;
    return order === noOrder ? null : as<OrderNumber>(order);
  }

  isBidAt(row: number): boolean {
    return this.#isBid[row] === 1;
  }

  priceAt(row: number): number {
    return this.#prices[row] as number;
  }

  restAt(row: number): number {
    return this.#rests[row] as number;
  }

  /** Orders accepted before a moment or after another; the latter happens once a clock was corrected backwards. */
  outside({ from, to }: { readonly from: number; readonly to: number }): OrderNumber[] {
    const found: OrderNumber[] = [];
    for (let row = 0; row < this.rows; row += 1) {
      const order = this.orderAt(row);
      const placedAt = this.#placedAt[row] as number;
      if (order !== null && (placedAt < from || placedAt > to)) found.push(order);
    }
    return found;
  }

  /** Removes empty rows, or grows the columns if that would free too few rows. */
  #makeRoom(): void {
    const room = this.#count * 2 > this.#numbers.length ? this.#numbers.length * 2 : this.#numbers.length;
    const [numbers, isBid, prices, rests, placedAt] = [
      this.#numbers,
      this.#isBid,
      this.#prices,
      this.#rests,
      this.#placedAt,
    ];
    if (room > numbers.length) {
      this.#numbers = new Float64Array(room);
      this.#isBid = new Uint8Array(room);
      this.#prices = new Float64Array(room);
      this.#rests = new Float64Array(room);
      this.#placedAt = new Float64Array(room);
    }
    let to = 0;
    for (let row = 0; row < this.rows; row += 1) {
      const order = numbers[row] as number;
      if (order === noOrder) continue;
      this.#numbers[to] = order;
      this.#isBid[to] = isBid[row] as number;
      this.#prices[to] = prices[row] as number;
      this.#rests[to] = rests[row] as number;
      this.#placedAt[to] = placedAt[row] as number;
      this.#rowOf.set(as<OrderNumber>(order), to);
      to += 1;
    }
    this.rows = to;
  }
}
