import type { Prng } from '#base/prng.ts';
import type { FileOperations, HeldName, OpenFile, OpenPurpose } from '#journal/file-operations.ts';
import type { MemoryDisk } from '../ports/memory-file-operations.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long a durable write takes at most, in milliseconds: until the bytes are there, and until the process knows. */
const writeMs = 3;

/** What a disk needs to be slow and to crash. */
export interface SimulatedDiskParts {
  readonly disk: MemoryDisk;
  readonly process: SimulatedProcess;
  readonly time: VirtualTime;
  readonly prng: Prng;
}

/** The disk of one process: durable writes take time, and may be underway when it ends. */
export class SimulatedDisk implements FileOperations {
  private readonly parts: SimulatedDiskParts;
  /** Durable writes that have not reached the disk yet. */
  private readonly underway = new Set<() => Promise<void>>();

  constructor(parts: SimulatedDiskParts) {
    this.parts = parts;
  }

  /** The disk after the process was killed: a write that was underway has happened or not. */
  async afterKill(): Promise<MemoryDisk> {
    const { disk, prng } = this.parts;
    for (const write of this.underway) if (prng.below(2) === 0) await write().catch(() => undefined);
    return disk.afterKill(prng);
  }

  /** The disk after a loss of power: a write that was underway may be torn. */
  async afterPowerLoss(): Promise<MemoryDisk> {
    const { disk, prng } = this.parts;
    disk.plan = () => 'crash';
    for (const write of this.underway) if (prng.below(2) === 0) await write().catch(() => undefined);
    return disk.afterPowerLoss(prng);
  }

  async open(path: string, purpose: OpenPurpose): Promise<OpenFile> {
    const file = await this.hear(this.parts.disk.open(path, purpose));
    return {
      size: () => this.hear(file.size()),
      read: (into, position) => this.hear(file.read(into, position)),
      write: (bytes, position) => this.hear(file.write(bytes, position)),
      writeThrough: (bytes, position) => this.hear(this.writeSlowly(() => file.writeThrough(bytes, position))),
      sync: () => this.hear(file.sync()),
      close: () => this.hear(file.close()),
    };
  }

  private async writeSlowly(write: () => Promise<void>): Promise<void> {
    const { time, prng } = this.parts;
    this.underway.add(write);
    await time.sleep(prng.below(writeMs));
    this.underway.delete(write);
    await write();
    await time.sleep(prng.below(writeMs));
  }

  async hold(path: string): Promise<HeldName> {
    const held = await this.hear(this.parts.disk.hold(path));
    return { path, isStillNamed: () => held.isStillNamed(), release: () => this.hear(held.release()) };
  }

  rename = (from: string, to: string): Promise<void> => this.hear(this.parts.disk.rename(from, to));
  unlink = (path: string): Promise<void> => this.hear(this.parts.disk.unlink(path));
  list = (directory: string): Promise<readonly string[]> => this.hear(this.parts.disk.list(directory));
  makeDirectory = (directory: string): Promise<void> => this.hear(this.parts.disk.makeDirectory(directory));
  syncDirectory = (directory: string): Promise<void> => this.hear(this.parts.disk.syncDirectory(directory));

  private hear<Result>(outside: Promise<Result>): Promise<Result> {
    return this.parts.process.hear(outside);
  }
}
