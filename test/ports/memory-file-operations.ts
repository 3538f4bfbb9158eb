import { assert } from '#base/assert.ts';
import type { Prng } from '#base/prng.ts';
import type { FileOperations, HeldName, OpenFile } from '#journal/file-operations.ts';

/** Bytes that a disk writes atomically. */
const sectorSize = 512;

/** One call to the file system, counted from 1. */
export interface FileCall {
  readonly index: number;
  readonly name:
    | 'open'
    | 'size'
    | 'read'
    | 'write'
    | 'writeThrough'
    | 'sync'
    | 'close'
    | 'hold'
    | 'isStillNamed'
    | 'rename'
    | 'unlink'
    | 'list'
    | 'makeDirectory'
    | 'syncDirectory';
  readonly path: string;
}
/** How a call fails; after `crash` every later call fails too. */
export type FileFault = 'EIO' | 'ENOSPC' | 'crash';

/** The machine crashed; `MemoryDisk.afterPowerLoss` gives the content of the disk afterwards. */
export class MachineCrashed extends Error {
  override name = 'MachineCrashed';
}

/** A file apart from its names. */
interface Inode {
  written: Uint8Array;
  size: number;
  synced: Uint8Array;
  syncedSize: number;
  readonly dirty: Set<number>;
}

type NameChange = { readonly path: string; readonly inode: Inode | null; readonly from: string | null };

function grown(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2, sectorSize));
  larger.set(bytes);
  return larger;
}

function newInode(content: Uint8Array = new Uint8Array(0)): Inode {
  return {
    written: content.slice(),
    size: content.length,
    synced: content.slice(),
    syncedSize: content.length,
    dirty: new Set(),
  };
}

function store(inode: Inode, bytes: Uint8Array, position: number): void {
  if (bytes.length === 0) return;
  const end = position + bytes.length;
  inode.written = grown(inode.written, end);
  inode.written.set(bytes, position);
  inode.size = Math.max(inode.size, end);
  for (let sector = Math.floor(position / sectorSize); sector * sectorSize < end; sector += 1) inode.dirty.add(sector);
}

/** Makes the size and the sectors that touch `from` to `to` durable. */
function makeDurable(inode: Inode, from: number, to: number): void {
  inode.synced = grown(inode.synced, inode.size);
  for (const sector of [...inode.dirty]) {
    const start = sector * sectorSize;
    if (start + sectorSize <= from || start >= to) continue;
    inode.synced.set(inode.written.subarray(start, Math.min(start + sectorSize, inode.size)), start);
    inode.dirty.delete(sector);
  }
  inode.syncedSize = inode.size;
}

function systemError(code: string, call: FileCall): Error {
  return Object.assign(new Error(`${code}: ${call.name} '${call.path}'`), { code });
}

/**
 * A disk in memory that tracks for each byte and name whether it would survive a loss of power. `plan` decides before
 * every call whether it fails. All randomness comes from `prng`.
 */
export class MemoryDisk implements FileOperations {
  plan: (call: FileCall) => FileFault | null = () => null;
  /** Calls so far. */
  calls = 0;
  private readonly prng: Prng;
  private names = new Map<string, Inode>();
  /** Directories that were made, each with what tells it from another one of the same name. */
  private readonly directories = new Map<string, object>();
  private durableNames = new Map<string, Inode>();
  private changes: NameChange[] = [];
  private isDown = false;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  /** Counts the call and applies the plan. `partly` does what a failing call may have done before it failed. */
  private call(name: FileCall['name'], path: string, partly: () => void = () => undefined): void {
    if (this.isDown) throw new MachineCrashed(`${name} after the crash`);
    this.calls += 1;
    const call: FileCall = { index: this.calls, name, path };
    const fault = this.plan(call);
    if (fault === null) return;
    partly();
    if (fault !== 'crash') throw systemError(fault, call);
    this.isDown = true;
    throw new MachineCrashed(`in ${name} of ${path}`);
  }

  private found(path: string, name: FileCall['name']): Inode {
    const inode = this.names.get(path);
    if (inode === undefined) throw systemError('ENOENT', { index: this.calls, name, path });
    return inode;
  }

  async open(path: string, purpose: 'read' | 'create' | 'durable'): Promise<OpenFile> {
    this.call('open', path);
    if (purpose !== 'create') return this.opened(path, this.found(path, 'open'), purpose === 'durable');
    const inode = newInode();
    this.changeName({ path, inode, from: null });
    return this.opened(path, inode, false);
  }

  private opened(path: string, inode: Inode, isDurable: boolean): OpenFile {
    let isOpen = true;
    const check = (name: FileCall['name'], partly?: () => void): void => {
      assert(isOpen, 'a closed file is not used');
      this.call(name, path, partly);
    };
    const writePart = (bytes: Uint8Array, position: number): void => {
      store(inode, bytes.subarray(0, this.prng.below(bytes.length + 1)), position);
    };
    return {
      size: async () => {
        check('size');
        return inode.size;
      },
      read: async (into, position) => {
        check('read');
        const count = Math.max(0, Math.min(into.length, inode.size - position));
        into.set(inode.written.subarray(position, position + count));
        return count;
      },
      write: async (bytes, position) => {
        check('write', () => writePart(bytes, position));
        store(inode, bytes, position);
      },
      writeThrough: async (bytes, position) => {
        assert(isDurable, 'opened for durable writes');
        check('writeThrough', () => writePart(bytes, position));
        store(inode, bytes, position);
        makeDurable(inode, position, position + bytes.length);
      },
      sync: async () => {
        check('sync');
        makeDurable(inode, 0, inode.size);
      },
      close: async () => {
        isOpen = false;
        this.call('close', path);
      },
    };
  }

  async hold(path: string): Promise<HeldName> {
    this.call('hold', path);
    const held = this.directories.get(path) ?? this.found(path, 'hold');
    return {
      path,
      isStillNamed: () => {
        this.call('isStillNamed', path);
        return (this.directories.get(path) ?? this.names.get(path)) === held;
      },
      release: async () => this.call('close', path),
    };
  }

  private changeName(change: NameChange): void {
    this.changes.push(change);
    applyChange(this.names, change);
  }

  async rename(from: string, to: string): Promise<void> {
    const change = (): void => this.changeName({ path: to, inode: this.found(from, 'rename'), from });
    this.call('rename', from, () => {
      if (this.prng.below(2) === 1) change();
    });
    change();
  }

  async unlink(path: string): Promise<void> {
    const change = (): void => this.changeName({ path, inode: null, from: null });
    this.call('unlink', path, () => {
      if (this.prng.below(2) === 1 && this.names.has(path)) change();
    });
    this.found(path, 'unlink');
    change();
  }

  async list(directory: string): Promise<readonly string[]> {
    this.call('list', directory);
    const prefix = `${directory}/`;
    return [...this.names.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }

  async makeDirectory(directory: string): Promise<void> {
    this.call('makeDirectory', directory);
    if (!this.directories.has(directory)) this.directories.set(directory, {});
  }

  async syncDirectory(directory: string): Promise<void> {
    this.call('syncDirectory', directory);
    const prefix = `${directory}/`;
    for (const change of this.changes) if (change.path.startsWith(prefix)) applyChange(this.durableNames, change);
    this.changes = this.changes.filter((change) => !change.path.startsWith(prefix));
  }

  /** The disk after a kill of this process: everything that was written is there. */
  afterKill(prng: Prng): MemoryDisk {
    const next = new MemoryDisk(prng);
    for (const [path, inode] of this.names) next.put(path, inode.written.slice(0, inode.size));
    return next;
  }

  /**
   * A possible state of the disk after a loss of power: everything that was synced, and a random choice by `prng` of
   * the other sectors (some torn) and renames. In half of the cases the surviving renames are the first ones.
   */
  afterPowerLoss(prng: Prng): MemoryDisk {
    const next = new MemoryDisk(prng);
    const names = new Map(this.durableNames);
    const inOrder = prng.below(2) === 1;
    const count = prng.below(this.changes.length + 1);
    this.changes.forEach((change, index) => {
      if (inOrder ? index < count : prng.below(2) === 1) applyChange(names, change);
    });
    for (const [path, inode] of names) next.put(path, survivingContent(inode, prng));
    return next;
  }

  /** Puts a file there, durably. For tests. */
  put(path: string, content: Uint8Array): void {
    const inode = newInode(content);
    this.names.set(path, inode);
    this.durableNames.set(path, inode);
  }

  /** Deletes a file, or a directory with its content; `copied`: replaces it by an equal copy. For tests. */
  takeAway(path: string, { copied }: { readonly copied: boolean }): void {
    const within = (file: string): boolean => file === path || file.startsWith(`${path}/`);
    for (const directory of [...this.directories.keys()].filter(within)) {
      if (copied) this.directories.set(directory, {});
      else this.directories.delete(directory);
    }
    for (const file of [...this.names.keys()].filter(within)) {
      const content = this.content(file);
      this.names.delete(file);
      this.durableNames.delete(file);
      if (copied) this.put(file, content);
    }
  }

  /** The content of a file as it is written. For tests. */
  content(path: string): Uint8Array {
    const inode = this.found(path, 'read');
    return inode.written.slice(0, inode.size);
  }

  /** Paths of all files, sorted. For tests. */
  paths(): readonly string[] {
    return [...this.names.keys()].sort();
  }
}

function applyChange(names: Map<string, Inode>, { path, inode, from }: NameChange): void {
  if (from !== null) names.delete(from);
  if (inode === null) names.delete(path);
  else names.set(path, inode);
}

function survivingContent(inode: Inode, prng: Prng): Uint8Array {
  const size = inode.size > inode.syncedSize && prng.below(2) === 1 ? inode.size : inode.syncedSize;
  const content = new Uint8Array(size);
  content.set(inode.synced.subarray(0, Math.min(size, inode.syncedSize)));
  for (const sector of inode.dirty) {
    const start = sector * sectorSize;
    const end = Math.min(start + sectorSize, size);
    if (start >= end) continue;
    const fate = prng.below(8);
    if (fate < 4) content.set(inode.written.subarray(start, end), start);
    else if (fate === 4) garble(content, inode.written, start, end, prng);
  }
  return content;
}

/** A sector that was being written when the power went: the bytes that were changing may be anything. */
function garble(content: Uint8Array, written: Uint8Array, start: number, end: number, prng: Prng): void {
  for (let at = start; at < end; at += 1) if (content[at] !== written[at]) content[at] = prng.below(256);
}
