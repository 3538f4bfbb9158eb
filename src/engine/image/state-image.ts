import { assert } from '#base/assert.ts';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { createHash128 } from '#base/checksum.ts';
import type { Digest } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import { stateTablesOf } from '#engine/image/state-tables.ts';
import { EngineState } from '#engine/state/state.ts';

// Layout: version of the image, then each table as a section (name, version, size in bytes, bytes), then an end mark.
// The digest of the business state covers the sections of tables with `isInDigest`, in order.

const imageVersion = 1;
const imageEnd = 0x626f7572;

/**
 * An image that this build cannot read: it is damaged or from another build. The same state can be rebuilt from the
 * journal.
 */
export class ImageNotReadable extends Error {
  override name = 'ImageNotReadable';
}

/** The whole state as bytes. They depend on content only, never on slots or insertion order of maps. */
export function writeState(state: EngineState): Uint8Array {
  const writer = new ByteWriter(1 << 20);
  writer.u32(imageVersion);
  const tables = stateTablesOf(state);
  writer.varint(tables.length);
  for (const table of tables) writeSection(writer, table);
  writer.u32(imageEnd);
  return writer.take();
}

/**
 * Reads the state of an image. `digest`: expected digest of the business state as written; `null`: not checked.
 * @throws ImageNotReadable
 */
export function readState(image: Uint8Array, digest: Digest | null): EngineState {
  const state = new EngineState();
  try {
    const reader = new ByteReader(image);
    const version = reader.u32();
    assert(version === imageVersion, `version ${version} of images is read by another build`);
    const found = readSections(reader, image, state);
    assert(reader.u32() === imageEnd, 'an image ends where its state ends');
    assert(digest === null || found === digest, 'an image has the state that it promised');
  } catch (error) {
    throw new ImageNotReadable((error as Error).message, { cause: error });
  }
  return state;
}

/** Digest of the business state: without positions, event digests and what expires with time. */
export function businessDigest(state: EngineState): Digest {
  const writer = new ByteWriter(1 << 16);
  const ends = stateTablesOf(state)
    .filter((table) => table.isInDigest)
    .map((table) => {
      writeSection(writer, table);
      return writer.size;
    });
  const bytes = writer.written();
  return digestOf(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)));
}

function writeSection(writer: ByteWriter, table: StateTable): void {
  writer.text(table.name);
  writer.varint(table.version);
  const sizeAt = writer.skip(4);
  const from = writer.size;
  table.write(writer);
  writer.patchU32(sizeAt, writer.size - from);
}

/** Reads the sections. Tables that are newer than the image have no section and stay empty. */
function readSections(reader: ByteReader, image: Uint8Array, state: EngineState): Digest {
  const counted: Uint8Array[] = [];
  const tables = new Map(stateTablesOf(state).map((table) => [table.name, table]));
  for (let left = reader.varint(); left > 0; left -= 1) {
    const from = reader.position;
    const name = reader.text();
    const version = reader.varint();
    const end = reader.u32() + reader.position;
    const table = tables.get(name);
    assert(table !== undefined && version <= table.version, `${name} ${version} is a table of a later build`);
    table.read(reader, version);
    assert(reader.position === end, `table ${name} is as long as it says`);
    if (table.isInDigest) counted.push(image.subarray(from, end));
  }
  return digestOf(counted);
}

function digestOf(parts: readonly Uint8Array[]): Digest {
  const hash = createHash128();
  for (const part of parts) hash.bytes(part);
  return as<Digest>(hash.digest());
}
