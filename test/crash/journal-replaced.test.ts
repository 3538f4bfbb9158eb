import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { JournalUnavailable } from '#journal/journal.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { segmentPath } from '#journal/segment-directory.ts';
import { batchFrom, journalDirectory, openJournal, smallSegment } from './journal-script.ts';

const heldRoot = 'data';

async function open(): Promise<{ readonly disk: MemoryDisk; readonly journal: FileJournal }> {
  const disk = new MemoryDisk(createPrng(1));
  await disk.makeDirectory(heldRoot);
  const journal = await FileJournal.open({
    files: disk,
    directory: journalDirectory,
    heldPaths: [heldRoot],
    segmentSize: smallSegment,
    notice: () => {},
  });
  await journal.append(as(0), batchFrom(1, 5));
  return { disk, journal };
}

describe.each([
  ['the active segment', segmentPath(journalDirectory, 1)],
  ['the journal’s directory', journalDirectory],
  ['the data directory', heldRoot],
])('%s', (_name, path) => {
  test.each([
    ['is removed', false],
    ['gives way to a copy of itself', true],
  ])('%s while running: nothing written afterwards is acknowledged', async (_case, copied) => {
    const { disk, journal } = await open();
    disk.takeAway(path, { copied });
    const failure = await journal.append(as(5), batchFrom(6, 3)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(JournalUnavailable);
    expect(String(failure)).toContain(`${path} was removed, moved or replaced while the exchange was running`);
    await expect(journal.append(as(5), batchFrom(6, 3))).rejects.toBeInstanceOf(JournalUnavailable);
    expect(journal.last()).toBe(5);
  });
});

test('a directory that is removed just before a segment begins is told as such, and nothing is acknowledged', async () => {
  const { disk, journal } = await open();
  await journal.whenIdle();
  let last = 5;
  // The next batch of this size needs another segment.
  for (; disk.content(segmentPath(journalDirectory, 1)).length > 0 && journal.room() > smallSegment + 900; last += 5)
    await journal.append(as(last), batchFrom(last + 1, 5));
  disk.takeAway(heldRoot, { copied: false });
  await expect(journal.append(as(last), batchFrom(last + 1, 40))).rejects.toThrow('was removed, moved or replaced');
});

test('a copy of the directory opens as the journal it was copied from', async () => {
  const { disk, journal } = await open();
  disk.takeAway(heldRoot, { copied: true });
  await expect(journal.append(as(5), batchFrom(6, 3))).rejects.toBeInstanceOf(JournalUnavailable);
  expect((await openJournal(disk)).last()).toBe(5);
});
