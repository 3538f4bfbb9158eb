/**
 * `npm test -- [vitest arguments]`: installs and builds what a fresh clone lacks, makes the static checks, runs every
 * test and ends with the line `N passed, M failed`, which counts each check as a test; a line before it counts tests
 * that were skipped, as those are that need a program which this machine has not. With arguments it runs the tests
 * that they name and no check. Exits 1 when something failed or nothing ran.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks, printFailures, runChecks } from './checks.mjs';
import { prepareOrExit, root } from './prepare.mjs';

/** Counts of a run; a file that could not even be loaded counts as one failure. */
export function countResults(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((result) => result.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests,
  };
}

function readReport(path) {
  try {
    return countResults(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

async function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-test-'));
  const report = join(folder, 'report.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, [runner, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  const counts = readReport(report);
  rmSync(folder, { recursive: true, force: true });
  return { ...counts, code };
}

if (process.argv[1] === import.meta.filename) {
  prepareOrExit();
  const args = process.argv.slice(2);
  const results = args.length === 0 ? await runChecks(checks) : [];
  const { passed, failed, skipped, code } = await runVitest(args);
  const broken = printFailures(results);
  const failures = broken + (code !== 0 && failed === 0 ? 1 : failed);
  if (args.length === 0 && skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed + results.length - broken} passed, ${failures} failed`);
  process.exitCode = failures > 0 || passed === 0 ? 1 : 0;
}
