import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#journal/file-operations.ts';
import { syncParent } from '#journal/make-directories.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';

/**
 * Makes a directory with all that `fill` writes into it, for its owner only: it is there as a whole or not at all, also
 * after a loss of power. `fill` gets a folder that becomes the directory.
 * @throws CommandFailed where there is something of that name, or it cannot be written.
 */
export function makeDirectory(directory: string, fill: (folder: string) => void): void {
  refuseWhatExists(directory);
  let folder: string;
  try {
    folder = mkdtempSync(join(dirname(directory), `.${basename(directory)}-`));
  } catch (error) {
    throw notWritten(directory, error);
  }
  try {
    fill(folder);
    renameSync(folder, directory);
    syncParent(directory);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw notOverwritten(directory);
    throw error instanceof CommandFailed ? error : notWritten(directory, error);
  }
}

/** Nothing that exists is overwritten. @throws CommandFailed where there is something of that name. */
export function refuseWhatExists(directory: string): void {
  if (existsSync(directory)) throw notOverwritten(directory);
}

const notOverwritten = (directory: string): CommandFailed =>
  new CommandFailed(exitCodes.usage, `${directory} exists, and nothing in it is overwritten: name a new directory`);
const notWritten = (directory: string, error: unknown): CommandFailed =>
  new CommandFailed(exitCodes.data, `${directory} cannot be made: ${(error as Error).message}`);
