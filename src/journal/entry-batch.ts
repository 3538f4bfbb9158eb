import { ByteWriter } from '#base/bytes.ts';
import { encodeCommand } from '#model/command-codec.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';

type Placed = Omit<Entry, 'seq'> & { seq: Seq };

/** Entries that become durable together, in order. Their commands are encoded here, once, when they are added. */
export class EntryBatch {
  private readonly placed: Placed[] = [];
  private readonly writer = new ByteWriter();
  private readonly ends: number[] = [];

  /** Number of entries. */
  get size(): number {
    return this.placed.length;
  }

  /** Bytes of the commands. */
  get bytes(): number {
    return this.writer.size;
  }

  /** Their positions are those that they were added with, or those of the last `placeAfter`. */
  get entries(): readonly Entry[] {
    return this.placed;
  }

  /**
   * Adds an entry, which now belongs to the batch.
   * @throws MalformedBytes for a command that has no exact form; the batch is as before then.
   */
  add(entry: Entry): void {
    const { size } = this.writer;
    try {
      encodeCommand(this.writer, entry.command);
    } catch (error) {
      this.writer.truncate(size);
      throw error;
    }
    this.ends.push(this.writer.size);
    this.placed.push(entry);
  }

  /** Numbers the entries from `after` + 1 on. */
  placeAfter(after: Seq): void {
    for (let index = 0; index < this.placed.length; index += 1) this.placed[index]!.seq = as<Seq>(after + 1 + index);
  }

  /** The commands as `encodeCommand` writes them, one after another; valid until the next `add`. */
  commands(): Uint8Array {
    return this.writer.written();
  }

  /** Where the command at `index` ends in `commands`. */
  endOf(index: number): number {
    return this.ends[index] as number;
  }
}
