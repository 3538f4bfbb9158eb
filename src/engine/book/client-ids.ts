import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { ClientOrderId, wordsOf } from '#domain/client-order-id.ts';
import { forgottenAtOnce, isIdFree, type ClosedOrders } from '#engine/book/closed-orders.ts';
import { noOrder, type OrderTable } from '#engine/book/order-table.ts';

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
 * stands in its order's record.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  /** Slots of the orders. */
  private readonly index = new HashIndex();
  /** The id that is looked for, whose it is, and its hash. */
  private wanted = new ClientOrderId();
  private wantedBy = 0;
  private wantedHash = 0;

  constructor(orders: OrderTable, closed: ClosedOrders) {
    this.orders = orders;
    this.closed = closed;
  }

  /** The order that an account's id stands for now, `noOrder` if there is none (any more). */
  find(account: number, id: ClientOrderId, now: number): number {
    if (id.length === 0) return noOrder;
    this.want(account, id);
    return this.findWanted(now);
  }

  /** Names the id to be looked for, which is one. */
  want(account: number, id: ClientOrderId): void {
    this.wanted = id;
    this.wantedBy = account;
    this.wantedHash = hashOf(account, id);
  }

  /** The order that the wanted id stands for now, `noOrder` if there is none (any more). */
  findWanted(now: number): number {
    const { index, wantedHash } = this;
    for (let at = index.first(wantedHash); at !== -1; at = index.next(at, wantedHash)) {
      const slot = index.reference(at);
      if (this.isWanted(slot, now)) return slot;
    }
    return noOrder;
  }

  /** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
  writeFound(slot: number): void {
    this.orders.writeId(slot, this.wanted, this.wantedHash);
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, id: ClientOrderId): void {
    assert(id.length > 0, 'an order has a client id that is one');
    this.want(this.orders.account(slot), id);
    this.writeFound(slot);
  }

  /** Enters the id in the record of an order that has its slot still; it is not in use. */
  add(slot: number): void {
    this.index.add(this.orders.idHash(slot), slot);
  }

  /** Takes out the ids of the earliest closed orders, `forgottenAtOnce` of them; their records are there still. */
  forgetClosed(): void {
    const { closed, index, orders } = this;
    for (let at = 0; at < forgottenAtOnce; at += 1) {
      const slot = closed.slot(closed.earliest + at);
      index.remove(orders.idHash(slot), slot);
    }
  }

  private isWanted(slot: number, now: number): boolean {
    const { orders } = this;
    if (!orders.hasId(slot, this.wantedBy, this.wanted)) return false;
    return !orders.isClosed(slot) || !isIdFree(orders.updatedAt(slot), now);
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
