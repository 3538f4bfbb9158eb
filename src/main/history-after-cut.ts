import { existsSync, rmSync } from 'node:fs';
import { noopSink } from '#domain/event-record.ts';
import type { OrderNumber, Seq, TradeNumber } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { openOrdersOf, userAccounts } from '#engine/engine-queries.ts';
import { type HistoryMark, HistoryNotReversible } from '#history/history-take-back.ts';
import { SqliteHistoryStore } from '#history/sqlite-history-store.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader, type JournalReader } from '#journal/journal-reader.ts';
import type { DataDirectory } from '#main/data-directory.ts';
import { replay, restoreNewest } from '#sequencer/recovery.ts';

/** History tells of entries that are no more, and cannot be put right by what is kept. */
export class HistoryBeyondCut extends Error {
  override name = 'HistoryBeyondCut';
}

/** Whose history, and who hears of it. */
export interface HistoryAfterCut {
  readonly files: FileOperations;
  readonly directory: DataDirectory;
  readonly tell: (message: string) => void;
}

/**
 * Makes history tell of nothing from `from` on, where the journal ends now: an older build, or one whose replay broke,
 * may have written some of it. Where the journal reaches back to its beginning history is removed, so that the next
 * start writes it anew; else what came later is taken out of it.
 * @throws HistoryBeyondCut when neither is possible.
 */
export async function putHistoryRight({ files, directory, tell }: HistoryAfterCut, from: Seq): Promise<void> {
  if (!existsSync(directory.history)) return;
  const store = new SqliteHistoryStore(directory.history);
  try {
    const watermark = await store.watermark();
    if (watermark < from) return;
    const reader = await openJournalReader(files, directory.journal);
    if (reader.first() > 1) {
      store.takeBack(markOf(await engineAtEnd(files, directory, reader, tell)));
      tell(`history.db told of entries up to ${watermark}: what it told from entry ${from} on was taken out of it.`);
      return;
    }
    tell(`history.db told of entries up to ${watermark}: the next start writes it anew from the journal.`);
  } catch (error) {
    if (!(error instanceof HistoryNotReversible)) throw error;
    throw new HistoryBeyondCut(
      `history.db tells of entries from ${from} on, which the journal no longer has, and cannot be put right: ` +
        `${error.message}; put the history.db of a backup in its place that is older than entry ${from}`,
    );
  } finally {
    await store.close();
  }
  removeHistory(directory.history);
}

/** The state at the end of the journal. */
async function engineAtEnd(
  files: FileOperations,
  directory: DataDirectory,
  reader: JournalReader,
  tell: (message: string) => void,
): Promise<StateMachine> {
  const store = new FileSnapshotStore({ files, directory: directory.snapshots, notice: tell });
  const engine = await restoreNewest(reader, store, { notice: tell });
  await replay(engine, reader, noopSink, () => {});
  return engine;
}

/** Where an exchange with this state stands, as history names it. */
function markOf({ state }: StateMachine): HistoryMark {
  const open = userAccounts(state).flatMap(({ account }) => openOrdersOf(state, account, null));
  return {
    upTo: state.seq,
    at: state.at,
    lastOrder: as<OrderNumber>(state.tables.lastOrder),
    openOrders: open.map(({ order }) => order),
    lastTrades: state.books.map(({ trades }) => as<TradeNumber>(trades)),
  };
}

/** Removes the database, first its main file: what is left of it without that is nothing. */
export function removeHistory(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
