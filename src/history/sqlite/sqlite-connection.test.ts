import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modes = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
const schema = ['CREATE TABLE fact (id INTEGER);'];

/** Writes to a database and keeps it open, so that its WAL files exist. */
function writeTo(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, schema);
  connection.transaction(() => connection.statement('INSERT INTO fact VALUES (1)').run());
  return connection;
}

test('DEC-REQ-44: history is readable for its owner only, its log and index too', () => {
  const before = process.umask(0);
  try {
    const connection = writeTo(join(folder, 'history.db'));
    expect(modes()).toEqual({ 'history.db': '600', 'history.db-shm': '600', 'history.db-wal': '600' });
    connection.close();
  } finally {
    process.umask(before);
  }
});

test('files that an earlier version left open to others are closed to them', () => {
  const path = join(folder, 'history.db');
  writeTo(path).close();
  for (const name of ['history.db', 'history.db-wal', 'history.db-shm']) {
    writeFileSync(join(folder, name), '', { flag: 'a' });
    chmodSync(join(folder, name), 0o644);
  }
  const connection = writeTo(path);
  expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
  connection.close();
});
