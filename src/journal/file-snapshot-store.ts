import { createHash } from 'node:crypto';
import { crc32c } from '#base/checksum.ts';
import type { Digest, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { FileOperations, OpenFile } from '#journal/file-operations.ts';
import { errorCode, withFile } from '#journal/file-operations.ts';
import type { Snapshot, SnapshotStore } from '#journal/journal.ts';
import { bytesEqual, getU64, hashOf, putU64 } from '#journal/segment-format.ts';

// A snapshot file: magic 8, format version u32, zero u32, position u64, size of the image u64, digest in 32 characters,
// SHA-256 of the image 32, zero u32, CRC32C of these 100; then the image as it is.

/** Snapshots kept; an older one is deleted once a newer one is verified. */
export const snapshotsKept = 2;
const headerSize = 104;
const headerCrcAt = 100;
const digestLength = 32;
const formatVersion = 1;
const chunkSize = 4 * 1024 * 1024;
const magic = Uint8Array.from('BOURSES1', (character) => character.charCodeAt(0));
const namePattern = /^(\d{16})\.snapshot$/;
const imageMax = 0xffff_ffff;

/** Name of the file that holds the snapshot of the state after an entry. */
export const snapshotName = (at: number): string => `${String(at).padStart(16, '0')}.snapshot`;
const pathOf = (directory: string, at: number): string => `${directory}/${snapshotName(at)}`;
const temporaryOf = (directory: string): string => `${directory}/snapshot.tmp`;

function headerOf(snapshot: Snapshot): Uint8Array {
  if (!/^[0-9a-f]{32}$/.test(snapshot.digest)) throw new Error(`no digest: ${snapshot.digest}`);
  const bytes = new Uint8Array(headerSize);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, formatVersion, true);
  putU64(view, 16, snapshot.at);
  putU64(view, 24, snapshot.image.length);
  for (let index = 0; index < digestLength; index += 1) bytes[32 + index] = snapshot.digest.charCodeAt(index);
  bytes.set(hashOf(snapshot.image), 64);
  view.setUint32(headerCrcAt, crc32c(bytes, 0, headerCrcAt), true);
  return bytes;
}

interface Header {
  readonly at: Seq;
  readonly digest: Digest;
  readonly size: number;
  readonly hash: Uint8Array;
}

async function readHeader(file: OpenFile): Promise<Header | string> {
  const bytes = new Uint8Array(headerSize);
  if ((await file.read(bytes, 0)) < headerSize) return 'header is cut short';
  const view = new DataView(bytes.buffer);
  if (view.getUint32(headerCrcAt, true) !== crc32c(bytes, 0, headerCrcAt)) return 'header does not match its checksum';
  if (!bytesEqual(bytes.subarray(0, magic.length), magic)) return 'no snapshot';
  if (view.getUint32(8, true) !== formatVersion) return `snapshot of format ${view.getUint32(8, true)}`;
  const size = getU64(view, 24);
  if (size > imageMax || (await file.size()) !== headerSize + size) return 'file has another size than its header says';
  const digest = as<Digest>(String.fromCharCode(...bytes.subarray(32, 32 + digestLength)));
  return { at: as<Seq>(getU64(view, 16)), digest, size, hash: bytes.slice(64, 96) };
}

/** Hashes the image as read back from disk, in chunks; also copies it to `into`, if given. */
async function hashImage(file: OpenFile, size: number, into: Uint8Array | null): Promise<Uint8Array> {
  const hash = createHash('sha256');
  const chunk = into === null ? new Uint8Array(Math.min(size, chunkSize)) : null;
  for (let at = 0; at < size; at += chunkSize) {
    const length = Math.min(chunkSize, size - at);
    const part = chunk?.subarray(0, length) ?? (into as Uint8Array).subarray(at, at + length);
    const count = await file.read(part, headerSize + at);
    hash.update(part.subarray(0, count));
  }
  return hash.digest();
}

/** What a snapshot store in files needs. */
export interface FileSnapshotStoreOptions {
  readonly files: FileOperations;
  readonly directory: string;
  /** Called with the reason when a snapshot is ignored. */
  readonly notice: (message: string) => void;
}

/** What a check of one snapshot file found; `fault` is `null` when it can be used. */
export interface SnapshotCheck {
  readonly file: string;
  readonly at: Seq;
  readonly size: number;
  readonly fault: string | null;
}

/** Snapshots as files of one directory. One writer; others may read at the same time. */
export class FileSnapshotStore implements SnapshotStore {
  private readonly options: FileSnapshotStoreOptions;

  constructor(options: FileSnapshotStoreOptions) {
    this.options = options;
  }

  async save(snapshot: Snapshot): Promise<void> {
    const { files, directory } = this.options;
    await files.makeDirectory(directory);
    const temporary = temporaryOf(directory);
    try {
      await this.writeAside(temporary, snapshot);
    } catch (error) {
      // The incomplete image may have filled the disk. If it cannot be deleted, the next save overwrites it.
      await files.unlink(temporary).catch(() => undefined);
      throw error;
    }
    await files.rename(temporary, pathOf(directory, snapshot.at));
    await files.syncDirectory(directory);
    const positions = await this.positions();
    for (const at of positions.slice(snapshotsKept)) await files.unlink(pathOf(directory, at));
    if (positions.length > snapshotsKept) await files.syncDirectory(directory);
  }

  /** Writes and syncs the file, reads it back and compares. */
  private async writeAside(temporary: string, snapshot: Snapshot): Promise<void> {
    const header = headerOf(snapshot);
    await withFile(this.options.files, temporary, 'create', async (file) => {
      await file.write(header, 0);
      for (let at = 0; at < snapshot.image.length; at += chunkSize) {
        await file.write(snapshot.image.subarray(at, at + chunkSize), headerSize + at);
      }
      await file.sync();
      const found = await readHeader(file);
      const same =
        typeof found !== 'string' &&
        bytesEqual(found.hash, header.subarray(64, 96)) &&
        bytesEqual(await hashImage(file, found.size, null), found.hash);
      if (!same) throw new Error(`${temporary} does not read back as it was written`);
    });
  }

  async latest(atMost: Seq = Number.MAX_SAFE_INTEGER as Seq): Promise<Snapshot | null> {
    for (const at of await this.positions()) {
      if (at > atMost) continue;
      const snapshot = await this.load(at);
      if (typeof snapshot !== 'string') return snapshot;
      this.options.notice(`snapshot ${pathOf(this.options.directory, at)} is passed over: ${snapshot}`);
    }
    return null;
  }

  async positions(): Promise<readonly Seq[]> {
    const { files, directory } = this.options;
    await files.makeDirectory(directory);
    const found: Seq[] = [];
    for (const name of await files.list(directory)) {
      const match = namePattern.exec(name);
      if (match !== null) found.push(as<Seq>(Number(match[1])));
    }
    return found.sort((left, right) => right - left);
  }

  /** Checks every kept snapshot against its checksums, newest first; changes nothing. */
  async check(): Promise<readonly SnapshotCheck[]> {
    const { directory } = this.options;
    const checks: SnapshotCheck[] = [];
    for (const at of await this.positions()) {
      const snapshot = await this.load(at);
      const bad = typeof snapshot === 'string';
      checks.push({
        file: pathOf(directory, at),
        at,
        size: bad ? 0 : snapshot.image.length,
        fault: bad ? snapshot : null,
      });
    }
    return checks;
  }

  /** The snapshot, or what is wrong with its file. */
  private async load(at: Seq): Promise<Snapshot | string> {
    try {
      return await this.read(at);
    } catch (error) {
      // Another process of the same exchange may have written a newer snapshot and deleted this one.
      if (errorCode(error) === 'ENOENT') return 'file is gone';
      throw error;
    }
  }

  private read(at: Seq): Promise<Snapshot | string> {
    const { files, directory } = this.options;
    return withFile(files, pathOf(directory, at), 'read', async (file) => {
      const header = await readHeader(file);
      if (typeof header === 'string') return header;
      if (header.at !== at) return `holds the state after entry ${header.at}`;
      const image = new Uint8Array(header.size);
      const hash = await hashImage(file, header.size, image);
      return bytesEqual(hash, header.hash) ? { at, digest: header.digest, image } : 'image does not match its hash';
    });
  }
}
