/**
 * `npm start -- [options]`: installs and builds what a fresh clone lacks, then runs `bourse start` in this same
 * process, so that signals and the exit code are the server's own. A node of a cluster runs in a process below, which
 * is started again when it ends.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentsFrom, callersFolder, variablesFrom } from './caller-paths.mjs';
import { prepareOrExit, root } from './prepare.mjs';
import { supervise } from './supervise.mjs';

prepareOrExit({ insist: true });
const entry = join(root, 'dist', 'main', 'bourse.js');
const folder = callersFolder(root, process.env);
const given = process.argv.slice(2);
const args = folder === null ? given : argumentsFrom(folder, given);
if (folder !== null) Object.assign(process.env, variablesFrom(folder, process.env));
const isOfCluster =
  Boolean(process.env.BOURSE_CLUSTER) || args.some((each) => each === '--cluster' || each.startsWith('--cluster='));
if (isOfCluster) supervise([entry, 'start', ...args]);
else {
  process.argv = [process.execPath, entry, 'start', ...args];
  await import(pathToFileURL(entry).href);
}
