import { ByteReader, MalformedBytes } from '#base/bytes.ts';
import type { CommandDecoder } from '#model/command-codec.ts';
import { createCommandDecoder, decodeCommand } from '#model/command-codec.ts';
import type { Command, Entry } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Batch, BatchReader } from '#journal/batch-reader.ts';
import { checkBatch, type EncodedBatch, nameOf } from '#journal/encoded-batch.ts';
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

/** Decodes the batches of a segment into pieces of entries. The entry objects are reused for the next piece. */
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
    const { entry, decoder } = slot;
    entry.seq = as<Seq>(seq);
    entry.epoch = as<Epoch>(batch.view.getUint32(at + recordLayout.epoch, true));
    entry.at = as<TimestampMs>(getU64(batch.view, at + recordLayout.time));
    try {
      reader.reset(batch.bytes, at + recordLayout.command, end);
      entry.command = decoder.decode(reader);
      reader.finish();
    } catch (error) {
      throw noCommand(error, file, batch.offset + at - batch.start, seq);
    }
    piece.push(entry);
  }
}

/** What is thrown for an error of decoding the command of an entry. */
function noCommand(error: unknown, file: string, offset: number, seq: number): unknown {
  if (!(error instanceof MalformedBytes)) return error;
  return new JournalDamaged(file, offset, `entry ${seq} holds no command: ${error.message}`);
}

/**
 * The entries of one batch, in objects of their own that may be kept.
 * @throws JournalDamaged when the bytes are not the whole batch that it says.
 */
export function entriesOf(batch: EncodedBatch): readonly Entry[] {
  const { bytes, first } = batch;
  const { entryCount } = checkBatch(batch);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader = new ByteReader(bytes);
  const entries: Entry[] = [];
  let at = batchHeaderSize;
  for (let seq = first as number; seq < first + entryCount; seq += 1) {
    const end = at + recordLayout.head + view.getUint32(at, true);
    try {
      reader.reset(bytes, at + recordLayout.command, end);
      const command = decodeCommand(reader);
      reader.finish();
      entries.push({
        seq: as<Seq>(seq),
        epoch: as<Epoch>(view.getUint32(at + recordLayout.epoch, true)),
        at: as<TimestampMs>(getU64(view, at + recordLayout.time)),
        command,
      });
    } catch (error) {
      throw noCommand(error, nameOf(batch), at, seq);
    }
    at = end;
  }
  return entries;
}
