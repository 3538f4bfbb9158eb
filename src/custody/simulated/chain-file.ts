import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ChainRecord } from '#custody/simulated/chain-records.ts';
import { lineOf, recordOf } from '#custody/simulated/chain-records.ts';

/** The one file of the simulated world, as this folder uses it. Sizes are in bytes. */
export interface ChainStorage {
  /** The content in pieces of any size; nothing where there is no file. */
  read(): AsyncIterable<Uint8Array>;
  /** Gives the file another content. After a crash it has the old or the new one, once resolved the new. */
  replace(content: Uint8Array): Promise<void>;
  /** Keeps the first `size` bytes; resolves once that survives a crash. */
  cut(size: number): Promise<void>;
  /**
   * Adds to the end; resolves once it survives a crash. After an error any part of the bytes may be there, and nothing
   * may be added any more.
   */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The file of the simulated world cannot be used; the message is a sentence for the operator. */
export class ChainFileFault extends Error {
  override name = 'ChainFileFault';
}

const newline = 0x0a;
const text = new TextDecoder();

/**
 * Calls `apply` with every record of the file in order, and cuts off what a crash left of a last line. Answers the
 * size of the file, 0 where it has no record.
 * @throws ChainFileFault if a line in the middle is damaged, or the file is not one of a simulated world.
 */
export async function readRecords(storage: ChainStorage, apply: (record: ChainRecord) => void): Promise<number> {
  const tail = { size: 0, line: 0 };
  let keptSize = 0;
  let lineCount = 0;
  for await (const line of lines(storage)) {
    lineCount += 1;
    const record = line.isWhole ? recordOf(text.decode(line.bytes)) : null;
    if (record === null) {
      tail.size += line.bytes.length + (line.isWhole ? 1 : 0);
      tail.line ||= lineCount;
      continue;
    }
    // What was never acknowledged can only stand at the end.
    if (tail.size > 0) throw new ChainFileFault(`Line ${tail.line} of the simulated chain's file is damaged.`);
    apply(record);
    keptSize += line.bytes.length + 1;
  }
  if (tail.size === 0) return keptSize;
  if (keptSize === 0) throw new ChainFileFault("The simulated chain's file does not begin like one.");
  await storage.cut(keptSize);
  return keptSize;
}

/** Writes records in place of what the file has. Answers its size. */
export async function replaceRecords(storage: ChainStorage, records: readonly ChainRecord[]): Promise<number> {
  const content = concatBytes(...records.map((record) => utf8ToBytes(lineOf(record))));
  await storage.replace(content);
  return content.length;
}

/** Adds a record to the file; resolves once it survives a crash. */
export async function appendRecord(storage: ChainStorage, record: ChainRecord): Promise<void> {
  await storage.append(utf8ToBytes(lineOf(record)));
}

/** The lines of a file without their newlines; the last is not whole if it had none. */
async function* lines(storage: ChainStorage): AsyncIterable<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  let begun: Uint8Array[] = [];
  for await (const piece of storage.read()) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      yield { bytes: concatBytes(...begun, piece.subarray(from, end)), isWhole: true };
      begun = [];
      from = end + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield { bytes: concatBytes(...begun), isWhole: false };
}
