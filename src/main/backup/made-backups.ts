import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { timeOfIso } from '#base/clock.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import { errorCode } from '#journal/file-operations.ts';
import { manifestName, parseManifest, sumsName } from '#main/backup/backup-files.ts';
import type { MadeBackup } from '#operator-api/operators/backup-controls.ts';

/** Folders that are looked at, those whose names are last, and backups that are told. */
const [foldersMax, backupsMax] = [200, 50];

/** A directory of backups. */
export class MadeBackups {
  readonly #directory: string;
  /** Backups never change once they are whole. */
  readonly #known = new BoundedCache<string, MadeBackup>({ entriesKept: foldersMax });

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The newest backups that are whole, the newest first; none where the directory is not there. */
  async list(): Promise<readonly MadeBackup[]> {
    const names = await this.#folders();
    const found = await Promise.all(names.map((name) => this.#read(name)));
    const made = found.filter((each): each is MadeBackup => each !== null);
    return made.toSorted((one, other) => other.madeAt - one.madeAt).slice(0, backupsMax);
  }

  async #folders(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#directory, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      const usable = names.filter((name) => /^[\w.-]{1,64}$/.test(name) && !name.includes('.partial-'));
      return usable.toSorted().slice(-foldersMax);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** `null`: no backup of this form, or not whole. */
  async #read(name: string): Promise<MadeBackup | null> {
    const folder = join(this.#directory, name);
    try {
      const { mtimeMs } = await stat(join(folder, sumsName));
      const key = `${name} ${mtimeMs}`;
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const { madeAt, madeBy, lastEntry, holdsHistory } = parseManifest(
        await readFile(join(folder, manifestName), 'utf8'),
      );
      const at = timeOfIso(madeAt) ?? mtimeMs;
      const made = { name, madeAt: at, madeBy, lastEntry, holdsHistory, bytes: await sizeOf(folder) };
      this.#known.set(key, made);
      return made;
    } catch {
      return null;
    }
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
