/**
 * `npm run fuzz -- [--seconds N] [--seed S] [--processes P]`: random commands on the real engine with everything that
 * stands beside it (`test/fuzz/`), on fresh seeds, one process per core. A line of progress every few seconds; at the
 * end what was met how often. Each new fault is made small and kept as `test/seeds/SEED.json`. Exits 1 after a fault.
 */
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from './arguments.mjs';
import { bundle } from './build.mjs';
import { prepareOrExit, root } from './prepare.mjs';

const source = join(root, 'test', 'fuzz');
const output = join(root, 'dist', 'fuzz');
const kept = join(root, 'test', 'seeds');
const progressMs = 5000;

const { values } = argumentsOf(import.meta.filename, {
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  processes: { type: 'string', default: String(availableParallelism()) },
});
prepareOrExit();
await bundle(source, output, [join(source, 'fuzz-process.ts'), join(source, 'fuzz-coverage.ts')]);
const { FuzzCoverage } = await import(pathToFileURL(join(output, 'fuzz-coverage.js')).href);

const coverage = new FuzzCoverage();
const faults = new Map();
let commands = 0;
let runs = 0;

function keep({ seed, signature, file }) {
  mkdirSync(kept, { recursive: true });
  const path = join(kept, `${seed}.json`);
  if (!faults.has(signature)) {
    writeFileSync(path, file);
    console.log(`\nseed ${seed}: ${signature}\n  kept as ${path}`);
  }
  faults.set(signature, (faults.get(signature) ?? 0) + 1);
}

function hear(message) {
  if (message.kind === 'ran') {
    commands += message.commands;
    runs += 1;
    coverage.add(message.coverage);
  } else if (message.kind === 'found') keep(message);
  else faults.set(message.signature, (faults.get(message.signature) ?? 0) + 1);
}

const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
function tellProgress() {
  const rate = (commands / elapsed()).toFixed(0);
  const missing = coverage.missing().length;
  const found = [...faults.values()].reduce((sum, times) => sum + times, 0);
  console.log(
    `${elapsed().toFixed(0).padStart(5)} s  ${commands} commands  ${rate}/s  ${runs} seeds  ` +
      `${coverage.counts.get('trade') ?? 0} trades  ${missing} of the wanted cells not met  ${found} failing seeds`,
  );
}

const processes = Number(values.processes);
console.log(`seeds from ${values.seed} on, ${processes} processes, ${values.seconds} s`);
const timer = setInterval(tellProgress, progressMs);
const children = Array.from({ length: processes }, (_, index) => {
  const first = String(Number(values.seed) + index);
  const child = fork(join(output, 'fuzz-process.js'), [first, String(processes), values.seconds], { cwd: root });
  child.on('message', hear);
  return child;
});
const codes = await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))));
clearInterval(timer);
tellProgress();
for (const [cell, times] of [...coverage.counts].sort()) console.log(`  ${String(times).padStart(10)}  ${cell}`);
for (const cell of coverage.missing()) console.log(`  never met:  ${cell}`);
for (const [signature, times] of faults) console.log(`${times} seeds: ${signature}`);
process.exitCode = faults.size > 0 || codes.some((code) => code !== 0) ? 1 : 0;
