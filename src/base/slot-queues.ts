import type { Room } from '#base/room.ts';
import { closeGap, SlotLists } from '#base/slot-lists.ts';

/** Words of a queue in its owner's record before its slots; `beyond`: the last line outside the record, -1 if none. */
const beyondAt = 0;
const startAt = 1;
const endAt = 2;
const slotsAt = 3;

/** The line of what stands in the owner's record. */
const inRecord = 0;

/**
 * Queues of slots, one for each record of a table, where they begin: most are short, and whoever reads the record has
 * the queue at hand. Those who find the record full stand behind it in lines of their own (`SlotLists`), and while any
 * do, nobody else gets into the record. Whoever takes part remembers the line it stands in.
 */
export class SlotQueues {
  private readonly owners: Room;
  /** Words of a record, as a power of two, and as they are. */
  private readonly shift: number;
  private readonly size: number;
  /** Words of the queue within the record. */
  private readonly beyond: number;
  private readonly start: number;
  private readonly end: number;
  private readonly slots: number;
  private readonly lines = new SlotLists();

  /** The words of a record from `at` to its end belong to the queue. */
  constructor(owners: Room, shift: number, at: number) {
    this.owners = owners;
    this.shift = shift;
    this.size = 1 << shift;
    this.beyond = at + beyondAt;
    this.start = at + startAt;
    this.end = at + endAt;
    this.slots = at + slotsAt;
  }

  /** Makes the queue of a new record, an empty one. */
  open(owner: number): void {
    const { words } = this.owners;
    const base = owner << this.shift;
    words[base | this.beyond] = -1;
    words[base | this.start] = this.slots;
    words[base | this.end] = this.slots;
  }

  /** Puts a slot behind all others; answers the line where it stands. */
  append(owner: number, slot: number): number {
    const { words } = this.owners;
    const base = owner << this.shift;
    const last = words[base | this.beyond]!;
    if (last < 0) {
      const end = words[base | this.end]! < this.size ? words[base | this.end]! : this.moveUp(base);
      if (end < this.size) {
        words[base | end] = slot;
        words[base | this.end] = end + 1;
        return inRecord;
      }
    }
    const line = this.lines.append(last, slot);
    if (line !== last) words[base | this.beyond] = line;
    return line;
  }

  /** Takes a slot out of the line where it stands. */
  remove(owner: number, line: number, slot: number): void {
    const { words } = this.owners;
    const base = owner << this.shift;
    if (line !== inRecord) {
      words[base | this.beyond] = this.lines.remove(words[base | this.beyond]!, line, slot);
      return;
    }
    const start = base | words[base | this.start]!;
    if (words[start] === slot) words[base | this.start] = words[base | this.start]! + 1;
    else words[base | this.end] = closeGap(words, start + 1, base + words[base | this.end]!, slot) - base;
  }

  isEmpty(owner: number): boolean {
    return !this.hasInRecord(owner) && this.owners.words[(owner << this.shift) | this.beyond]! < 0;
  }

  /** The slot that came first; the queue is not empty. */
  first(owner: number): number {
    const { words } = this.owners;
    const base = owner << this.shift;
    return this.hasInRecord(owner)
      ? words[base | words[base | this.start]!]!
      : this.lines.first(words[base | this.beyond]!);
  }

  /** Calls for each slot, the first to come first, until `visit` answers false; answers whether it never did. */
  every(owner: number, visit: (slot: number) => boolean): boolean {
    const { words } = this.owners;
    const base = owner << this.shift;
    const end = base + words[base | this.end]!;
    for (let at = base + words[base | this.start]!; at < end; at += 1) {
      if (!visit(words[at]!)) return false;
    }
    return this.lines.every(words[base | this.beyond]!, visit);
  }

  /** All slots of a queue, the first to come first. */
  all(owner: number): number[] {
    const slots: number[] = [];
    this.every(owner, (slot) => slots.push(slot) > 0);
    return slots;
  }

  private hasInRecord(owner: number): boolean {
    const { words } = this.owners;
    const base = owner << this.shift;
    return words[base | this.start] !== words[base | this.end];
  }

  /** Moves the slots of a record to where they begin; answers where they end now. */
  private moveUp(base: number): number {
    const { words } = this.owners;
    const { slots } = this;
    const start = words[base | this.start]!;
    const end = words[base | this.end]!;
    words.copyWithin(base + slots, base + start, base + end);
    words[base | this.start] = slots;
    words[base | this.end] = end - start + slots;
    return end - start + slots;
  }
}
