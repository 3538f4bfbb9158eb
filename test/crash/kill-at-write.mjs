/**
 * `KILL_AT_WRITE=n node --import …/kill-at-write.mjs dist/main/bourse.js …`: the exchange as it was built, which dies
 * right before the n-th write into its files after a SIGUSR2: into the journal or into the file of the simulated
 * chains. Every step of a deposit or withdrawal ends with such a write.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';

/** Descriptors up to this one are the terminal's. */
const standardError = 2;

if (isMainThread) {
  let left = Number.POSITIVE_INFINITY;
  process.on('SIGUSR2', () => {
    left = Number(process.env['KILL_AT_WRITE']);
  });
  const counted = (isFile, write) =>
    function writeUnlessKilled(...args) {
      if (isFile(args[0])) left -= 1;
      if (left <= 0) process.kill(process.pid, 'SIGKILL');
      return write.apply(this, args);
    };
  const isFile = (descriptor) => descriptor > standardError;
  fs.write = counted(isFile, fs.write);
  fs.writeSync = counted(isFile, fs.writeSync);
  const handle = await open(new URL(import.meta.url), 'r');
  const prototype = Object.getPrototypeOf(handle);
  prototype.writeFile = counted(() => true, prototype.writeFile);
  await handle.close();
}
