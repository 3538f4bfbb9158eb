import { assert } from '#base/assert.ts';
import { Room } from '#base/room.ts';
import { engineLimits } from '#domain/limits.ts';
import type { OrderTable } from '#engine/book/order-table.ts';

/** So many closed orders are forgotten together when one more closes: their list shrinks once time has passed. */
export const forgottenAtOnce = 2;
/** The list lies in blocks of this many, which are used again once all that is in them is forgotten. */
const blockShift = 12;
const blockSize = 1 << blockShift;
/** Blocks in use at most. */
const blocksMax = 1 << 13;

/** Whether an order that closed then has lost its client id by now. DEC-REQ-26. */
export const isIdFree = (closedAt: number, now: number): boolean => closedAt + engineLimits.clientOrderIdKeptMs < now;

/**
 * Closed orders whose client ids are still kept, by slot, in the order in which they closed: they are added in front
 * and forgotten from behind. Each has a turn, a running number. Until it is forgotten an order keeps its slot.
 */
export class ClosedOrders {
  /** Turns of the earliest order and of the next one to come. */
  earliest = 0;
  end = 0;
  private readonly orders: OrderTable;
  private readonly slots = new Room();
  /** The block of each `blockSize` turns in a row, by their number modulo `blocksMax`. */
  private readonly blocks = new Int32Array(blocksMax);
  private blocksUsed = 0;
  private readonly freeBlocks: number[] = [];

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Orders that are kept. */
  get count(): number {
    return this.end - this.earliest;
  }

  /** Slot of an order that is kept. */
  slot(turn: number): number {
    return this.slots.words[this.place(turn)]!;
  }

  /** Notes the records of the `count` earliest orders: forgetting them reads them, and new orders take their slots. */
  note(count: number): void {
    const end = Math.min(this.earliest + count, this.end);
    for (let turn = this.earliest; turn < end; turn += 1) this.orders.note(this.slot(turn));
  }

  /** Whether so many orders, the earliest ones, have lost their client ids. */
  areOver(count: number, now: number): boolean {
    return this.isOver(this.earliest + count - 1, now);
  }

  /** Whether there is an order with this turn, which is not before the earliest, and it has lost its client id. */
  isOver(turn: number, now: number): boolean {
    if (turn >= this.end) return false;
    return isIdFree(this.orders.updatedAt(this.slot(turn)), now);
  }

  /** Adds an order that just closed. */
  add(slot: number): void {
    const turn = this.end;
    if ((turn & (blockSize - 1)) === 0) this.blocks[blockOrder(turn)] = this.takeBlock();
    this.end += 1;
    this.slots.words[this.place(turn)] = slot;
  }

  /** Forgets the earliest orders, `forgottenAtOnce` of them, and gives their slots back. */
  forgetEarliest(): void {
    const block = this.blocks[blockOrder(this.earliest)]!;
    for (let at = 0; at < forgottenAtOnce; at += 1) this.orders.give(this.slot(this.earliest + at));
    this.earliest += forgottenAtOnce;
    if ((this.earliest & (blockSize - 1)) === 0) this.freeBlocks.push(block);
  }

  /** Slots of the orders whose ids are kept now, the earliest closed first. */
  kept(now: number): number[] {
    const slots: number[] = [];
    for (let turn = this.earliest; turn < this.end; turn += 1) if (!this.isOver(turn, now)) slots.push(this.slot(turn));
    return slots;
  }

  private place(turn: number): number {
    return (this.blocks[blockOrder(turn)]! << blockShift) | (turn & (blockSize - 1));
  }

  private takeBlock(): number {
    const reused = this.freeBlocks.pop();
    if (reused !== undefined) return reused;
    assert(this.blocksUsed < blocksMax, 'closed orders stay below their bound');
    this.blocksUsed += 1;
    if (this.blocksUsed << blockShift > this.slots.words.length) this.slots.grow();
    return this.blocksUsed - 1;
  }
}

/** Where the block of a turn is noted. */
const blockOrder = (turn: number): number => Math.floor(turn / blockSize) & (blocksMax - 1);
