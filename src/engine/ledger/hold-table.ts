import { assert } from '#base/assert.ts';
import { Room } from '#base/room.ts';
import { holdOwnerNumbers, type HoldOwnerNumber } from '#domain/hold.ts';
import type { Amount, OrderNumber } from '#domain/units.ts';
import { AmountColumn } from '#engine/ledger/amount-column.ts';

// One record is 32 bytes: the amount, the owner's id, the balance row, the kind of owner, the next free record, and
// which of the first two are large.
const wordsShift = 3;
const rowAt = 4;
const ownerKindAt = 5;
const nextFreeAt = 6;
/** Kind of owner in a record that is not in use. */
const noOwner = 0;

/** What an owner has instead of a hold when nothing is set aside for it. */
export const noHold = -1;

/** Whose a hold is: a kind of owner and an id that is its own among those, of up to 64 bits. */
export interface HoldOwner {
  readonly kind: HoldOwnerNumber;
  readonly id: Amount;
}

/**
 * Money set aside, each piece with its amount, its owner and the balance row it came from: what is held on a row is
 * always the sum of its holds. The owner keeps the id of its one hold, and names it to the ledger by that id. Ids are
 * dense, and the one that was given back last is the next to be taken; nothing outside the engine sees them.
 * DEC-ORD-17.
 */
export class HoldTable {
  /** Holds in use. */
  count = 0;
  private readonly records = new Room();
  private readonly amounts = new AmountColumn(this.records, 0);
  private readonly ownerIds = new AmountColumn(this.records, 1);
  /** Records that ever were in use. */
  private used = 0;
  private firstFree = noHold;

  /** Makes a hold of `amount` on a balance row; answers its id. */
  open(row: number, amount: Amount, owner: HoldOwner): number {
    const hold = this.take();
    const { words } = this.records;
    words[(hold << wordsShift) | rowAt] = row;
    words[(hold << wordsShift) | ownerKindAt] = owner.kind;
    this.ownerIds.set(hold, owner.id);
    this.amounts.set(hold, amount);
    this.count += 1;
    return hold;
  }

  isOpen(hold: number): boolean {
    return hold >= 0 && hold < this.used && this.ownerKind(hold) !== noOwner;
  }

  /** Balance row whose money it is. */
  row(hold: number): number {
    return this.records.words[(hold << wordsShift) | rowAt]!;
  }

  /** What it covers. */
  amount(hold: number): Amount {
    return this.amounts.amount(hold);
  }

  /** Whether it covers so much. */
  covers(hold: number, amount: Amount): boolean {
    return this.amounts.amount(hold) >= amount;
  }

  ownerKind(hold: number): number {
    return this.records.words[(hold << wordsShift) | ownerKindAt]!;
  }

  ownerId(hold: number): Amount {
    return this.ownerIds.amount(hold);
  }

  /** The order that it is for, `null` if its owner is no order. */
  order(hold: number): OrderNumber | null {
    return this.ownerKind(hold) === holdOwnerNumbers.order ? (this.ownerIds.near(hold) as OrderNumber) : null;
  }

  /** Ids of all holds in use, in no order that means anything. */
  all(): number[] {
    const holds: number[] = [];
    for (let hold = 0; hold < this.used; hold += 1) if (this.isOpen(hold)) holds.push(hold);
    return holds;
  }

  /** Takes so much out of it. */
  reduce(hold: number, amount: Amount): void {
    this.amounts.add(hold, -amount);
  }

  /** Gives the record back; its id may stand for another hold from now on. */
  close(hold: number): void {
    assert(this.isOpen(hold), 'a hold is closed once');
    const { words } = this.records;
    words[(hold << wordsShift) | ownerKindAt] = noOwner;
    words[(hold << wordsShift) | nextFreeAt] = this.firstFree;
    this.firstFree = hold;
    this.count -= 1;
  }

  private take(): number {
    const hold = this.firstFree;
    if (hold !== noHold) {
      this.firstFree = this.records.words[(hold << wordsShift) | nextFreeAt]!;
      return hold;
    }
    if (this.used << wordsShift === this.records.words.length) this.records.grow();
    return this.used++;
  }
}
