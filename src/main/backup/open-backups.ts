import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Clock, isoTime } from '#base/clock.ts';
import type { HttpLog } from '#http/http-settings.ts';
import { MadeBackups } from '#main/backup/made-backups.ts';
import type { BackupTask } from '#main/backup-worker.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { runInThread } from '#main/task-thread.ts';
import type { BackupControls, BackupRun } from '#operator-api/operators/backup-controls.ts';

/** What backups of a running exchange are made of. */
export interface BackupParts {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  /** Path of the configuration file; `null`: none was named. */
  readonly configurationFile: string | null;
  readonly version: string;
  readonly wall: Clock;
  readonly log: Pick<HttpLog, 'info' | 'error'>;
}

/** Backups, and what ends one that is being made. */
export interface OpenBackups extends BackupControls {
  stop(): Promise<void>;
}

const nameAt = (ms: number): string => `bourse-${isoTime(ms).slice(0, 23).replace('T', '-').replaceAll(/[:.]/g, '')}`;

/** Makes backups of this process one after the other; `null`: the settings name no directory. DEC-OPR-243. */
export function openBackups(parts: BackupParts): OpenBackups | null {
  const { backupDirectory } = parts.config;
  return backupDirectory === null ? null : new Backups(parts, resolve(backupDirectory));
}

class Backups implements OpenBackups {
  readonly #parts: BackupParts;
  readonly #folder: string;
  readonly #made: MadeBackups;
  readonly #ended = new AbortController();
  #reserved: string | null = null;
  #run: BackupRun | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: BackupParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
    this.#made = new MadeBackups(folder);
  }

  list(): ReturnType<BackupControls['list']> {
    return this.#made.list();
  }

  run(): BackupRun | null {
    return this.#run;
  }

  reserve(): string | null {
    if (this.#reserved !== null || this.#run?.state === 'running') return null;
    this.#reserved = nameAt(this.#parts.wall.now());
    return this.#reserved;
  }

  release(): void {
    this.#reserved = null;
  }

  begin(): void {
    const name = this.#reserved;
    if (name === null || this.#ended.signal.aborted) return;
    this.#reserved = null;
    const startedAt = this.#parts.wall.now();
    this.#run = { name, startedAt, endedAt: null, state: 'running', step: 'It begins.' };
    this.#running = this.#make(name);
  }

  async #make(name: string): Promise<void> {
    const { config, directory, configurationFile, version, log } = this.#parts;
    const { profile, custodyFile, masterKeyFile, operatorTokenFile } = config;
    const settings = { data: config.data, profile, custodyFile, masterKeyFile, masterKey: null, operatorTokenFile };
    const task: BackupTask = {
      directory,
      configuration: { config: settings, file: configurationFile, market: null, withMasterKey: false },
      folder: join(this.#folder, name),
      version,
    };
    try {
      await runInThread('backup', task, (step) => this.#note({ step }), this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      this.#note({ state: 'done', step: 'It is whole.' });
      log.info({ name }, 'a backup was made');
    } catch (error) {
      this.#note({ state: 'failed', step: error instanceof Error ? error.message : String(error) });
      log.error({ err: error, name }, 'a backup could not be made');
    }
  }

  #note(change: Partial<BackupRun>): void {
    if (this.#run === null) return;
    const isOver = change.state !== undefined;
    this.#run = { ...this.#run, ...change, endedAt: isOver ? this.#parts.wall.now() : null };
  }

  /** Ends the backup that is being made, and leaves nothing of it. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    if (this.#run?.state !== 'running') return;
    const left = await readdir(this.#folder).catch(() => []);
    for (const each of left)
      if (each.startsWith(`${this.#run.name}.partial-`))
        rmSync(join(this.#folder, each), { recursive: true, force: true });
  }
}
