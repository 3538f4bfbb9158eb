import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { engineLimits } from '#model/limits.ts';
import type { OrderTable } from '#engine/book/order-table.ts';

/** When an order closes, this many expired ones are removed, so that their list shrinks. */
export const expiredAtOnce = 2;
/** The list is stored in blocks of this many orders; a block is reused once all orders in it are removed. */
const blockShift = 12;
const blockSize = 1 << blockShift;
/** Blocks in use at most. */
const blocksMax = 1 << 13;

/** Whether the client order id of an order closed at `closedAt` has expired and may be used again. DEC-REQ-26. */
export const isClientIdExpired = (closedAt: number, now: number): boolean =>
  closedAt + engineLimits.clientOrderIdKeptMs < now;

/**
 * Closed orders whose client order ids are kept for retries, by slot, in the order in which they closed. Each has a
 * turn, a running number. An order keeps its slot until it is removed from here.
 */
export class ClosedOrders {
  /** Turn of the earliest order, and of the next one to be added. */
  earliest = 0;
  end = 0;
  private readonly orders: OrderTable;
  private readonly slots = new GrowableBuffer();
  /** Block of each `blockSize` consecutive turns, by their number modulo `blocksMax`. */
  private readonly blocks = new Int32Array(blocksMax);
  private blocksUsed = 0;
  private readonly freeBlocks: number[] = [];

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Number of orders in the list. */
  get count(): number {
    return this.end - this.earliest;
  }

  /** Slot of the order with this turn. */
  slot(turn: number): number {
    return this.slots.words[this.place(turn)]!;
  }

  /** Whether the client order ids of the `count` earliest orders have expired. */
  areExpired(count: number, now: number): boolean {
    return this.isExpired(this.earliest + count - 1, now);
  }

  /** Whether the order with this turn exists and its client order id has expired. */
  isExpired(turn: number, now: number): boolean {
    if (turn >= this.end) return false;
    return isClientIdExpired(this.orders.updatedAt(this.slot(turn)), now);
  }

  /** Adds an order that just closed. */
  add(slot: number): void {
    const turn = this.end;
    if ((turn & (blockSize - 1)) === 0) this.blocks[blockIndex(turn)] = this.allocateBlock();
    this.end += 1;
    this.slots.words[this.place(turn)] = slot;
  }

  /** Removes the `expiredAtOnce` earliest orders and releases their slots. */
  removeEarliest(): void {
    const block = this.blocks[blockIndex(this.earliest)]!;
    for (let at = 0; at < expiredAtOnce; at += 1) this.orders.release(this.slot(this.earliest + at));
    this.earliest += expiredAtOnce;
    if ((this.earliest & (blockSize - 1)) === 0) this.freeBlocks.push(block);
  }

  /** Slots of the orders whose client order ids have not expired, the earliest closed first. */
  kept(now: number): number[] {
    const slots: number[] = [];
    for (let turn = this.earliest; turn < this.end; turn += 1)
      if (!this.isExpired(turn, now)) slots.push(this.slot(turn));
    return slots;
  }

  private place(turn: number): number {
    return (this.blocks[blockIndex(turn)]! << blockShift) | (turn & (blockSize - 1));
  }

  private allocateBlock(): number {
    const reused = this.freeBlocks.pop();
    if (reused !== undefined) return reused;
    assert(this.blocksUsed < blocksMax, 'closed orders stay below their bound');
    this.blocksUsed += 1;
    if (this.blocksUsed << blockShift > this.slots.words.length) this.slots.grow();
    return this.blocksUsed - 1;
  }
}

/** Index in `blocks` of the block of a turn. */
const blockIndex = (turn: number): number => Math.floor(turn / blockSize) & (blocksMax - 1);
