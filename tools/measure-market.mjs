/**
 * `node tools/measure-market.mjs [--days 33] [--live-hours 24] [--seed S] [--at TIME] [--markets A,B] [--picture FILE]
 * [--picture-of NAME] [--json FILE] [--document]`: runs a sandbox's market in memory, its history first and then live
 * trading from TIME on, and prints its stylised facts beside their targets (`test/market-facts/`). `--document` writes
 * them into docs/reference/simulated-market.md, with the picture.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { bundle } from './build.mjs';
import { writeSections } from './generated-sections.mjs';
import { prepareOrExit, root } from './prepare.mjs';

const document = 'docs/reference/simulated-market.md';
const picture = 'docs/reference/simulated-market.svg';
const source = join(root, 'test', 'market-facts');
const output = join(root, 'dist', 'market-facts');

const given = process.argv.slice(2);
const isForDocument = given.includes('--document');
const passed = given.filter((argument) => argument !== '--document');
prepareOrExit();
await bundle(source, output, [join(source, 'measure-process.ts')]);
const child = fork(
  join(output, 'measure-process.js'),
  isForDocument ? ['--picture', join(root, picture), ...passed] : passed,
  { cwd: process.cwd(), execArgv: ['--max-semi-space-size=64', '--max-old-space-size=4096'] },
);
child.on('message', ({ what, tables }) => {
  if (!isForDocument) return;
  writeSections([{ document, name: 'figures', content: [`Measured with ${what}.`, ...tables].join('\n\n') }], {
    check: false,
  });
});
process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
