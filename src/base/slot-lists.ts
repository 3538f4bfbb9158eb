import { Room } from '#base/room.ts';

/** A line is one cache line: the lines beside it, where its slots start and end, then up to twelve slots. */
const lineShift = 4;
const nextAt = 0;
const previousAt = 1;
const startAt = 2;
const endAt = 3;
const slotsAt = 4;
const wordsPerLine = 1 << lineShift;

/** Takes out a slot that stands between two places, and moves up those behind it; answers where they end now. */
export function closeGap(words: Int32Array, from: number, to: number, slot: number): number {
  let at = from;
  while (words[at] !== slot) at += 1;
  for (; at < to - 1; at += 1) words[at] = words[at + 1]!;
  return to - 1;
}

/**
 * Queues of slots, any number of them in one room. A queue is a ring of lines that its owner knows by the last one, -1
 * while it is empty: whoever comes goes there. Whoever takes part remembers the line it stands in, so that leaving from
 * the middle touches that line and neither the neighbours' records nor the rest of the queue.
 */
export class SlotLists {
  private readonly room = new Room();
  /** Line 0 is never given out: who names a line may mean something else by it. */
  private used = 1;
  private freeLine = -1;

  /** Puts a slot behind all others; answers the line where it stands, the last one from now on. */
  append(last: number, slot: number): number {
    const hasRoom = last >= 0 && this.room.words[(last << lineShift) | endAt]! < wordsPerLine;
    const line = hasRoom ? last : this.takeLine(last);
    const { words } = this.room;
    const at = line << lineShift;
    const end = words[at | endAt]!;
    words[at + end] = slot;
    words[at | endAt] = end + 1;
    return line;
  }

  /** Takes a slot out of the line where it stands; answers the last line of the queue from now on. */
  remove(last: number, line: number, slot: number): number {
    const { words } = this.room;
    const base = line << lineShift;
    const start = words[base | startAt]!;
    if (words[base + start] === slot) {
      words[base | startAt] = start + 1;
      return start + 1 === words[base | endAt] ? this.giveLine(last, line) : last;
    }
    words[base | endAt] = closeGap(words, base + start + 1, base + words[base | endAt]!, slot) - base;
    return last;
  }

  /** The slot that came first; the queue is not empty. */
  first(last: number): number {
    const base = this.firstLine(last) << lineShift;
    return this.room.words[base + this.room.words[base | startAt]!]!;
  }

  /** Calls for each slot, the first to come first, until `visit` answers false; answers whether it never did. */
  every(last: number, visit: (slot: number) => boolean): boolean {
    const { words } = this.room;
    if (last < 0) return true;
    const first = this.firstLine(last);
    let line = first;
    do {
      const base = line << lineShift;
      const end = base + words[base | endAt]!;
      for (let at = base + words[base | startAt]!; at < end; at += 1) {
        if (!visit(words[at]!)) return false;
      }
      line = words[base | nextAt]!;
    } while (line !== first);
    return true;
  }

  private firstLine(last: number): number {
    return this.room.words[(last << lineShift) | nextAt]!;
  }

  /** An empty line at the end of a queue; -1: as its only one. */
  private takeLine(last: number): number {
    let line = this.freeLine;
    if (line >= 0) {
      this.freeLine = this.room.words[(line << lineShift) | nextAt]!;
    } else {
      if ((this.used + 1) << lineShift > this.room.words.length) this.room.grow();
      line = this.used++;
    }
    const { words } = this.room;
    const base = line << lineShift;
    const following = last < 0 ? line : this.firstLine(last);
    const before = last < 0 ? line : last;
    words[base | nextAt] = following;
    words[base | previousAt] = before;
    words[(following << lineShift) | previousAt] = line;
    words[(before << lineShift) | nextAt] = line;
    words[base | startAt] = slotsAt;
    words[base | endAt] = slotsAt;
    return line;
  }

  private giveLine(last: number, line: number): number {
    const { words } = this.room;
    const base = line << lineShift;
    const following = words[base | nextAt]!;
    const before = words[base | previousAt]!;
    words[(before << lineShift) | nextAt] = following;
    words[(following << lineShift) | previousAt] = before;
    words[base | nextAt] = this.freeLine;
    this.freeLine = line;
    if (line !== last) return last;
    return before === line ? -1 : before;
  }
}
