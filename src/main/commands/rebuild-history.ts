import { machineTimer } from '#base/clock.ts';
import { createEngine } from '#engine/create-engine.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { openJournalReader, type JournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { forgetDamage } from '#main/storage/damaged-history.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { removeHistory } from '#main/storage/history-after-cut.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { EntryBroken, JournalTooShort, replay } from '#sequencer/recovery.ts';

/**
 * Rebuilds the history database of a stopped exchange from the first command on.
 * @throws JournalTooShort if retention has deleted the beginning of the journal; the old history stays as it is.
 * @throws EntryBroken if an entry cannot be applied; history then contains everything before it.
 */
export async function rebuildHistory(directory: DataDirectory, tell: (message: string) => void): Promise<void> {
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  if (reader.first() > 1) {
    throw new JournalTooShort(
      `the journal begins at entry ${reader.first()}: what came before it cannot be told again; ` +
        'history.db stays as it is',
    );
  }
  forgetDamage(directory.history);
  try {
    await rebuildUpTo(directory, reader, reader.last(), tell);
  } catch (error) {
    if (!(error instanceof EntryBroken)) throw error;
    // The batch with the broken entry was dropped, rows of earlier entries included: rebuild up to that entry.
    await rebuildUpTo(directory, reader, as<Seq>(error.broken.seq - 1), tell);
    tell(`History tells of everything up to entry ${error.broken.seq - 1}.`);
    throw error;
  }
}

const entriesPerStep = 50_000;

async function rebuildUpTo(
  directory: DataDirectory,
  reader: JournalReader,
  last: Seq,
  tell: (message: string) => void,
): Promise<void> {
  removeHistory(directory.history);
  const store = new SqliteHistoryStore(directory.history);
  const failures: unknown[] = [];
  const writer = await startHistoryWriter({
    store,
    setTimer: machineTimer,
    onFailure: (error) => failures.push(error),
  });
  const engine = createEngine();
  try {
    while (engine.seq < last) {
      const upTo = as<Seq>(Math.min(engine.seq + entriesPerStep, last));
      await replay(
        engine,
        reader,
        writer,
        () => {},
        upTo,
        () => writer.abandon(),
      );
      await writer.flush(upTo);
      tell(`Rebuilding history: ${Math.floor((upTo / last) * 100)} % of ${last} commands.`);
    }
  } finally {
    await writer.close();
    await store.close();
  }
  if (failures.length > 0) throw failures[0];
}
