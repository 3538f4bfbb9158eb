/**
 * `npm test -- [vitest arguments]`: installs and builds what a fresh clone lacks, runs every test and beside them the
 * static checks, and ends with the line `N passed, M failed`, which counts each check as a test; a line before it
 * counts tests that were skipped, as those are that need a program which this machine has not. With arguments it runs
 * the tests that they name and no check. Exits 1 when something failed or nothing ran.
 */
import { checks, printFailures, runChecks } from './checks.mjs';
import { longRuns } from './long-tests.mjs';
import { prepareOrExit } from './prepare.mjs';
import { runVitest } from './run-vitest.mjs';

const args = process.argv.slice(2);
// Without arguments, types are among the checks.
prepareOrExit({ types: args.length > 0 });
// Beside the tests, which wait now and then: one at a time is over long before they are.
const checking = args.length === 0 ? runChecks(checks, 1) : [];
const { passed, failed, skipped, code } = await runVitest(args);
const results = await checking;
const broken = printFailures(results);
const failures = broken + (code !== 0 && failed === 0 ? 1 : failed);
if (args.length === 0) console.log(`${skipped} skipped, and ${longRuns.length} longer runs: npm run test:long`);
console.log(`${passed + results.length - broken} passed, ${failures} failed`);
process.exitCode = failures > 0 || passed === 0 ? 1 : 0;
