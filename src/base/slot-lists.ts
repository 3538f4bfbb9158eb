import { GrowableBuffer } from '#base/growable-buffer.ts';

const headAt = 0;
const tailAt = 1;
const previousAt = 0;
const nextAt = 1;

/**
 * Doubly linked lists of slots, one list per owner. A slot is in at most one list. Owners and slots are small whole
 * numbers. All numbers are stored plus one, so that zeroed memory is an empty list and a new owner needs no
 * preparation.
 */
export class SlotLists {
  /** Head and tail of the list of each owner. */
  private readonly ends = new GrowableBuffer();
  /** Previous and next slot of each slot. */
  private readonly links = new GrowableBuffer();

  /** Appends a slot to the list of an owner. */
  append(owner: number, slot: number): void {
    while ((owner + 1) << 1 > this.ends.words.length) this.ends.grow();
    while ((slot + 1) << 1 > this.links.words.length) this.links.grow();
    const ends = this.ends.words;
    const links = this.links.words;
    const tail = ends[(owner << 1) | tailAt]!;
    links[(slot << 1) | previousAt] = tail;
    links[(slot << 1) | nextAt] = 0;
    if (tail === 0) ends[(owner << 1) | headAt] = slot + 1;
    else links[((tail - 1) << 1) | nextAt] = slot + 1;
    ends[(owner << 1) | tailAt] = slot + 1;
  }

  /** Removes a slot from the list of this owner, which must contain it. */
  remove(owner: number, slot: number): void {
    const ends = this.ends.words;
    const links = this.links.words;
    const previous = links[(slot << 1) | previousAt]!;
    const next = links[(slot << 1) | nextAt]!;
    if (previous === 0) ends[(owner << 1) | headAt] = next;
    else links[((previous - 1) << 1) | nextAt] = next;
    if (next === 0) ends[(owner << 1) | tailAt] = previous;
    else links[((next - 1) << 1) | previousAt] = previous;
  }

  /** First slot of a list, -1 if it is empty; continue with `next`. */
  first(owner: number): number {
    return owner << 1 < this.ends.words.length ? this.ends.words[(owner << 1) | headAt]! - 1 : -1;
  }

  /** Next slot of the same list, -1 at the end. */
  next(slot: number): number {
    return this.links.words[(slot << 1) | nextAt]! - 1;
  }

  isEmpty(owner: number): boolean {
    return this.first(owner) < 0;
  }

  /** Visits the slots in order until `visit` returns false; returns whether all were visited. */
  every(owner: number, visit: (slot: number) => boolean): boolean {
    for (let slot = this.first(owner); slot >= 0; slot = this.next(slot)) if (!visit(slot)) return false;
    return true;
  }

  /** All slots of a list, in order. */
  all(owner: number): number[] {
    const slots: number[] = [];
    for (let slot = this.first(owner); slot >= 0; slot = this.next(slot)) slots.push(slot);
    return slots;
  }
}
