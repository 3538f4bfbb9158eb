import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { holdOwnerNumbers, type HoldOwnerNumber } from '#model/hold.ts';
import type { Amount, OrderNumber } from '#model/units.ts';
import { AmountColumn } from '#engine/ledger/amount-column.ts';

// One record is 32 bytes: the amount, the owner's id, the balance row, the kind of owner, the next free record, and a
// word that says how the first two are stored.
const wordsShift = 3;
const rowAt = 4;
const ownerKindAt = 5;
const nextFreeAt = 6;
/** Kind of owner in a free record. */
const noOwner = 0;

/** Stored by an owner that has no hold. */
export const noHold = -1;

/** Owner of a hold: its kind and its id, which is unique within the kind and has up to 64 bits. */
export interface HoldOwner {
  readonly kind: HoldOwnerNumber;
  readonly id: Amount;
}

/**
 * Holds: money that is set aside, each with amount, owner and balance row. The held amount of a row is always the sum
 * of its holds. The owner stores the id of its one hold and passes it to the ledger. Ids are dense, and the one
 * released last is reused first; they are never visible outside the engine. DEC-ORD-17.
 */
export class HoldTable {
  /** Holds in use. */
  count = 0;
  private readonly records = new GrowableBuffer();
  private readonly amounts = new AmountColumn(this.records, 0);
  private readonly ownerIds = new AmountColumn(this.records, 1);
  /** Records that ever were in use. */
  private used = 0;
  private firstFree = noHold;

  /** Opens a hold of `amount` on a balance row; returns its id. */
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

  /** Balance row that the money belongs to. */
  row(hold: number): number {
    return this.records.words[(hold << wordsShift) | rowAt]!;
  }

  /** Amount that is held. */
  amount(hold: number): Amount {
    return this.amounts.amount(hold);
  }

  /** The amount if it is a safe integer; otherwise the nearest number. */
  near(hold: number): number {
    return this.amounts.near(hold);
  }

  /** Whether at least `amount` is held. */
  covers(hold: number, amount: Amount): boolean {
    return this.amounts.amount(hold) >= amount;
  }

  ownerKind(hold: number): number {
    return this.records.words[(hold << wordsShift) | ownerKindAt]!;
  }

  ownerId(hold: number): Amount {
    return this.ownerIds.amount(hold);
  }

  /** Number of the order that owns it, `null` for other owners. */
  order(hold: number): OrderNumber | null {
    return this.ownerKind(hold) === holdOwnerNumbers.order ? (this.ownerIds.near(hold) as OrderNumber) : null;
  }

  /** Ids of all open holds, in no meaningful order. */
  all(): number[] {
    const holds: number[] = [];
    for (let hold = 0; hold < this.used; hold += 1) if (this.isOpen(hold)) holds.push(hold);
    return holds;
  }

  /** Reduces the amount that is held. */
  reduce(hold: number, amount: Amount): void {
    this.amounts.add(hold, -amount);
  }

  /** Removes the hold; its id may be reused for another one. */
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
