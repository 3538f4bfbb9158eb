import { chmodSync, closeSync, openSync } from 'node:fs';
import Database from 'libsql';
import type { HistoryTable, StoredValue } from '#history/tables/history-table.ts';
import { PackedReader, type PackedRows } from '#history/worker/packed-rows.ts';
import { insertSql } from '#history/sqlite/table-sql.ts';

/** Rows of one INSERT; the rest of a batch goes row by row. */
const rowsPerInsert = 50;

const ownerOnly = 0o600;

/** How long to wait for a file that is in use, in milliseconds. */
export const openTimeoutMs = 5000;

/** A prepared statement that answers rows as arrays. */
export type Statement = Database.Statement;

/** Inserts rows of one table, many per statement, because each call into the database is expensive. */
export interface RowInserter {
  /** What becomes of a row whose key is there already is its statement's to say. */
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

  /**
   * `migrations` in order; the file remembers how many it has taken. `isTemporary`: nobody needs it after the process,
   * so that nothing waits for the disk.
   * @throws HistoryTooNew when it has taken more.
   */
  constructor(path: string, migrations: readonly string[], { isTemporary = false } = {}) {
    keepDatabasePrivate(path);
    // A process that is exiting may still hold the file for a moment.
    this.#database = new Database(path, { timeout: openTimeoutMs });
    // History can be rebuilt from the journal: it must stay consistent, but may lose its last batches in a power cut.
    for (const setting of [
      'journal_mode = WAL',
      `synchronous = ${isTemporary ? 'OFF' : 'NORMAL'}`,
      // Checkpoint rarely, so that pages touched by many batches are copied once: 8,000 pages are 32 MB.
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

  inserter(table: HistoryTable, sqlOf: typeof insertSql = insertSql): RowInserter {
    // Prepared by the first rows: many tables of a small history never have any.
    let many: Statement | null = null;
    let one: Statement | null = null;
    const prepared = (rows: number): Statement => this.#database.prepare(sqlOf(table, rows));
    return {
      write(rows) {
        const reader = new PackedReader(table, rows);
        while (reader.rowsLeft >= rowsPerInsert) {
          many ??= prepared(rowsPerInsert);
          many.run(reader.take(rowsPerInsert));
        }
        while (reader.rowsLeft > 0) {
          one ??= prepared(1);
          one.run(reader.take(1));
        }
      },
    };
  }

  /** Writes a copy into a new file that only its owner may read. */
  copyTo(path: string): void {
    // An empty file is taken as a new database.
    closeSync(openSync(path, 'wx', ownerOnly));
    this.#database.prepare('VACUUM INTO ?').run([path]);
  }

  /** Moves the WAL into the main file, so that the next start need not read it. */
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

/**
 * Makes a database file and its WAL files readable for their owner only: they contain private trades. SQLite creates
 * WAL files with the mode of the main file. No effect for a database in memory, `:memory:`. DEC-REQ-44.
 * @throws Error of the file system where the file can be neither made nor changed.
 */
function keepDatabasePrivate(path: string): void {
  if (path === ':memory:') return;
  closeSync(openSync(path, 'a', ownerOnly));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, ownerOnly);
    } catch (error) {
      if (file === path || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
