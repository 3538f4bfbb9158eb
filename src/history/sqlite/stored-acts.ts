import { historyTables } from '#history/tables/history-tables.ts';
import { rowOf, type StoredValue } from '#history/tables/history-table.ts';
import type { OperatorActRow } from '#history/tables/wallet-tables.ts';
import { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { schemaMigrations, selection } from '#history/sqlite/table-sql.ts';

const table = historyTables.operatorActs;

/** An act as it is stored, or why it cannot be read. */
export type StoredAct = { readonly row: OperatorActRow } | { readonly fault: string };

/** Acts of a history database of a stopped exchange, in the order of their entries. `close` ends it. */
export interface StoredActs {
  /** Each act is read by itself: one that is not readable hides no other. @throws where the file itself is damaged. */
  all(): Iterable<StoredAct>;
  /** What the database says of its table and indexes; nothing where they are whole. */
  damage(): readonly string[];
  watermark(): number;
  close(): void;
}

/** Opens the acts of a history database. @throws where it is none, or of a later version of this software. */
export function openStoredActs(path: string): StoredActs {
  const database = new SqliteConnection(path, schemaMigrations(historyTables));
  return {
    *all() {
      const rows = database.statement(`SELECT ${selection(table)} FROM ${table.name} ORDER BY at, seq`);
      for (const values of rows.iterate([]) as IterableIterator<StoredValue[]>) yield readAct(values);
    },
    damage: () =>
      database
        .all(`PRAGMA integrity_check(${table.name})`, [])
        .map(([said]) => String(said))
        .filter((said) => said !== 'ok'),
    watermark: () => Number(database.one('SELECT watermark FROM progress', [])![0]),
    close: () => database.close(),
  };
}

function readAct(values: readonly StoredValue[]): StoredAct {
  try {
    return { row: rowOf(table, values) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}
