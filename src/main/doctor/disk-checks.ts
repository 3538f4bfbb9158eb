import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { stopwatch } from '#base/clock.ts';
import { fault, type Finding, ok, warning } from '#main/doctor/finding.ts';

/** The directory itself, or the nearest above it that exists. */
function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(dirname(directory));
}

/** Whether the data directory can be used by this user, and by nobody else. */
export function checkDataDirectory(root: string): Finding {
  const check = 'data directory';
  const existing = nearest(root);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fault(
      check,
      `${existing} is not writable for this user`,
      `give it to the user that runs the exchange: chown -R`,
    );
  }
  if (existing !== root) return ok(check, `${root} is not there yet: the first start makes it`);
  const { mode, uid } = statSync(root);
  const own = process.getuid?.() ?? uid;
  if (uid !== own)
    return fault(check, `${root} belongs to another user`, `run as that user, or: chown -R ${own} ${root}`);
  if ((mode & 0o077) === 0) return ok(check, `${root}, for its owner only`);
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return warning(check, `others may look into ${root} (mode ${shown})`, `run: chmod 700 ${root}`);
}

/** File systems on which an exchange loses what it promised to keep, by the number that the kernel has for them. */
const unfitTypes: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'memory (tmpfs): nothing on it survives a restart of the machine'],
  [0x794c7630, 'a layer of a container: it goes with the container'],
  [0x6969, 'a network file system (NFS)'],
  [0xff534d42, 'a network file system (CIFS)'],
  [0xfe534d42, 'a network file system (SMB)'],
]);

const shareMin = 0.1;
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Whether there is room, on a file system that keeps what is written. `reserve` in bytes. */
export function checkDisk(root: string, reserve: number): readonly Finding[] {
  const { bavail, blocks, bsize, type } = statfsSync(nearest(root));
  const [free, size] = [bavail * bsize, blocks * bsize];
  const told = `${gigabytes(free)} of ${gigabytes(size)} are free`;
  const makeRoom = 'move old backups and segments away, or enlarge the disk';
  const room =
    free < reserve
      ? fault('room', `${told}: less than diskReserveMib, only cancels are taken`, makeRoom)
      : free < shareMin * size
        ? warning('room', told, makeRoom)
        : ok('room', told);
  const unfit = unfitTypes.get(type);
  if (unfit === undefined) return [room];
  return [room, warning('file system', `${root} is on ${unfit}`, 'use a directory on a local disk')];
}

const writes = 50;
const writeSize = 4096;
const usualMs = { median: 5, slow: 50 };

/** How long small synced writes take there: every order waits for one. */
export function checkSyncedWrites(root: string): Finding {
  const check = 'synced writes';
  const path = join(nearest(root), `.doctor-${process.pid}`);
  try {
    const times = timesOf(path).toSorted((one, other) => one - other);
    const [median, slow] = [times[Math.floor(writes / 2)]!, times[Math.ceil(writes * 0.99) - 1]!];
    const told = `${writes} of ${writeSize} bytes: median ${median.toFixed(2)} ms, 99 % within ${slow.toFixed(2)} ms`;
    if (median <= usualMs.median && slow <= usualMs.slow) return ok(check, told);
    return warning(check, told, 'every order waits for one: use a local SSD, best with protection against power loss');
  } catch (error) {
    return fault(check, (error as Error).message, 'use a directory on a local disk that honours fdatasync');
  } finally {
    rmSync(path, { force: true });
  }
}

/** Milliseconds of each write. */
function timesOf(path: string): readonly number[] {
  const file = openSync(path, 'wx', 0o600);
  try {
    return Array.from({ length: writes }, () => {
      const from = stopwatch();
      writeSync(file, new Uint8Array(writeSize));
      fdatasyncSync(file);
      return stopwatch() - from;
    });
  } finally {
    closeSync(file);
  }
}
