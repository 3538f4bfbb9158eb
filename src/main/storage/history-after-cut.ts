import { existsSync, rmSync } from 'node:fs';
import { noopSink } from '#model/event-record.ts';
import type { OrderNumber, Seq, TradeNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import { type HistoryMark, HistoryNotReversible } from '#history/sqlite/history-take-back.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { depositRow, withdrawalRow } from '#history/tables/wallet-rows.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader, type JournalReader } from '#journal/journal-reader.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { replay, restoreNewest } from '#sequencer/recovery.ts';
import { walletQueries } from '#sequencer/queries/wallet-queries.ts';

/** History contains rows of removed entries, and the kept data does not suffice to correct it. */
export class HistoryBeyondCut extends Error {
  override name = 'HistoryBeyondCut';
}

/** Stores and message callback. */
export interface HistoryAfterCut {
  readonly files: FileOperations;
  readonly directory: DataDirectory;
  readonly tell: (message: string) => void;
}

/**
 * Removes everything from entry `from` on from history, because the journal now ends before it: an older build, or a
 * replay before it failed, may have written such rows. If the journal has its first entries, the whole database is
 * deleted and the next start rebuilds it; otherwise the later rows are deleted.
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
      store.takeBack(await markOf(await engineAtEnd(files, directory, reader, tell)));
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

/** The mark of an exchange in this state, for history. */
async function markOf(engine: StateMachine): Promise<HistoryMark> {
  const { state } = engine;
  const users = state.accounts.all();
  const open = users.flatMap(({ account }) => openOrdersOf(state, account, null));
  const simulated = new Set(users.filter((user) => user.simulated).map(({ account }) => account));
  const { liveDeposits, liveWithdrawals } = walletQueries(engine);
  const deposits = (await liveDeposits(null))
    .filter(({ account }) => !simulated.has(account))
    // The entry that changed them last is not known any more: it is this one or an earlier one.
    .map((deposit) => depositRow(deposit, state.progress.seq));
  const masters = new Map(users.flatMap(({ account, master }) => (master === account ? [] : [[account, master]])));
  const withdrawals = (await liveWithdrawals(null)).filter(({ account }) => !simulated.has(account));
  return {
    upTo: state.progress.seq,
    at: state.at,
    lastOrder: as<OrderNumber>(state.tables.lastOrder),
    openOrders: open.map(({ order }) => order),
    lastTrades: state.books.map(({ trades }) => as<TradeNumber>(trades)),
    replaced: {
      deposits,
      subAccountDeposits: deposits.flatMap((row) => {
        const master = masters.get(row.account);
        return master === undefined ? [] : [{ master, ...row }];
      }),
      withdrawals: withdrawals.map((withdrawal) => withdrawalRow(withdrawal, state.progress.seq)),
    },
  };
}

/** Deletes the database, its main file first: without that the WAL files are ignored. */
export function removeHistory(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
