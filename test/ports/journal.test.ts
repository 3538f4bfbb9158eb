import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { MemoryDisk } from './memory-file-operations.ts';
import { MemoryJournal } from './memory-journal.ts';
import { MemorySnapshotStore } from './memory-snapshot-store.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import {
  batchFrom,
  entriesFrom,
  journalDirectory,
  openJournal,
  openSnapshots,
  readAll,
  smallSegment,
} from '../crash/journal-script.ts';
import { describeJournal, describeSnapshotStore } from './journal.contract.ts';

const directories: string[] = [];
async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'journal-'));
  directories.push(directory);
  return directory;
}
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

const openIn = (directory: string): Promise<FileJournal> =>
  FileJournal.open({
    files: nodeFileOperations,
    directory,
    segmentSize: smallSegment,
    notice: (message) => expect(message).toBe(''),
  });

describeJournal('memory', async () => {
  const journal = new MemoryJournal();
  return { open: async () => journal, reopen: null, cleanUp: async () => undefined };
});

describeJournal('files in memory', async () => {
  const disk = new MemoryDisk(createPrng(1));
  const open = (): Promise<FileJournal> => openJournal(disk);
  return { open, reopen: open, cleanUp: async () => undefined };
});

describeJournal('files', async () => {
  const directory = join(await newDirectory(), 'a', 'b');
  const open = (): Promise<FileJournal> => openIn(directory);
  return { open, reopen: open, cleanUp: async () => undefined };
});

describeSnapshotStore('memory', async () => new MemorySnapshotStore());
describeSnapshotStore('files in memory', async () => openSnapshots(new MemoryDisk(createPrng(1))));
describeSnapshotStore(
  'files',
  async () =>
    new FileSnapshotStore({
      files: nodeFileOperations,
      directory: join(await newDirectory(), 'snapshots'),
      notice: (message) => expect(message).toBe(''),
    }),
);

test('files and directories of the journal are for their owner only', async () => {
  const directory = join(await newDirectory(), 'journal');
  const journal = await openIn(directory);
  await journal.append(as(0), batchFrom(1, 1));
  await journal.close();
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, '0000000001.journal'))).mode & 0o777).toBe(0o600);
});

test('the same origin and the same batches give the same bytes', async () => {
  const write = async (): Promise<MemoryDisk> => {
    const disk = new MemoryDisk(createPrng(1));
    const journal = await openJournal(disk);
    for (let first = 1; first < 100; first += 9) await journal.append(as(first - 1), batchFrom(first, 9));
    await journal.close();
    return disk;
  };
  const [one, other] = [await write(), await write()];
  expect(one.paths()).toEqual(other.paths());
  for (const path of one.paths()) expect(Buffer.compare(one.content(path), other.content(path))).toBe(0);
});

test('a reader beside the writer sees what is acknowledged, whatever is sealed or let go meanwhile', async () => {
  const directory = join(await newDirectory(), 'journal');
  const journal = await openIn(directory);
  await journal.append(as(0), batchFrom(1, 20));
  let acknowledged = journal.last();
  let reading = acknowledged; // A slow reader needs what stands before it.
  const writing = (async () => {
    for (; acknowledged < 2000; acknowledged = journal.last()) {
      await journal.append(as(acknowledged), batchFrom(acknowledged + 1, 20));
      if (acknowledged % 500 === 0) await journal.release(as(Math.min(acknowledged - 400, reading - 100)));
    }
  })();
  for (let round = 0; round < 20; round += 1) {
    reading = acknowledged;
    const reader = await openJournalReader(nodeFileOperations, directory, reading);
    expect(reader.last()).toBeGreaterThanOrEqual(reading);
    const tail = Math.max(reader.first(), reader.last() - 100);
    expect(await readAll(reader, tail)).toEqual(entriesFrom(tail, reader.last() - tail + 1));
  }
  await writing;
  await journal.close();
});

test('a reader that asks for no more than a durable entry is not misled by what is appended while it looks', async () => {
  const disk = new MemoryDisk(createPrng(1));
  const options = { directory: journalDirectory, segmentSize: 1 << 18, notice: () => {} };
  const journal = await FileJournal.open({ ...options, files: disk });
  await journal.append(as(0), batchFrom(1, 3));
  let appending = Promise.resolve();
  const readFirst = disk.open.bind(disk);
  /** From here on a batch is appended between any two reads. */
  disk.open = async (path, purpose) => {
    const file = await readFirst(path, purpose);
    const read = file.read.bind(file);
    file.read = async (into, position) => {
      const count = await read(into, position);
      await (appending = appending.then(() => journal.append(journal.last(), batchFrom(journal.last() + 1, 2))));
      return count;
    };
    return file;
  };
  const reader = await openJournalReader(disk, journalDirectory, as(3));
  expect(reader.last()).toBe(3);
  expect(await readAll(reader, 1)).toEqual(entriesFrom(1, 3));
  await expect(openJournalReader(disk, journalDirectory)).rejects.toThrow('a whole batch stands at');
  await journal.close();
});
