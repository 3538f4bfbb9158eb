import { mkdirSync, mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, expect, test } from 'vitest';
import { createEventRecorder } from '#model/event-record.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { HistoryTable } from '#history/tables/history-table.ts';
import { historyTables } from '#history/tables/history-tables.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { columnNames } from '#history/sqlite/table-sql.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { moveTailAside } from '#journal/journal-tail.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { putHistoryRight } from '#main/storage/history-after-cut.ts';
import { rebuildHistory } from '#main/commands/rebuild-history.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { BusyHour } from './busy-hour.ts';
import { batchOf } from '../ports/memory-journal.ts';

const count = 3000;
const snapshotAt = 1200;
const folder = mkdtempSync(join(tmpdir(), 'bourse-history-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A busy hour, the state after `snapshotAt`, and what history keeps of its first `upTo` entries. */
async function runHour(history: string, upTo: number) {
  const engine = createEngine();
  const hour = new BusyHour(20_260_104);
  const store = new SqliteHistoryStore(history);
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  const entries: Entry[] = [];
  let snapshot = { digest: engine.digest(), image: engine.snapshot() };
  while (engine.seq < upTo) {
    const entry = hour.next(engine.state);
    const recorder = createEventRecorder();
    const sinks = createFanOut();
    sinks.subscribe(recorder);
    sinks.subscribe(writer);
    engine.apply(entry, sinks);
    hour.observe(recorder.events);
    entries.push(entry);
    if (engine.seq === snapshotAt) snapshot = { digest: engine.digest(), image: engine.snapshot() };
  }
  await writer.flush(engine.seq);
  await writer.close();
  await store.close();
  return { entries, snapshot };
}

/** Rows that are replaced when their subject changes. */
const replacedTables: readonly string[] = [
  historyTables.deposits.name,
  historyTables.subAccountDeposits.name,
  historyTables.withdrawals.name,
];

/**
 * Every row of every table. `afterCut`: without the entry that wrote a replaced row, which nobody knows of one that
 * the cut brought back.
 */
function contentOf(history: string, afterCut = false): Record<string, readonly (readonly unknown[])[]> {
  const database = new Database(history);
  const tables = Object.values<HistoryTable>(historyTables).map((table) => {
    const columns = table.stored.map(({ name }) => name);
    const compared = columns.filter((name) => !afterCut || name !== 'seq' || !replacedTables.includes(table.name));
    return [table.name, compared.join(', '), columnNames(table, table.key)];
  });
  const rows = [...tables, ['progress', '*', 'only']].map(([name, columns, order]) => [
    name,
    database.prepare(`SELECT ${columns} FROM ${name} ORDER BY ${order}`).raw().all([]),
  ]);
  database.close();
  for (const [name, content] of rows) expect(content, `${name}`).not.toEqual([]);
  return Object.fromEntries(rows) as ReturnType<typeof contentOf>;
}

/**
 * Compares what a cut left with what was told up to there. Of the bars of index and fair prices the minute that is cut
 * through goes whole, and coarser ones are made anew of the minutes that are left: minutes are compared. DEC-FUT-33.
 */
function expectSame(cutHistory: string, toldHistory: string, cutAt: number): void {
  const [{ markBars: left = [], ...kept }, { markBars: all = [], ...told }] = [cutHistory, toldHistory].map((history) =>
    contentOf(history, true),
  ) as [ReturnType<typeof contentOf>, ReturnType<typeof contentOf>];
  expect(kept).toEqual(told);
  const isMinute = ([, , span]: readonly unknown[]): boolean => span === 0;
  const isCut = ([, , , openTime]: readonly unknown[]): boolean => openTime === cutAt - (cutAt % 60_000);
  expect(left.filter(isMinute).filter((bar) => !isCut(bar))).toEqual(all.filter(isMinute).filter((bar) => !isCut(bar)));
}

async function makeExchange(isReleased: boolean) {
  const directory = layoutOf(join(folder, 'data'));
  mkdirSync(directory.root, { recursive: true });
  const { entries, snapshot } = await runHour(directory.history, count);
  const files = nodeFileOperations;
  const notice = (): void => {};
  const journal = await FileJournal.open({ files, directory: directory.journal, segmentSize: 16_384, notice });
  for (let at = 0; at < count; at += 20) await journal.append(as<Seq>(at), batchOf(entries.slice(at, at + 20)));
  await journal.whenIdle();
  await new FileSnapshotStore({ files, directory: directory.snapshots, notice }).save({
    at: as(snapshotAt),
    ...snapshot,
  });
  if (isReleased) await journal.release(as<Seq>(snapshotAt));
  expect(journal.first() > 1).toBe(isReleased);
  await journal.close();
  return directory;
}

const cut = async (directory: ReturnType<typeof layoutOf>, from: number): Promise<string[]> => {
  const told: string[] = [];
  const into = `${directory.quarantine}/tail`;
  const note = { name: 'note', text: '' };
  await moveTailAside({ files: nodeFileOperations, ...directory, into, from: as(from), note });
  await putHistoryRight({ files: nodeFileOperations, directory, tell: (line) => told.push(line) }, as<Seq>(from));
  return told;
};

test('where the journal no longer begins at its first entry, history loses what was moved and nothing else', async () => {
  const directory = await makeExchange(true);
  // In the midst of a batch, at its first entry, and right behind the snapshot.
  for (const from of [2507, 2001, snapshotAt + 1]) {
    const told = await cut(directory, from);
    expect(told).toEqual([expect.stringContaining(`what it told from entry ${from} on was taken out of it`)]);
    const expected = join(folder, `expected-${from}.db`);
    const { entries } = await runHour(expected, from - 1);
    expectSame(directory.history, expected, entries.at(-1)!.at);
    rmSync(directory.quarantine, { recursive: true });
  }
});

test('where it does, history is removed to be written anew; one that tells of nothing moved stays', async () => {
  const directory = await makeExchange(false);
  expect(await cut(directory, count + 1)).toEqual([]);
  expect(existsSync(directory.history)).toBe(true);
  expect(await cut(directory, 2507)).toEqual([expect.stringContaining('the next start writes it anew')]);
  expect(existsSync(directory.history)).toBe(false);
});

test('history that is rebuilt from the journal is what it was, in every table', async () => {
  const directory = await makeExchange(false);
  const before = contentOf(directory.history);
  rmSync(directory.history);
  await rebuildHistory(directory, () => {});
  expect(contentOf(directory.history)).toEqual(before);
});
