import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { type ClientOrderId, wordsOf } from '#model/client-order-id.ts';
import { isClientIdExpired } from '#engine/book/closed-orders.ts';
import { noOrder, type OrderTable } from '#engine/book/order-table.ts';

/**
 * Client order ids in use, by account: those of open orders, and of closed orders for as long as a retry may come
 * (client-order-id idempotency). The id itself is stored in the record of its order.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  /** Slots of the orders. */
  private readonly index = new HashIndex();

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Slot of the order that has this client order id now, `noOrder` if there is none, or its id has expired. */
  lookup(account: number, id: ClientOrderId, now: number): number {
    const { index } = this;
    const hash = hashOf(account, id);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const slot = index.reference(at);
      if (this.orders.hasId(slot, account, id) && this.isKept(slot, now)) return slot;
    }
    return noOrder;
  }

  /** Writes the id into a record whose account and flags are set. */
  write(slot: number, id: ClientOrderId): void {
    assert(id.length > 0, 'an order has a client id that is one');
    this.orders.writeId(slot, id, hashOf(this.orders.account(slot), id));
  }

  /** Adds the id in the record of an order to the index; it must not be in use. */
  insert(slot: number): void {
    this.index.insert(this.orders.idHash(slot), slot);
  }

  /** Removes the id in the record of an order from the index. */
  remove(slot: number): void {
    this.index.remove(this.orders.idHash(slot), slot);
  }

  private isKept(slot: number, now: number): boolean {
    return !this.orders.isClosed(slot) || !isClientIdExpired(this.orders.updatedAt(slot), now);
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
