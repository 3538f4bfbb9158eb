import { assert } from '#base/assert.ts';
import { Room } from '#base/room.ts';
import { engineLimits } from '#domain/limits.ts';
import { doublesShift, orderDouble, orderWord, wordsShift, type OrderTable } from '#engine/book/order-table.ts';

/** So many closed orders are forgotten together when one more closes: their list shrinks once time has passed. */
export const forgottenAtOnce = 8;
/** Records lie in blocks of this many, which are used again once all that is in them is forgotten. */
const blockShift = 12;
const blockSize = 1 << blockShift;
/** Blocks in use at most: as many as a room can come to hold. */
const blocksMax = 1 << 13;

/** Whether an order that closed then has lost its client id by now. decisions.md section 1, Client order ids. */
export const isIdFree = (closedAt: number, now: number): boolean => closedAt + engineLimits.clientOrderIdKeptMs < now;

/**
 * Closed orders whose client ids are still kept, in the order in which they closed: they are added in front and
 * forgotten from behind, and none of them ever moves. Each order has a turn, a running number. A record looks like that
 * of a live order, but behind `idHash` it means nothing.
 */
export class ClosedOrders {
  readonly records = new Room();
  /** Turns of the earliest order and of the next one to come. */
  earliest = 0;
  end = 0;
  /** The block of each `blockSize` turns in a row, by their number modulo `blocksMax`. */
  private readonly blocks = new Int32Array(blocksMax);
  private blocksUsed = 0;
  private readonly freeBlocks: number[] = [];

  /** Position of a record, whose turn may have been cut to 31 bits. */
  position(turn: number): number {
    return (this.blocks[blockOrder(turn)]! << blockShift) | (turn & (blockSize - 1));
  }

  /** Notes the records of the `count` earliest orders, and where the next ones to close are put. */
  note(count: number): void {
    for (let at = 0; at < count; at += 1) {
      const earliest = this.position(this.earliest + at) << wordsShift;
      const next = this.position(this.end + at) << wordsShift;
      this.records.note(earliest);
      this.records.note(earliest | 16);
      this.records.note(next);
      this.records.note(next | 16);
    }
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.records.readNoted();
  }

  /** Whether so many orders, the earliest ones, have lost their client ids. */
  areOver(count: number, now: number): boolean {
    return this.isOver(this.earliest + count - 1, now);
  }

  /** Whether a reference stands for an order that is kept, given those bits of its turn that a reference has. */
  isKept(turn: number): boolean {
    return ((turn - this.earliest) & 0x7fffffff) < this.end - this.earliest;
  }

  /** Copies the record of a closed order; answers its turn. */
  add(orders: OrderTable, slot: number): number {
    const turn = this.end;
    if ((turn & (blockSize - 1)) === 0) this.blocks[blockOrder(turn)] = this.takeBlock();
    this.end += 1;
    const position = this.position(turn);
    copyRecord(orders.doubles, slot << doublesShift, this.records.doubles, position << doublesShift);
    this.records.words[(position << wordsShift) | orderWord.idHash] =
      orders.words[(slot << wordsShift) | orderWord.idHash]!;
    return turn;
  }

  /** Forgets the earliest orders, `forgottenAtOnce` of them. */
  forgetEarliest(): void {
    const block = this.blocks[blockOrder(this.earliest)]!;
    this.earliest += forgottenAtOnce;
    if ((this.earliest & (blockSize - 1)) === 0) this.freeBlocks.push(block);
  }

  /** Turns of the orders whose ids are kept now, the earliest closed first. */
  turns(now: number): number[] {
    const turns: number[] = [];
    for (let turn = this.earliest; turn < this.end; turn += 1) if (!this.isOver(turn, now)) turns.push(turn);
    return turns;
  }

  /** Whether there is an order with this turn, which is not before the earliest, and it has lost its client id. */
  isOver(turn: number, now: number): boolean {
    if (turn >= this.end) return false;
    return isIdFree(this.records.doubles[(this.position(turn) << doublesShift) | orderDouble.updatedAt]!, now);
  }

  private takeBlock(): number {
    const reused = this.freeBlocks.pop();
    if (reused !== undefined) return reused;
    assert(this.blocksUsed < blocksMax, 'closed orders stay below their bound');
    this.blocksUsed += 1;
    if (this.blocksUsed << (blockShift + wordsShift) > this.records.words.length) this.records.grow();
    return this.blocksUsed - 1;
  }
}

/** Where the block of a turn is noted; the turn may have been cut to 31 bits. */
const blockOrder = (turn: number): number => (turn >>> blockShift) & (blocksMax - 1);

/**
 * Copies what comes before `idHash`: twelve doubles, of which the last five are pairs of words. None of those words is
 * so large that a pair could be no number. Written out, because a loop costs three times as much, at every order.
 */
function copyRecord(source: Float64Array, from: number, target: Float64Array, to: number): void {
  target[to] = source[from]!;
  target[to | 1] = source[from | 1]!;
  target[to | 2] = source[from | 2]!;
  target[to | 3] = source[from | 3]!;
  target[to | 4] = source[from | 4]!;
  target[to | 5] = source[from | 5]!;
  target[to | 6] = source[from | 6]!;
  target[to | 7] = source[from | 7]!;
  target[to | 8] = source[from | 8]!;
  target[to | 9] = source[from | 9]!;
  target[to | 10] = source[from | 10]!;
  target[to | 11] = source[from | 11]!;
}
