/**
 * `npm start -- [options]`: installs and builds what a fresh clone lacks, then runs `bourse start` in this same
 * process, so that signals and the exit code are the server's own.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareOrExit, root } from './prepare.mjs';

prepareOrExit({ insist: true });
const entry = join(root, 'dist', 'main', 'bourse.js');
process.argv = [process.execPath, entry, 'start', ...process.argv.slice(2)];
await import(pathToFileURL(entry).href);
