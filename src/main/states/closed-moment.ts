import { assert } from '#base/assert.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { CopiedMoment } from '#main/states/copy-exchange.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** The last entry of an exchange that is closed, and its time. It has entries. */
export async function closedMoment({ journal }: Pick<DataDirectory, 'journal'>): Promise<CopiedMoment> {
  const reader = await openJournalReader(nodeFileOperations, journal);
  const last = reader.last();
  for await (const [entry] of reader.read(last))
    if (entry !== undefined) return { lastEntry: entry.seq, exchangeTime: entry.at };
  assert(last === 0, 'the last entry of a journal can be read');
  throw new Error(`${journal} has no entries`);
}
