import type { HistoryStore } from '#history/history-store.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { historyTables } from '#history/tables/history-tables.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { isDamageNoted, noteDamage } from '#main/storage/damaged-history.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** History that can be written into a new file. */
export interface CopiedHistory extends HistoryStore {
  copyTo(path: string): Promise<void>;
}

/** What history is opened with. */
interface HistoryParts {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  /** Prints a message on the terminal. */
  readonly tell: (message: string) => void;
  readonly isTemporary?: boolean | undefined;
}

/**
 * The history of a data directory: on a thread of its own, or where it is small and nobody needs it after the process,
 * on this one. While the exchange is open, damage is recorded for the next start; before that, the caller handles it.
 * DEC-KIT-38.
 */
export function openHistory(
  { config, directory: { history }, tell, isTemporary = false }: HistoryParts,
  isOpen: () => boolean,
): CopiedHistory {
  if (isTemporary && !config.simulate) return new SqliteHistoryStore(history, historyTables, { isTemporary });
  return new WorkerHistoryStore(history, (damage) => {
    if (!isOpen() || isDamageNoted(history)) return;
    noteDamage(history);
    tell(`${history} is damaged (${damage.message}). Trading goes on; start again to make history anew.`);
  });
}
