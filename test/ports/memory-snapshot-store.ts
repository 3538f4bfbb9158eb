import type { Seq } from '#model/units.ts';
import type { Snapshot, SnapshotStore } from '#journal/journal.ts';
import { snapshotsKept } from '#journal/file-snapshot-store.ts';

/** Snapshots that last as long as their object, for tests and simulation. */
export class MemorySnapshotStore implements SnapshotStore {
  /** Newest first. */
  private kept: readonly Snapshot[] = [];

  async save(snapshot: Snapshot): Promise<void> {
    const others = this.kept.filter((other) => other.at !== snapshot.at);
    this.kept = [...others, { ...snapshot, image: snapshot.image.slice() }]
      .sort((left, right) => right.at - left.at)
      .slice(0, snapshotsKept);
  }

  async latest(atMost: Seq = Number.MAX_SAFE_INTEGER as Seq): Promise<Snapshot | null> {
    const found = this.kept.find((snapshot) => snapshot.at <= atMost);
    return found === undefined ? null : { ...found, image: found.image.slice() };
  }

  async positions(): Promise<readonly Seq[]> {
    return this.kept.map((snapshot) => snapshot.at);
  }
}
