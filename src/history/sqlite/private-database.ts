import { chmodSync, closeSync, openSync } from 'node:fs';

const ownerOnly = 0o600;

/**
 * Makes a database file and its WAL files readable for their owner only: they contain private trades. SQLite creates
 * WAL files with the mode of the main file. No effect for a database in memory, `:memory:`. DEC-REQ-44.
 * @throws Error of the file system where the file can be neither made nor changed.
 */
export function keepDatabasePrivate(path: string): void {
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
