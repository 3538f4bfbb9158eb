/**
 * `npm run cluster -- [--fresh] [--port N]`: an exchange of three nodes and three members of etcd on this machine, to
 * play with (`test/cluster/playground.ts`). Prints addresses, a line to try, and who leads whenever that changes. Data
 * is kept in `cluster-data`; `--fresh` begins anew. Ctrl-C ends everything.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './build.mjs';
import { prepareOrExit, root } from './prepare.mjs';

prepareOrExit({ insist: true });
process.chdir(root);
const source = join(root, 'test', 'cluster');
const output = join(root, 'dist', 'cluster');
await bundle(source, output, [join(source, 'playground.ts')]);
await import(pathToFileURL(join(output, 'playground.js')).href);
