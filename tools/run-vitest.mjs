import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Counts of a run; a file that could not even be loaded counts as one failure. */
function countResults(report) {
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

/** Runs the tests that the arguments name, all without any, with more variables. Answers counts and exit code. */
export async function runVitest(args, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-test-'));
  const report = join(folder, 'report.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [runner, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  const counts = readReport(report);
  rmSync(folder, { recursive: true, force: true });
  return { ...counts, code };
}
