/**
 * `npm run check`: types, floors, lint, tidy, dead code, fresh documents, and the quick tests (unit, contract, golden);
 * one line each, everything that failed in full below it, the total at the end. `--fix` formats and mends first;
 * `--static` leaves the tests out. Exits 1 when anything failed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareOrExit, root } from './prepare.mjs';

const bin = (path) => join(root, 'node_modules', path);

/** Each check: a name and the arguments of the Node process that makes it. */
const checks = [
  { name: 'types', run: [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'floors',
    run: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', 'src'],
  },
  { name: 'lint', run: [bin('@biomejs/biome/bin/biome'), 'lint', '--error-on-warnings'] },
  { name: 'format', run: [bin('@biomejs/biome/bin/biome'), 'format'] },
  { name: 'tidy', run: ['tools/tidy.mjs'] },
  { name: 'dead code', run: [bin('knip/bin/knip.js'), '--no-progress', '--tsConfig', 'tsconfig.build.json'] },
  { name: 'picture of the floors', run: ['tools/draw-floors.mjs', '--check'] },
  { name: 'configuration reference', run: ['tools/describe-configuration.mjs', '--check'] },
  { name: 'rule coverage', run: ['tools/spec-coverage.mjs', '--check'] },
  { name: 'reference', run: ['tools/generate-reference.mjs', '--check'] },
];
const quickTests = {
  name: 'quick tests',
  run: [bin('vitest/vitest.mjs'), 'run', '--reporter=dot', 'src/', 'test/contract', 'test/golden'],
};

/** Runs one check and answers its exit code, output and time. */
function runCheck({ name, run }) {
  const began = performance.now();
  const child = spawn(process.execPath, run, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = (performance.now() - began) / 1000;
      resolve({ name, passed: code === 0, output: Buffer.concat(chunks).toString().trim(), seconds });
    });
  });
}

/** Runs the checks, two at a time, telling each as it ends. */
async function runAll(list) {
  const waiting = [...list];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runCheck(next);
      console.log(
        `${result.passed ? 'ok    ' : 'FAILED'}  ${result.name.padEnd(24)} ${result.seconds.toFixed(1).padStart(6)} s`,
      );
      results.push(result);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

const began = performance.now();
prepareOrExit({ insist: false });
if (process.argv.includes('--fix')) {
  await runCheck({ name: 'fix', run: [bin('@biomejs/biome/bin/biome'), 'check', '--write'] });
  for (const tool of ['draw-floors', 'describe-configuration', 'spec-coverage', 'generate-reference']) {
    if (existsSync(join(root, 'tools', `${tool}.mjs`))) await runCheck({ name: tool, run: [`tools/${tool}.mjs`] });
  }
}
const present = checks.filter(({ run }) => existsSync(join(root, run[0])) || existsSync(run[0]));
const results = await runAll(present);
if (!process.argv.includes('--static')) results.push(...(await runAll([quickTests])));

const failed = results.filter((result) => !result.passed);
for (const { name, output } of failed) console.log(`\n── ${name}\n${output}`);
const total = ((performance.now() - began) / 1000).toFixed(1);
console.log(`\n${results.length - failed.length} of ${results.length} checks passed in ${total} s`);
process.exitCode = failed.length > 0 ? 1 : 0;
