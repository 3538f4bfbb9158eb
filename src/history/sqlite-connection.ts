import Database from 'libsql';
import type { HistoryTable, StoredValue } from '#history/history-table.ts';
import { PackedReader, type PackedRows } from '#history/packed-rows.ts';
import { keepDatabasePrivate } from '#history/private-database.ts';
import { insertSql } from '#history/table-sql.ts';

/** Rows of one INSERT; the rest of a batch goes row by row. */
const rowsPerInsert = 50;

/** How long a file that is in use is waited for. */
const openTimeoutMs = 5000;

/** A prepared statement that answers rows as arrays. */
export type Statement = Database.Statement;

/** Writes rows of one table by statements of many rows: each call into the database has its price. */
export interface RowInserter {
  /** A row whose key is there already is replaced. */
  write(rows: PackedRows): void;
}

/** The database's name of an error, such as `SQLITE_FULL`; `null` for any other error. */
export const sqliteCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Whether an error says that the file is no database, or not as it was written. */
export const isSqliteDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? '');

/** A later version of this software wrote the file: this one would not understand it. */
export class HistoryTooNew extends Error {
  override name = 'HistoryTooNew';
}

/** The one connection to a SQLite file, brought up to date, its statements prepared once. Rows are column arrays. */
export class SqliteConnection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  /** `migrations` in order; the file remembers how many it has taken. @throws HistoryTooNew when it has taken more. */
  constructor(path: string, migrations: readonly string[]) {
    keepDatabasePrivate(path);
    // A process that is just ending may still hold the file for a moment.
    this.#database = new Database(path, { timeout: openTimeoutMs });
    // History can be rebuilt from the journal: it must never be torn, but may lose its last moments in a power cut.
    for (const setting of [
      'journal_mode = WAL',
      'synchronous = NORMAL',
      // Pages that many batches touch are copied from the log to the file once for all of them: 8,000 are 32 MB.
      'wal_autocheckpoint = 8000',
      'journal_size_limit = 67108864',
      'cache_size = -24576',
    ]) {
      this.#database.exec(`PRAGMA ${setting}`);
    }
    migrate(this.#database, migrations);
  }

  /** All or nothing. */
  transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  all(sql: string, values: readonly StoredValue[]): StoredValue[][] {
    return this.statement(sql).all([...values]) as StoredValue[][];
  }

  one(sql: string, values: readonly StoredValue[]): StoredValue[] | undefined {
    return this.statement(sql).get([...values]) as StoredValue[] | undefined;
  }

  /** Prepared once for each text: texts come from the code, never from outside, so they stay few. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(sql);
    if (prepared.reader) prepared.raw();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  inserter(table: HistoryTable): RowInserter {
    const many = this.#database.prepare(insertSql(table, rowsPerInsert));
    const one = this.#database.prepare(insertSql(table, 1));
    return {
      write(rows) {
        const reader = new PackedReader(table, rows);
        while (reader.rowsLeft >= rowsPerInsert) many.run(reader.take(rowsPerInsert));
        while (reader.rowsLeft > 0) one.run(reader.take(1));
      },
    };
  }

  /** Leaves everything in the main file: the next start has no log to read. */
  close(): void {
    this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().all([]);
    this.#statements.clear();
    this.#database.close();
  }
}

function migrate(database: Database.Database, migrations: readonly string[]): void {
  const [taken] = database.prepare('PRAGMA user_version').raw().get([]) as [number];
  if (taken > migrations.length) {
    throw new HistoryTooNew(`history has schema ${taken}, this version knows ${migrations.length}`);
  }
  for (let step = taken; step < migrations.length; step += 1) {
    database.exec(`BEGIN IMMEDIATE; ${migrations[step]} PRAGMA user_version = ${step + 1}; COMMIT;`);
  }
}
