/**
 * `npm run pages -- [--only PAGE,…] [--samples N] [--seconds N] [--updates N] [--data DIRECTORY] [--profile FILE]`:
 * starts an exchange with its market and measures in chromium what its pages cost. For each page: bytes and requests
 * of the first load, times to the first paint and to the first pushed prices, tasks of 50 ms and more, jumps of the
 * layout, memory of scripts. Then the terminal, `--seconds` (20) each: its market alone, with `--updates` (200) a
 * second of one book, and while ten books are opened in turn; `--seconds 0` leaves that out. `--data` names the
 * directory of an exchange that was stopped, which has its market already. `--profile` keeps a profile of the loaded
 * page, for the developer tools of a browser. Exits 1 when a size is beyond its limit, whatever the times are.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from './arguments.mjs';
import { bundle } from './build.mjs';
import { prepareOrExit, root } from './prepare.mjs';

const { values } = argumentsOf(import.meta.filename, {
  only: { type: 'string', default: '' },
  samples: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '20' },
  updates: { type: 'string', default: '200' },
  data: { type: 'string' },
  profile: { type: 'string' },
});

function wholeNumber(name, least) {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} must be a whole number from ${least} on`);
  process.exit(2);
}

const asked = {
  only: values.only.split(',').filter((name) => name !== ''),
  samples: wholeNumber('samples', 1),
  seconds: wholeNumber('seconds', 0),
  updates: wholeNumber('updates', 1),
  data: values.data,
  profileFile: values.profile ?? null,
};
prepareOrExit();
const source = join(root, 'benchmarks');
const output = join(root, 'dist', 'benchmarks');
await bundle(source, output, [join(source, 'page-figures.ts')]);
const { printPageFigures } = await import(pathToFileURL(join(output, 'page-figures.js')).href);
const breaches = await printPageFigures(asked);
for (const breach of breaches) console.error(breach);
process.exit(breaches.length > 0 ? 1 : 0);
