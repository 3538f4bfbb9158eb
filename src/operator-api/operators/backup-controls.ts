/** A backup that was made, as its folder tells. */
export interface MadeBackup {
  readonly name: string;
  readonly madeAt: number;
  /** The build that made it. */
  readonly madeBy: string;
  /** The last entry of the journal that is in it. */
  readonly lastEntry: number;
  readonly holdsHistory: boolean;
  readonly bytes: number;
}

/** The backup that is being made, or the last one that this process tried to make. */
export interface BackupRun {
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  /** `null`: it is being made. */
  readonly endedAt: number | null;
  readonly state: 'running' | 'done' | 'failed';
  /** What it does and how far it is, as a sentence; of one that failed, why. */
  readonly step: string;
}

/** Backups into the directory of the setting `backupDirectory`. */
export interface BackupControls {
  /** The newest ones that are whole, at most 50. */
  list(): Promise<readonly MadeBackup[]>;
  /** The one of this process; `null`: it made none. */
  run(): BackupRun | null;
  /** Keeps the only place for itself, and answers the name of the backup; `null`: one is being made. */
  reserve(): string | null;
  /** Begins the reserved backup. */
  begin(): void;
  /** Gives the place back without a backup. */
  release(): void;
}
