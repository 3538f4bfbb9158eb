import { assert } from '#base/assert.ts';
import { ByteReader } from '#base/bytes.ts';
import { createCommandDecoder } from '#model/command-codec.ts';
import type { Entry } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { EntryBatch } from '#journal/entry-batch.ts';
import type { Journal } from '#journal/journal.ts';
import { JournalMoved } from '#journal/journal.ts';

interface Kept {
  readonly epoch: Epoch;
  readonly at: TimestampMs;
  readonly command: Uint8Array;
}

const entriesPerPiece = 256;

/** A batch of entries that have their positions. */
export function batchOf(entries: Iterable<Entry>): EntryBatch {
  const batch = new EntryBatch();
  for (const entry of entries) batch.add(entry);
  return batch;
}

/** A journal that lasts as long as its object, for tests and simulation. Commands pass through the codec as on disk. */
export class MemoryJournal implements Journal {
  private readonly kept: Kept[] = [];
  private firstKept = 1;
  private isBusy = false;

  async append(after: Seq, batch: EntryBatch): Promise<void> {
    assert(!this.isBusy, 'one append at a time');
    if (after !== this.last())
      throw new JournalMoved(`asked to append after ${after}, the last entry is ${this.last()}`);
    const commands = batch.commands();
    const appended = batch.entries.map(({ seq, epoch, at }, index): Kept => {
      assert(seq === after + 1 + index, 'entries of a batch follow each other');
      return { epoch, at, command: commands.slice(index === 0 ? 0 : batch.endOf(index - 1), batch.endOf(index)) };
    });
    this.isBusy = true;
    await Promise.resolve();
    this.isBusy = false;
    this.kept.push(...appended);
  }

  async *read(from: Seq): AsyncGenerator<readonly Entry[]> {
    assert(from >= this.firstKept, 'read from an entry that is kept');
    const end = this.last();
    const decoders = Array.from({ length: entriesPerPiece }, createCommandDecoder);
    for (let seq = from as number; seq <= end; seq += entriesPerPiece) {
      const start = seq - this.firstKept;
      yield this.kept
        .slice(start, Math.min(start + entriesPerPiece, end - this.firstKept + 1))
        .map((kept, index): Entry => {
          const command = (decoders[index] as (typeof decoders)[number]).decode(new ByteReader(kept.command));
          return { seq: as<Seq>(seq + index), epoch: kept.epoch, at: kept.at, command };
        });
    }
  }

  first(): Seq {
    return as<Seq>(this.firstKept);
  }

  last(): Seq {
    return as<Seq>(this.firstKept + this.kept.length - 1);
  }

  async release(upTo: Seq): Promise<void> {
    const count = Math.max(0, Math.min(upTo, this.last()) - this.firstKept + 1);
    this.kept.splice(0, count);
    this.firstKept += count;
  }

  async close(): Promise<void> {
    assert(!this.isBusy, 'closed after the last append');
  }
}
