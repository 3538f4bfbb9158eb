/**
 * `npm run bench -- [--quick] [--only NAME,…] [--samples N] [--minutes N | --seconds N] [--json FILE] [--results]`:
 * builds, runs every group of `benchmarks/` in a process of its own, prints a table of name, value, ratio and budgets,
 * and writes the lines as JSON. Each ratio is held against a baseline measured in the same run. `--minutes`,
 * `--seconds`: how long a soak or an attack lasts. `--results` writes `benchmarks/RESULTS.md` with its pictures, of
 * what is worth a picture unless `--only` says of what.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from './arguments.mjs';
import { bundle } from './build.mjs';
import { filesBelow, prepareOrExit, root } from './prepare.mjs';

const source = join(root, 'benchmarks');
const output = join(root, 'dist', 'benchmarks');
const samplesOf = { quick: 2, full: 5 };

/** All processes of a benchmark run as `npm start` runs the exchange, those it is compared with too. */
const environment = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };

/** Runs one group in a fresh process and answers its lines. */
function runGroup(name, { quick, samples, only, minutes, onLine }) {
  const size = quick ? 'quick' : 'full';
  const args = ['--expose-gc', '--max-old-space-size=4096', join(output, 'run-group.js'), name, size];
  const child = spawn(process.execPath, [...args, String(samples), only, minutes], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const lines = [];
  child.on('message', (line) => {
    lines.push(line);
    onLine(line);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ lines, failed: code !== 0 })));
}

function tableRow({ digits, budgetText, spreadText, verdictOf }, line) {
  return [
    line.name.padEnd(34),
    `${digits(line.value)} ${line.unit}`.padStart(18),
    spreadText(line).padStart(20),
    digits(line.ratio).padStart(9),
    budgetText(line.must).padStart(9),
    budgetText(line.aim).padStart(9),
    verdictOf(line),
  ].join('  ');
}

const head = [
  'name'.padEnd(34),
  'median'.padStart(18),
  'min – max'.padStart(20),
  'ratio'.padStart(9),
  'must'.padStart(9),
];

const { values } = argumentsOf(import.meta.filename, {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  samples: { type: 'string' },
  json: { type: 'string' },
  minutes: { type: 'string', default: '' },
  seconds: { type: 'string' },
  results: { type: 'boolean', default: false },
});
prepareOrExit();
await bundle(
  source,
  output,
  filesBelow(source, (path) => path.endsWith('.ts')),
);
const compiled = (file) => import(pathToFileURL(join(output, file)).href);
const { machineLine, machineOf } = await compiled('harness.js');
const { groupOf, groups } = await compiled('groups.js');
const { resultFiles, resultLines } = await compiled('results-page.js');
const lineTexts = await compiled('line-texts.js');

const size = values.quick ? 'quick' : 'full';
const samples = Number(values.samples ?? samplesOf[size]);
if (!(Number.isInteger(samples) && samples >= 1)) throw new RangeError('--samples must be a whole number above zero');
const only = (values.only ?? (values.results ? resultLines.join(',') : '')).split(',');
const minutes = values.seconds === undefined ? values.minutes : String(Number(values.seconds) / 60);
const found = await Promise.all(groups.map(async (name) => ({ name, ...groupOf(await compiled(`${name}.js`)) })));
/** A group by its name, or by what one of its lines begins with. */
const isMeant = ({ name, names, onlyByName }, asked) =>
  name === asked || names.some((line) => (onlyByName ? line === asked : line.startsWith(asked)));
const unknown = only.find((asked) => !found.some((group) => isMeant(group, asked)));
if (unknown !== undefined) {
  console.error(`No group is called "${unknown}", and no line begins with it. Groups and their lines:`);
  for (const { name, names } of found) console.error(`  ${name.padEnd(20)}${names.join(' ')}`);
  process.exit(2);
}
console.log(`${machineLine()}; ${size}, ${samples} samples\n`);
console.log([...head, 'aim'.padStart(9)].join('  '));
const began = performance.now();
const lines = [];
let failures = 0;
for (const { name } of found.filter((group) => only.some((asked) => isMeant(group, asked)))) {
  const result = await runGroup(name, {
    quick: values.quick,
    samples,
    only: only.includes(name) ? '' : only.join(','),
    minutes,
    onLine: (line) => console.log(tableRow(lineTexts, line)),
  });
  lines.push(...result.lines);
  if (result.failed) {
    failures += 1;
    console.log(`${name}: the group failed; its error stands above`);
  }
}
console.log(`\n${lines.length} lines in ${((performance.now() - began) / 1000).toFixed(0)} s`);
for (const line of lines) console.log(`  ${line.name}: ${line.note}`);
if (values.json) {
  const plain = lines.map(({ name, value, unit, samples: all, baseline, ratio }) => ({
    name,
    value,
    unit,
    samples: all,
    baseline,
    ratio,
  }));
  writeFileSync(values.json, `${JSON.stringify(plain, null, 2)}\n`);
}
if (values.results && failures === 0) {
  const asked = [
    values.quick && '--quick',
    values.samples && `--samples ${values.samples}`,
    values.only && `--only ${values.only}`,
    '--results',
  ].filter(Boolean);
  const date = new Date().toISOString().slice(0, 10);
  const run = { date, machine: machineOf(), command: `npm run bench -- ${asked.join(' ')}`, samples, lines };
  for (const [path, content] of resultFiles(run)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
