/**
 * `npm run bench -- [--quick] [--only PREFIX] [--minutes N | --seconds N] [--json FILE]`: builds, runs every
 * group of `benchmarks/` in a process of its own, prints a table of name, value, ratio and budgets, and writes the
 * lines as JSON. Each ratio is held against a baseline measured in the same run. `--minutes`, `--seconds`: how long a
 * soak or an attack lasts.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './build.mjs';
import { filesBelow, prepareOrExit, root } from './prepare.mjs';

const source = join(root, 'benchmarks');
const output = join(root, 'dist', 'benchmarks');
const samples = { quick: 2, full: 5 };

/** All processes of a benchmark run as `npm start` runs the exchange, those it is compared with too. */
const environment = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };

/** Runs one group in a fresh process and answers its lines. */
function runGroup(name, { quick, only, minutes, onLine }) {
  const size = quick ? 'quick' : 'full';
  const args = ['--expose-gc', '--max-old-space-size=4096', join(output, 'run-group.js'), name, size];
  const child = spawn(process.execPath, [...args, String(samples[size]), only, minutes], {
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

const digits = (value) => {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)} k`;
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
};
const budget = (bound) => (bound === null ? '' : `${bound.bound === 'atLeast' ? '≥' : '≤'} ${digits(bound.figure)}`);
const isMet = (ratio, bound) =>
  bound === null || (bound.bound === 'atLeast' ? ratio >= bound.figure : ratio <= bound.figure);

function tableRow(line) {
  const spread = `${digits(Math.min(...line.samples))} – ${digits(Math.max(...line.samples))}`;
  const verdict = isMet(line.ratio, line.must) ? (isMet(line.ratio, line.aim) ? 'aim' : 'must') : 'MISSED';
  return [
    line.name.padEnd(34),
    `${digits(line.value)} ${line.unit}`.padStart(18),
    spread.padStart(20),
    digits(line.ratio).padStart(9),
    budget(line.must).padStart(9),
    budget(line.aim).padStart(9),
    line.must === null ? '' : verdict,
  ].join('  ');
}

const head = [
  'name'.padEnd(34),
  'median'.padStart(18),
  'min – max'.padStart(20),
  'ratio'.padStart(9),
  'must'.padStart(9),
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    minutes: { type: 'string', default: '' },
    seconds: { type: 'string' },
  },
});
prepareOrExit();
await bundle(source, output, filesBelow(source));
const { machineLine } = await import(pathToFileURL(join(output, 'harness.js')).href);
const { groupOf, groups } = await import(pathToFileURL(join(output, 'groups.js')).href);
console.log(
  `${machineLine()}; ${values.quick ? 'quick' : 'full'}, ${samples[values.quick ? 'quick' : 'full']} samples\n`,
);
console.log([...head, 'aim'.padStart(9)].join('  '));
const began = performance.now();
const lines = [];
let failures = 0;
for (const name of groups) {
  const { names, onlyByName } = groupOf(await import(pathToFileURL(join(output, `${name}.js`)).href));
  const isNamed = (line) => name === values.only || line === values.only;
  if (!names.some((line) => (onlyByName ? isNamed(line) : line.startsWith(values.only)))) continue;
  const result = await runGroup(name, {
    quick: values.quick,
    only: name === values.only ? '' : values.only,
    minutes: values.seconds === undefined ? values.minutes : String(Number(values.seconds) / 60),
    onLine: (line) => console.log(tableRow(line)),
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
process.exitCode = failures > 0 ? 1 : 0;
