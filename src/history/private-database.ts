import { chmodSync, closeSync, openSync } from 'node:fs';

const ownerOnly = 0o600;

/**
 * Makes a database file and its companions readable for their owner only: they tell who traded what. SQLite gives the
 * companions that it makes the mode of the main file. A database in memory, `:memory:`, has none. DEC-REQ-44.
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
