import { expect, test } from 'vitest';
import type { Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import { newestRules } from '#model/rules.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, StateMachine } from '#engine/create-engine.ts';
import { batchOf, MemoryJournal } from './memory-journal.ts';
import { MemorySnapshotStore } from './memory-snapshot-store.ts';
import { JournalTooShort, replay, restoreNewest, RulesNotKnown } from '#sequencer/recovery.ts';

/** A journal of some entries, the engine that applied them, and snapshots after the third and the sixth. */
async function recorded() {
  const journal = new MemoryJournal();
  const snapshots = new MemorySnapshotStore();
  const engine = createEngine();
  for (let seq = 1; seq <= 8; seq += 1) {
    const uid = as<never>((10_000_000 + seq) as never);
    const account = { name: `user${seq}`, master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    const entry: Entry = { seq: as(seq), epoch: as(0), at: as(seq), command: { kind: 'openAccount', uid, ...account } };
    await journal.append(as<Seq>(seq - 1), batchOf([entry]));
    engine.apply(entry, noopSink);
    if (seq % 3 === 0) await snapshots.save({ at: engine.seq, digest: engine.digest(), image: engine.snapshot() });
  }
  return { journal, snapshots, engine };
}

const later = (image: Uint8Array): Uint8Array => {
  const changed = image.slice();
  changed[0] = 99;
  return changed;
};

test('an image that cannot be read is passed over with a message, in favour of an older one or of the journal', async () => {
  const { journal, snapshots, engine } = await recorded();
  const notices: string[] = [];
  const options = { notice: (message: string) => notices.push(message) };
  const recover = async (): Promise<{ readonly from: number; readonly engine: StateMachine }> => {
    const restored = await restoreNewest(journal, snapshots, options);
    const from = restored.seq;
    await replay(restored, journal, noopSink, () => {});
    return { from, engine: restored };
  };
  expect((await recover()).from).toBe(6);
  for (const [at, before] of [
    [6, 3],
    [3, 0],
  ] as const) {
    const snapshot = (await snapshots.latest(as(at)))!;
    await snapshots.save({ ...snapshot, image: later(snapshot.image) });
    notices.length = 0;
    const again = await recover();
    expect(again.from).toBe(before);
    expect(again.engine.digest()).toBe(engine.digest());
    expect(notices).toContainEqual(expect.stringContaining(`The snapshot at entry ${at} is passed over`));
  }
});

test('where the journal no longer reaches back, a start says so instead of going on without what is missing', async () => {
  const { journal, snapshots } = await recorded();
  for (const at of [6, 3]) {
    const snapshot = (await snapshots.latest(as(at)))!;
    await snapshots.save({ ...snapshot, image: later(snapshot.image) });
  }
  const short = { first: () => as<Seq>(4), last: () => journal.last(), read: (from: Seq) => journal.read(from) };
  await expect(restoreNewest(short, snapshots, { notice: () => {} })).rejects.toThrow(JournalTooShort);
});

test('DEC-ORD-36, DEC-CLU-28: neither an entry nor a snapshot of newer rules is used by a build that does not know them', async () => {
  const { journal, snapshots } = await recorded();
  const command = { kind: 'activateRules', version: newestRules + 1 } as const;
  const activation: Entry = { seq: as(9), epoch: as(0), at: as(9), command };
  await journal.append(as<Seq>(8), batchOf([activation]));
  const restored = await restoreNewest(journal, snapshots, { notice: () => {} });
  const broken: number[] = [];
  const replayed = replay(
    restored,
    journal,
    noopSink,
    () => {},
    undefined,
    () => void broken.push(restored.seq),
  );
  await expect(replayed).rejects.toThrow(
    `the journal from entry 9 on goes by version ${newestRules + 1} of the rules, and this build knows them up to ` +
      `version ${newestRules}: start a newer build`,
  );
  expect([restored.seq, broken]).toEqual([8, []]);

  const newer = new StateMachine(restored.state, newestRules + 1);
  newer.apply(activation, noopSink);
  await snapshots.save({ at: newer.seq, digest: newer.digest(), image: newer.snapshot() });
  await expect(restoreNewest(journal, snapshots, { notice: () => {} })).rejects.toThrow(RulesNotKnown);
});
