import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfAct, noActs } from '#model/act.ts';
import type { Command, Entry } from '#model/command.ts';
import { type AccountId, as, type Seq, type TimestampMs } from '#model/units.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { createEngine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { verifyActs } from '#main/audit/verify-acts.ts';
import { type DataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { operated } from '../operated.ts';
import { batchOf } from '../ports/memory-journal.ts';

const files = nodeFileOperations;
const notice = (): void => {};
const acts = 40;
/** Entries before the first act: what opens the account. */
const opening = 2;
/** Snapshots are taken after these acts. */
const savedAfter = [15, 30] as const;
const segmentSize = 4096;
const folder = mkdtempSync(join(tmpdir(), 'bourse-audit-'));
const sound = layoutOf(join(folder, 'sound'));
let copies = 0;

/** A reason that can be found in the bytes of a file. */
const reasonOf = (number: number): string => `reason-${String(number).padStart(3, '0')} ${'x'.repeat(180)}`;

/** The commands of a small exchange; `changed`: another reason of that act. */
function commandsOf(changed: number | null): Command[] {
  const account = as<AccountId>(4);
  const shape = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
  const level = (number: number): Command => {
    const command = { kind: 'setKycLevel', account, kycLevel: number % 7 } as const;
    return operated(number % 2 === 0 ? 'erin' : 'dan', command, {
      reason: number === changed ? 'what nobody said' : reasonOf(number),
    });
  };
  return [
    { kind: 'recordProfile', profile: 'production' },
    { kind: 'openAccount', uid: as(10_000_004), name: 'alice', ...shape },
    ...Array.from({ length: acts }, (_, index) => level(index + 1)),
  ];
}

/** Writes journal and snapshots; history too if it is to be told. */
async function writeExchange(directory: DataDirectory, changed: number | null, isTold: boolean): Promise<void> {
  mkdirSync(directory.root, { recursive: true });
  const engine = createEngine();
  const store = new SqliteHistoryStore(isTold ? directory.history : ':memory:');
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  const journal = await FileJournal.open({ files, directory: directory.journal, segmentSize, notice });
  const snapshots = new FileSnapshotStore({ files, directory: directory.snapshots, notice });
  for (const [index, command] of commandsOf(changed).entries()) {
    const at = as<TimestampMs>(1_700_000_000_000 + index * 1000);
    const entry: Entry = { seq: as<Seq>(index + 1), epoch: as(0), at, command };
    await journal.append(as<Seq>(index), batchOf([entry]));
    engine.apply(entry, writer);
    if (savedAfter.some((saved) => index + 1 === saved + opening))
      await snapshots.save({ at: entry.seq, digest: engine.digest(), image: engine.snapshot() });
  }
  await writer.flush(engine.seq);
  await writer.close();
  await store.close();
  await journal.whenIdle();
  await journal.close();
}

/** A copy of the exchange in which something is done; what verification says of it then. */
async function verifyAfter(change: (directory: DataDirectory) => void | Promise<void>) {
  copies += 1;
  const directory = layoutOf(join(folder, `copy-${copies}`));
  cpSync(sound.root, directory.root, { recursive: true });
  await change(directory);
  const { isSound, text } = await verifyActs(directory, () => {});
  return { isSound, faults: text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : [])), text };
}

const inHistory = (sql: string) => (directory: DataDirectory) => {
  const database = new Database(directory.history);
  database.exec(sql);
  database.close();
};

/** Turns one bit of each byte in a file where a text begins: a database may keep old copies of a page. */
function flip(path: string, text: string): void {
  const bytes = readFileSync(path);
  let at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  for (; at !== -1; at = bytes.indexOf(text, at + 1)) bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

/** Writes all acts from one on anew, so that they are a chain again. */
function rewriteFrom(path: string, number: number): void {
  const database = new Database(path);
  const columns = `number, seq, at, actor, token, address, idempotency_key AS idempotencyKey,
    command_kind AS commandKind, target_id AS targetId, parameters, changes, reason, refusal, hash`;
  const rows = database.prepare(`SELECT ${columns} FROM operatorActs ORDER BY number`).all([]) as never as Parameters<
    typeof hashOfAct
  >[1][];
  let before = noActs.hash;
  for (const row of rows) {
    const act = { ...row, targetKind: 'account' as const };
    if (row.number === number) Object.assign(act, { reason: 'what nobody said' });
    const hash = hashOfAct(before, act);
    database
      .prepare('UPDATE operatorActs SET hash = ?, reason = ? WHERE number = ?')
      .run([hash, act.reason, row.number]);
    before = hash;
  }
  database.close();
}

beforeAll(() => writeExchange(sound, null, true));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How people are told of an act. */
const named = (number: number): string =>
  `act ${number} (entry ${number + opening}, setKycLevel by ${number % 2 === 0 ? 'erin' : 'dan'})`;

describe('DEC-OPR-196: an audit that nobody touched', () => {
  test('is sound, and its report tells what was compared', async () => {
    const { isSound, text } = await verifyAfter(() => {});
    expect(text.split('\n').map((line) => line.replace(/[0-9a-f]{64}/, 'hash'))).toEqual([
      'History    40 acts, up to entry 42',
      'Journal    40 acts, from the first entry to entry 42',
      'Snapshots  the snapshot at entry 17: act 15, the snapshot at entry 32: act 30',
      'Head       act 40, hash',
      'All sound.',
      '',
    ]);
    expect(isSound).toBe(true);
  });

  test('stays sound after old segments and snapshots went, and where history is behind', async () => {
    const { isSound, text } = await verifyAfter(async (directory) => {
      await release(directory);
      inHistory('DELETE FROM operatorActs WHERE number > 35; UPDATE progress SET watermark = 37')(directory);
    });
    expect(text).toContain('from the snapshot at entry 17 to entry 42');
    expect(isSound).toBe(true);
  });
});

/** Deletes the segments before the older snapshot. */
async function release(directory: DataDirectory): Promise<void> {
  const journal = await FileJournal.open({ files, directory: directory.journal, segmentSize, notice });
  await journal.release(as<Seq>(savedAfter[0] + opening));
  expect(journal.first()).toBeGreaterThan(1);
  await journal.close();
}

describe('DEC-OPR-196: whatever was changed in history is found and named', () => {
  test.each([
    ['its reason', `reason = 'another'`],
    ['its reason to none', 'reason = NULL'],
    ['its operator', `actor = 'mallory'`],
    ['its token', `token = 'root'`],
    ['its address', `address = '127.0.0.2'`],
    ['its key', `idempotency_key = 'k'`],
    ['its target', `target_id = '10000005'`],
    ['the kind of its target', 'target_kind = 2'],
    ['what was asked for', `parameters = replace(parameters, '"kycLevel":', '"kycLevel": ')`],
    ['what it changed', `changes = '[]'`],
    ['that it was refused', `refusal = 'unknownAccount', is_refused = 1`],
    ['its hash', `hash = '${'ab'.repeat(32)}'`],
    ['when it was', 'at = at + 1'],
    ['its number', 'number = 1000'],
  ])('%s', async (_, change) => {
    const { isSound, faults } = await verifyAfter(inHistory(`UPDATE operatorActs SET ${change} WHERE number = 17`));
    expect([isSound, faults.length]).toEqual([false, 1]);
    expect(faults[0]).toContain(change.includes('actor') ? 'act 17 (entry 19,' : '(entry 19, setKycLevel by dan)');
    expect(faults[0]).toContain('is not what its hash says');
    expect(faults[0]).toContain('act 17');
  });

  test('that it is found as refused', async () => {
    const { faults } = await verifyAfter(inHistory('UPDATE operatorActs SET is_refused = 1 WHERE number = 17'));
    expect(faults).toEqual([`${named(17)} of history is found as if it was refused`]);
  });

  test('a kind of target that there is not', async () => {
    const { faults } = await verifyAfter(inHistory('UPDATE operatorActs SET target_kind = 99 WHERE number = 17'));
    expect(faults).toEqual(['act 17 of history cannot be read: history has no target_kind 99']);
  });

  test('one that is gone, one that is added, two that are one', async () => {
    expect((await verifyAfter(inHistory('DELETE FROM operatorActs WHERE number = 17'))).faults).toEqual([
      'act 17 of history is missing',
    ]);
    expect((await verifyAfter(inHistory('DELETE FROM operatorActs WHERE number IN (17, 18)'))).faults).toEqual([
      'act 17 to 18 of history is missing',
    ]);
    expect((await verifyAfter(inHistory('DELETE FROM operatorActs WHERE number = 40'))).faults).toEqual([
      `${named(40)} is missing in history`,
    ]);
    const copied = `INSERT INTO operatorActs SELECT at + 1, seq + 1, 41, actor, token, address, idempotency_key, reason,
      command_kind, target_kind, target_id, parameters, changes, refusal, is_refused, hash
      FROM operatorActs WHERE number = 40`;
    expect((await verifyAfter(inHistory(copied))).faults).toEqual([
      `act 41 (entry 43, setKycLevel by erin) of history is not what its hash says`,
      'history has 1 acts after act 40, the journal none',
    ]);
    const moved = 'UPDATE operatorActs SET at = at + 1500 WHERE number = 17';
    expect((await verifyAfter(inHistory(moved))).faults).toContain('act 17 of history is missing');
  });

  test.each([1, 17, 40])('a flipped bit in the file, in act %i', async (number) => {
    const { isSound, faults } = await verifyAfter(({ history }) => flip(history, reasonOf(number)));
    expect([isSound, faults]).toEqual([false, [`${named(number)} of history is not what its hash says`]]);
  });

  test('a chain that was written anew does not lead to the heads of journal and snapshots', async () => {
    const { isSound, faults } = await verifyAfter(({ history }) => rewriteFrom(history, 17));
    expect(isSound).toBe(false);
    expect(faults).toEqual([`${named(17)} of history is another one than the journal gives`]);
    const late = await verifyAfter(async (directory) => {
      await release(directory);
      rewriteFrom(directory.history, 3);
    });
    expect(late.faults).toEqual([
      'the acts of history up to 15 do not lead to the head that the snapshot at entry 17 has',
    ]);
  });

  test('history that is missing, or no database', async () => {
    const missing = await verifyAfter(({ history }) => rmSync(history));
    expect(missing.faults[0]).toContain('history.db is missing');
    const spoiled = await verifyAfter(({ history }) => writeFileSync(history, 'no database'.repeat(1000)));
    expect([missing.isSound, spoiled.isSound]).toEqual([false, false]);
    expect(spoiled.faults[0]).toContain('history.db cannot be read');
  });
});

describe('DEC-OPR-196: whatever was changed in the journal is found and named', () => {
  const segments = ({ journal }: DataDirectory): string[] => readdirSync(journal).map((name) => join(journal, name));

  test('a flipped bit in the segment that is written to: file, byte, entry and act', async () => {
    const numbers = Array.from({ length: acts }, (_, index) => index + 1);
    const holds = (path: string, number: number): boolean => readFileSync(path).includes(reasonOf(number));
    const first = numbers.find((number) => segments(sound).some((path) => holds(path, number)))!;
    expect(first).toBeLessThan(acts);
    const { isSound, faults } = await verifyAfter((directory) =>
      flip(segments(directory).find((path) => holds(path, first))!, reasonOf(first)),
    );
    expect([isSound, faults]).toEqual([
      false,
      [
        expect.stringMatching(/\.journal at byte \d+: record does not match its checksum/),
        `after act ${first - 1} (up to entry ${first - 1 + opening}) nothing of the journal can be compared`,
      ],
    ]);
  });

  test('a flipped bit in a compressed segment', async () => {
    const compressed = (directory: DataDirectory): string => segments(directory).find((path) => path.endsWith('.z'))!;
    const { isSound, faults } = await verifyAfter((directory) => {
      const bytes = readFileSync(compressed(directory));
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      writeFileSync(compressed(directory), bytes);
    });
    expect(isSound).toBe(false);
    expect(faults[0]).toMatch(/at byte \d+: /);
    expect(faults.at(-1)).toMatch(/^after act \d+ \(up to entry \d+\) nothing of the journal can be compared$/);
  });

  test('a journal that somebody wrote anew with another act', async () => {
    const { isSound, faults } = await verifyAfter(async (directory) => {
      rmSync(directory.journal, { recursive: true });
      rmSync(directory.snapshots, { recursive: true });
      await writeExchange(directory, 17, false);
    });
    expect([isSound, faults]).toEqual([false, [`${named(17)} of history is another one than the journal gives`]]);
  });

  test('a snapshot of another exchange', async () => {
    const other = layoutOf(join(folder, 'other'));
    await writeExchange(other, 17, false);
    const { faults } = await verifyAfter((directory) =>
      cpSync(other.snapshots, directory.snapshots, { recursive: true }),
    );
    expect(faults).toEqual(['the snapshot at entry 32 has another head of the acts than the journal gives']);
  });
});
