import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { type ClientOrderId, wordsOf } from '#domain/client-order-id.ts';
import { isIdFree } from '#engine/book/closed-orders.ts';
import { noOrder, type OrderTable } from '#engine/book/order-table.ts';

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
 * stands in its order's record.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  /** Slots of the orders. */
  private readonly index = new HashIndex();

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Slot of the order that an account's id stands for now, `noOrder` if there is none (any more). */
  lookup(account: number, id: ClientOrderId, now: number): number {
    const { index } = this;
    const hash = hashOf(account, id);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const slot = index.reference(at);
      if (this.orders.hasId(slot, account, id) && this.isKept(slot, now)) return slot;
    }
    return noOrder;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, id: ClientOrderId): void {
    assert(id.length > 0, 'an order has a client id that is one');
    this.orders.writeId(slot, id, hashOf(this.orders.account(slot), id));
  }

  /** Enters the id in the record of an order; it is not in use. */
  insert(slot: number): void {
    this.index.insert(this.orders.idHash(slot), slot);
  }

  /** Takes out the id in the record of an order. */
  remove(slot: number): void {
    this.index.remove(this.orders.idHash(slot), slot);
  }

  private isKept(slot: number, now: number): boolean {
    return !this.orders.isClosed(slot) || !isIdFree(this.orders.updatedAt(slot), now);
  }
}

function hashOf(account: number, id: ClientOrderId): number {
  const { words } = id;
  const end = wordsOf(id.length);
  let hash = Math.imul(account, 0x9e3779b1) ^ id.length;
  for (let at = 0; at < end; at += 1) {
    const product = Math.imul(hash ^ words[at]!, 0x85ebca6b);
    hash = product ^ (product >>> 15);
  }
  return hash;
}
