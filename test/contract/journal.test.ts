import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#domain/units.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { MemoryDisk } from '#journal/memory-file-operations.ts';
import { MemoryJournal } from '#journal/memory-journal.ts';
import { MemorySnapshotStore } from '#journal/memory-snapshot-store.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { entriesFrom, openJournal, openSnapshots, smallSegment } from '../crash/journal-script.ts';
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
  await journal.append(as(0), entriesFrom(1, 1));
  await journal.close();
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, '0000000001.journal'))).mode & 0o777).toBe(0o600);
});
