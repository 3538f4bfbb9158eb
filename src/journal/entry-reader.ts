import { ByteReader, MalformedBytes } from '#base/bytes.ts';
import type { CommandDecoder } from '#model/command-codec.ts';
import { createCommandDecoder } from '#model/command-codec.ts';
import type { Command, Entry } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Batch, BatchReader } from '#journal/batch-reader.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { batchHeaderSize, getU64, recordLayout } from '#journal/segment-format.ts';

/** Entries per piece: few enough for the processor's cache, many enough to make the cost per piece negligible. */
const entriesPerPiece = 256;

interface Slot {
  entry: { -readonly [Name in keyof Entry]: Entry[Name] };
  /** Each slot has its own decoder, because all entries of a piece are in use at once. */
  decoder: CommandDecoder;
}

const idle: Command = { kind: 'advanceClock' };
const newSlot = (): Slot => ({
  entry: { seq: as<Seq>(0), epoch: as<Epoch>(0), at: as<TimestampMs>(0), command: idle },
  decoder: createCommandDecoder(),
});

/** Decodes batches into pieces of entries. The entry objects are reused for the next piece. */
export class EntryReader {
  private readonly slots: Slot[] = [];
  private readonly piece: Entry[] = [];
  private readonly reader = new ByteReader(new Uint8Array(0));

  /**
   * Entries of a segment from `from` to `upTo`, both inclusive. `file` is named in errors.
   * @throws JournalDamaged at the first batch or command that is not as written.
   */
  async *entries(batches: BatchReader, file: string, from: Seq, upTo: Seq): AsyncGenerator<readonly Entry[]> {
    const { piece } = this;
    piece.length = 0;
    while (batches.nextSeq <= upTo) {
      const batch = batches.buffered() ?? (await batches.next());
      if (batch.kind === 'fault')
        throw new JournalDamaged(file, batch.offset, batch.what, as<Seq>(batches.nextSeq - 1));
      if (batch.kind === 'end') throw new JournalDamaged(file, batches.offset, `ends before entry ${upTo}`);
      let at = batch.start + batchHeaderSize;
      const first = batch.header.firstSeq;
      const last = Math.min(upTo, first + batch.header.entryCount - 1);
      for (let seq = first as number; seq <= last; seq += 1) {
        const size = batch.view.getUint32(at, true);
        const end = at + recordLayout.head + size;
        if (seq >= from) this.decode(batch, seq, at, end, file);
        at = end;
        if (piece.length === entriesPerPiece) {
          yield piece;
          piece.length = 0;
        }
      }
    }
    if (piece.length > 0) yield piece;
  }

  private decode(batch: Batch, seq: number, at: number, end: number, file: string): void {
    const { slots, piece, reader } = this;
    let slot = slots[piece.length];
    if (slot === undefined) {
      slot = newSlot();
      slots.push(slot);
    }
    const { entry } = slot;
    entry.seq = as<Seq>(seq);
    entry.epoch = as<Epoch>(batch.view.getUint32(at + recordLayout.epoch, true));
    entry.at = as<TimestampMs>(getU64(batch.view, at + recordLayout.time));
    try {
      reader.reset(batch.bytes, at + recordLayout.command, end);
      entry.command = slot.decoder.decode(reader);
      reader.finish();
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error;
      throw new JournalDamaged(
        file,
        batch.offset + at - batch.start,
        `entry ${seq} holds no command: ${error.message}`,
      );
    }
    piece.push(entry);
  }
}
