/**
 * The static checks, listed once: `npm run check` makes them before the quick tests, `npm test` counts each as a test.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** A file of a package. */
export const bin = (path) => join(root, 'node_modules', path);

/** Each check: its name and the arguments of the Node process that makes it. */
export const checks = [
  { name: 'types', run: [bin('typescript-native/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types of the pages', run: [bin('typescript-native/bin/tsc'), '--noEmit', '-p', 'web/tsconfig.json'] },
  {
    name: 'floors',
    run: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', 'src', 'web'],
  },
  { name: 'lint', run: [bin('@biomejs/biome/bin/biome'), 'lint', '--error-on-warnings'] },
  { name: 'format', run: [bin('@biomejs/biome/bin/biome'), 'format'] },
  { name: 'tidy', run: ['tools/tidy.mjs'] },
  { name: 'dead code', run: [bin('knip/bin/knip.js'), '--no-progress', '--tsConfig', 'tsconfig.build.json'] },
  { name: 'picture of the floors', run: ['tools/draw-floors.mjs', '--check'] },
  { name: 'configuration reference', run: ['tools/describe-configuration.mjs', '--check'] },
  { name: 'rule coverage', run: ['tools/spec-coverage.mjs', '--check'] },
  { name: 'reference', run: ['tools/generate-reference.mjs', '--check'] },
  { name: 'code of guides', run: ['tools/include-code.mjs', '--check'] },
];
/** Runs one check and answers its exit code, output and time. */
export function runCheck({ name, run }) {
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

/** Runs the checks, some at a time, telling each as it ends. */
export async function runChecks(list, together = 2) {
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
  await Promise.all(Array.from({ length: together }, worker));
  return results;
}

/** Prints in full what the failed ones said. Answers how many failed. */
export function printFailures(results) {
  const failed = results.filter((result) => !result.passed);
  for (const { name, output } of failed) console.log(`\n── ${name}\n${output}`);
  return failed.length;
}
