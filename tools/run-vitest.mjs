import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
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

const memory = '/dev/shm';
/** So much the tests that run at a time may need, with room to spare. */
const memoryBytes = 4 << 30;

/** Whether a folder has room for tests, and lets programs be run that stand in it. */
function servesTests(folder) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < memoryBytes) return false;
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** A folder in memory; `null`: there is none that serves. */
function folderInMemory() {
  try {
    const folder = mkdtempSync(join(memory, 'bourse-test-'));
    if (servesTests(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // Not Linux, or somebody else's.
  }
  return null;
}

/**
 * A folder for those that tests make: in memory where that serves, because exchanges and etcd wait for the disk with
 * every write, and what a process wrote outlives its kill there too. `TMPDIR` names another place.
 */
export const makeFolder = () =>
  (process.env.TMPDIR === undefined ? folderInMemory() : null) ?? mkdtempSync(join(tmpdir(), 'bourse-test-'));

/** Runs the tests that the arguments name, all without any, with more variables. Answers counts and exit code. */
export async function runVitest(args, variables = {}) {
  const folder = makeFolder();
  const report = join(folder, 'report.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, TMPDIR: folder, ...variables };
  const child = spawn(process.execPath, [runner, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  const counts = readReport(report);
  rmSync(folder, { recursive: true, force: true });
  return { ...counts, code };
}
