/**
 * `npm run drill -- [--kills N] [--freezes N] [--quorum-losses N] [--restarts N] [--seed S] [--connections N]
 * [--port P]`: three nodes and three members of etcd on this machine take orders at full speed while they are killed
 * and frozen at random; at the end what was acknowledged is held against the journals of all nodes (`test/cluster/`).
 * Half of the kills take the leader's etcd member with it. Prints each fault, then a table. Exits 1 when anything was
 * lost or happened twice, or no order was taken for more than 5 s.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './build.mjs';
import { prepareOrExit, root } from './prepare.mjs';

prepareOrExit();
const source = join(root, 'test', 'cluster');
const output = join(root, 'dist', 'drill');
await bundle(source, output, [join(source, 'drill-run.ts')]);
await import(pathToFileURL(join(output, 'drill-run.js')).href);
