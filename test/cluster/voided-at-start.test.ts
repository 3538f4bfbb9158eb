import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machineTimer } from '#base/clock.ts';
import type { BrokenNote, CommandLog } from '#cluster/command-log.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { cutVoided, passOnNote, stillThere, type VoidedParts } from '#main/cluster/voided-entries.ts';
import { type BrokenEntryNote, readNote, writeNote } from '#main/storage/broken-entry-note.ts';
import { type DataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { as, type Epoch, type Seq } from '#model/units.ts';
import { batchFrom, entryAt } from '../crash/journal-script.ts';
import { campaign, emptyHead, foundation, headOf, lead, leaderOf, noteAt, passingOf } from '../ports/log-story.ts';
import { createMemoryQuorum, type MemoryQuorum } from '../ports/memory-command-log.ts';

/** The entry on which the node broke, in the second of its two batches. */
const broken = 6;
const last = 8;

let quorum: MemoryQuorum;
let log: CommandLog;
let parts: VoidedParts;
let directory: DataDirectory;
const told: string[] = [];

beforeEach(async () => {
  told.length = 0;
  quorum = createMemoryQuorum({ setTimer: machineTimer });
  ({ log } = quorum.connect());
  await log.found(foundation, emptyHead);
  directory = layoutOf(mkdtempSync(join(tmpdir(), 'bourse-voided-')));
  mkdirSync(directory.journal);
  const journal = await FileJournal.open({
    ...{ files: nodeFileOperations, directory: directory.journal, segmentSize: 4096, isFollowing: true },
    ...{ origin: foundation.origin, notice: () => {}, compress: async () => false },
  });
  await journal.append(as(0), batchFrom(1, 3));
  await journal.append(as(3), batchFrom(4, 5));
  await journal.close();
  parts = {
    ...{ log, tell: (line) => void told.push(line), isStopped: () => false, isPatient: true },
    file: {
      ...{ exchange: 'test', node: 'a', leaseSeconds: 2, mayLead: true },
      etcd: {
        ...{ endpoints: [], caFile: null, certificateFile: null, keyFile: null, user: null, passwordFile: null },
      },
      link: { host: '127.0.0.1', port: 0, address: null },
    },
  };
});

afterEach(async () => {
  await log.close();
  rmSync(directory.root, { recursive: true, force: true });
});

const voidedNote = (): BrokenNote => ({ ...noteAt(broken, entryAt(broken).epoch), voidedTo: as<Seq>(last) });

/** Leaves a note on the node's disk, as its process did when it died. */
function noteOnDisk(term: Epoch | null | undefined): void {
  const { seq, epoch, at, commandKind, account, invariant, notedAt } = voidedNote();
  const note: BrokenEntryNote = {
    ...{ seq, epoch, at, commandKind, account, invariant, notedAt, foundBy: 'apply', build: '0.5.0' },
    ...(term === undefined ? {} : { term }),
  };
  writeNote(directory, note);
}

/** A later leader hands over that the entry was voided. */
async function beginAfterVoid(): Promise<void> {
  const { at, head } = await headOf(log);
  const epoch = as<Epoch>(head.epoch + 1);
  const leader = leaderOf('b', epoch);
  const passing = await passingOf(log, leader);
  const handover = { ...passing.handover, broken: [voidedNote()] };
  await log.campaign(at, { ...head, epoch }, leader, 60, { ...passing, handover });
}

const lastOf = async (): Promise<number> => (await openJournalReader(nodeFileOperations, directory.journal)).last();

test('DEC-CLU-12: a start tells what its last run could not, and ends the term of that', async () => {
  const { leader } = await lead(log, 'a');
  noteOnDisk(leader.epoch);
  expect(await passOnNote(parts, directory)).toBeNull();
  expect((await log.handover())!.handover.broken).toMatchObject([{ seq: broken, node: 'a', voidedTo: null }]);
  expect(await log.leader()).toBeNull();
  expect(readNote(directory)).toBeNull();
});

test('DEC-CLU-12: where another node has led since, a start keeps its note for as long as it has the entry', async () => {
  const term = await lead(log, 'a');
  await term.resign();
  expect(await campaign(log, 'b')).not.toBeNull();
  noteOnDisk(term.leader.epoch);
  const own = await passOnNote(parts, directory);
  expect(own).toMatchObject({ seq: broken, builds: ['0.5.0'] });
  expect((await log.handover())!.handover.broken).toEqual([]);
  expect(await stillThere(directory, own)).toEqual(own);
  expect(readNote(directory)).not.toBeNull();

  quorum.expireLeader();
  await beginAfterVoid();
  await cutVoided(parts, directory);
  expect(await stillThere(directory, own)).toBeNull();
  expect(readNote(directory)).toBeNull();
});

test('DEC-CLU-11: a start takes out what was voided while it did not run, keeps it with a list, and does so once', async () => {
  await beginAfterVoid();
  for (const _ of [1, 2]) {
    await cutVoided(parts, directory);
    expect(await lastOf()).toBe(broken - 1);
    const [folder, ...others] = readdirSync(directory.quarantine);
    expect(others).toEqual([]);
    const lines = readFileSync(join(directory.quarantine, folder!, 'entries.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([6, 7, 8]);
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('Entries 6 to 8 were voided');
});

test('a note of a node that followed is of no use to the cluster, and one of an exchange of one node is left alone', async () => {
  await lead(log, 'b');
  noteOnDisk(null);
  expect(await passOnNote(parts, directory)).toBeNull();
  expect(existsSync(directory.brokenEntry)).toBe(false);
  noteOnDisk(undefined);
  expect(await passOnNote(parts, directory)).toBeNull();
  expect(readNote(directory)).not.toBeNull();
  expect((await log.handover())!.handover.broken).toEqual([]);
});
