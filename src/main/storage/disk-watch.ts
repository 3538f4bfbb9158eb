import { statfs } from 'node:fs/promises';

/** Space of a file system in bytes. */
export interface DiskSpace {
  /** What this process may still use. */
  readonly free: number;
  readonly size: number;
}

/** Checks the free disk space once a second. */
export interface DiskWatch {
  /** False while less than the reserve is free. */
  readonly hasRoom: () => boolean;
  /** As it was last found; `null` before the first check. */
  readonly space: () => DiskSpace | null;
  stop(): void;
}

const intervalMs = 1000;

/**
 * Watches the file system that a directory lies on; `reserve` in bytes. Reports when it becomes too full, and when it
 * has space again.
 */
export function watchDisk(directory: string, reserve: number, tell: (message: string) => void): DiskWatch {
  let hasRoom = true;
  let space: DiskSpace | null = null;
  const check = async (): Promise<void> => {
    const { bavail, blocks, bsize } = await statfs(directory);
    const hadRoom = hasRoom;
    space = { free: bavail * bsize, size: blocks * bsize };
    hasRoom = space.free >= reserve;
    if (hadRoom && !hasRoom) tell('The disk is nearly full: only cancels are taken until there is room again.');
    if (!hadRoom && hasRoom) tell('There is room on the disk again: all commands are taken.');
  };
  // If the check fails, the last answer is kept; the journal itself
  // refuses what does not fit.
  const timer = setInterval(() => void check().catch(() => undefined), intervalMs);
  return { hasRoom: () => hasRoom, space: () => space, stop: () => clearInterval(timer) };
}
