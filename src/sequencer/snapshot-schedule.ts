import type { Clock } from '#base/clock.ts';
import type { Seq } from '#model/units.ts';

/** Settings and callbacks of the schedule. */
export interface SnapshotScheduleParts {
  /** Machine time: snapshots follow the disk, not the market. */
  readonly clock: Clock;
  readonly everyMs: number;
  readonly everyEntries: number;
  /** Last durable entry. */
  readonly last: () => Seq;
  /** Makes and stores a snapshot of the state after `upTo`, not on the engine's thread. */
  readonly make: (upTo: Seq) => Promise<void>;
  /** Whether history contains everything up to here, so that a replay may begin after it. */
  readonly projected: () => Promise<Seq>;
  /** Deletes what no recovery needs any more. */
  readonly release: () => Promise<void>;
  /** Told why a snapshot that `begin` started was not made. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Makes a snapshot when enough entries were written or enough time has passed since the last one. `check` is called
 * periodically; at most one snapshot is made at a time.
 */
export class SnapshotSchedule {
  private readonly parts: SnapshotScheduleParts;
  private lastAt: Seq;
  private lastTime: number;
  private making: Promise<void> | null = null;
  private failureCount = 0;

  constructor(parts: SnapshotScheduleParts, lastAt: Seq) {
    this.parts = parts;
    this.lastAt = lastAt;
    this.lastTime = parts.clock.now();
  }

  /** Makes a snapshot where one is due; rejects with what kept it from being made. */
  async check(): Promise<void> {
    const { clock, everyMs, everyEntries, last } = this.parts;
    const behind = last() - this.lastAt;
    if (behind >= everyEntries || (behind > 0 && clock.now() - this.lastTime >= everyMs)) await this.makeOnce();
  }

  /** Starts a snapshot of the current state, unless one is being made. */
  begin(): void {
    this.makeOnce().catch(this.parts.onTrouble);
  }

  /** Resolves when no snapshot is being made. */
  async whenIdle(): Promise<void> {
    await this.making?.catch(() => undefined);
  }

  /** Position of the last snapshot. */
  get position(): Seq {
    return this.lastAt;
  }

  /** Entries after the last snapshot, which a start has to replay. */
  get entriesBehind(): number {
    return this.parts.last() - this.lastAt;
  }

  /** Milliseconds since the last snapshot, or since this schedule began; 0 while no entry came after it. */
  get ageMs(): number {
    return this.entriesBehind === 0 ? 0 : this.parts.clock.now() - this.lastTime;
  }

  /** Snapshots that could not be made. */
  get failures(): number {
    return this.failureCount;
  }

  private makeOnce(): Promise<void> {
    this.making ??= this.make()
      .catch((error: unknown) => {
        this.failureCount += 1;
        throw error;
      })
      .finally(() => {
        this.making = null;
      });
    return this.making;
  }

  private async make(): Promise<void> {
    const upTo = Math.min(this.parts.last(), await this.parts.projected()) as Seq;
    if (upTo <= this.lastAt) return;
    await this.parts.make(upTo);
    this.lastAt = upTo;
    this.lastTime = this.parts.clock.now();
    await this.parts.release();
  }
}
