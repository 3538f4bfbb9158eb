import { GrowableBuffer } from '#base/growable-buffer.ts';

const headAt = 0;
const tailAt = 1;
const previousAt = 0;
const nextAt = 1;

/**
 * Doubly linked lists of slots, one for each owner. A slot is in one list at most. Owners and slots are small whole
 * numbers; nothing is prepared for a new one: all numbers are stored plus one, so that zeroed memory is an empty list.
 */
export class SlotLists {
  /** Head and tail of each owner's list. */
  private readonly ends = new GrowableBuffer();
  /** The slots before and behind each slot. */
  private readonly links = new GrowableBuffer();

  /** Puts a slot behind all others. */
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

  /** Takes a slot out of the list of this owner, where it is. */
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

  /** The slot that was put in first, -1 if the list is empty; go on with `next`. */
  first(owner: number): number {
    return owner << 1 < this.ends.words.length ? this.ends.words[(owner << 1) | headAt]! - 1 : -1;
  }

  /** The slot behind another one in its list, -1 at the end. */
  next(slot: number): number {
    return this.links.words[(slot << 1) | nextAt]! - 1;
  }

  isEmpty(owner: number): boolean {
    return this.first(owner) < 0;
  }

  /** Calls for each slot, the first to come first, until `visit` answers false; answers whether it never did. */
  every(owner: number, visit: (slot: number) => boolean): boolean {
    for (let slot = this.first(owner); slot >= 0; slot = this.next(slot)) if (!visit(slot)) return false;
    return true;
  }

  /** All slots of a list, the first to come first. */
  all(owner: number): number[] {
    const slots: number[] = [];
    for (let slot = this.first(owner); slot >= 0; slot = this.next(slot)) slots.push(slot);
    return slots;
  }
}
