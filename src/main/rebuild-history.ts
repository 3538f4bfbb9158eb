import { rmSync } from 'node:fs';
import { createEngine } from '#engine/create-engine.ts';
import { SqliteHistoryStore } from '#history/sqlite-history-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { forgetDamage } from '#main/damaged-history.ts';
import type { DataDirectory } from '#main/data-directory.ts';
import { startHistoryWriter } from '#projections/history-writer.ts';
import { JournalTooShort, replay } from '#sequencer/recovery.ts';

/**
 * Writes the history database of a stopped exchange anew, from the first command on.
 * @throws JournalTooShort when retention has let the beginning of the journal go; the old history stays as it is.
 */
export async function rebuildHistory(directory: DataDirectory, tell: (message: string) => void): Promise<void> {
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  if (reader.first() > 1) {
    throw new JournalTooShort(
      `the journal begins at entry ${reader.first()}: what came before it cannot be told again; ` +
        'history.db stays as it is',
    );
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${directory.history}${suffix}`, { force: true });
  forgetDamage(directory.history);
  const store = new SqliteHistoryStore(directory.history);
  const failures: unknown[] = [];
  const writer = await startHistoryWriter({
    store,
    later: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onFailure: (error) => failures.push(error),
  });
  const engine = createEngine();
  const step = 50_000;
  while (engine.seq < reader.last()) {
    const upTo = Math.min(engine.seq + step, reader.last()) as typeof engine.seq;
    await replay(engine, reader, writer, () => {}, upTo);
    await writer.flush(upTo);
    tell(`Rebuilding history: ${Math.floor((upTo / reader.last()) * 100)} % of ${reader.last()} commands.`);
  }
  await writer.close();
  await store.close();
  if (failures.length > 0) throw failures[0];
}
