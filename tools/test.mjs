/**
 * `npm test -- [vitest arguments]`: installs and builds what a fresh clone lacks, runs every test and beside them the
 * static checks, and ends with the line `N passed, M failed`, which counts each check as a test; a line before it
 * counts tests that were skipped, as those are that need a program which this machine has not. The tests of the Python
 * package are made behind the checks. With arguments it runs the tests that they name and no check: `clients/python`
 * names those of Python. Exits 1 when something failed or nothing ran.
 */
import { checks, printFailures, runChecks } from './checks.mjs';
import { longRuns } from './long-tests.mjs';
import { prepareOrExit } from './prepare.mjs';
import { runPythonTests } from './python-tests.mjs';
import { runVitest } from './run-vitest.mjs';

const args = process.argv.slice(2);
const ofVitest = args.filter((arg) => !/^clients\/python\/?$/.test(arg));
const isWhole = args.length === 0;
// Without arguments, types are among the checks.
prepareOrExit({ types: !isWhole });
const none = { passed: 0, failed: 0, skipped: 0, code: 0 };

/** Beside the tests, which wait now and then: one at a time is over long before they are. */
async function besideTests() {
  const results = isWhole ? await runChecks(checks, 1) : [];
  return { results, python: isWhole || ofVitest.length < args.length ? await runPythonTests() : none };
}

const beside = besideTests();
const vitest = isWhole || ofVitest.length > 0 ? await runVitest(ofVitest) : none;
const { results, python } = await beside;
const broken = printFailures(results);
const passed = vitest.passed + python.passed + results.length - broken;
const failures = broken + python.failed + (vitest.code !== 0 && vitest.failed === 0 ? 1 : vitest.failed);
const skipped = vitest.skipped + python.skipped;
if (isWhole) console.log(`${skipped} skipped, and ${longRuns.length} longer runs: npm run test:long`);
console.log(`${passed} passed, ${failures} failed`);
process.exitCode = failures > 0 || passed === 0 ? 1 : 0;
