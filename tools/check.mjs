/**
 * `npm run check`: the static checks and the quick tests (unit, contract, golden); one line each, all that failed in
 * full below it, the total at the end. `--fix` formats and regenerates first; `--static` leaves the tests out. Exits 1
 * when anything failed.
 */
import { argumentsOf } from './arguments.mjs';
import { bin, checks, printFailures, runCheck, runChecks } from './checks.mjs';
import { prepareOrExit } from './prepare.mjs';

const quickTests = {
  name: 'quick tests',
  run: [bin('vitest/vitest.mjs'), 'run', '--reporter=dot', 'src/', 'test/ports', 'test/golden'],
};

const { values } = argumentsOf(import.meta.filename, { fix: { type: 'boolean' }, static: { type: 'boolean' } });
const began = performance.now();
prepareOrExit({ insist: false, types: false });
if (values.fix) {
  await runCheck({ name: 'fix', run: [bin('@biomejs/biome/bin/biome'), 'check', '--write'] });
  for (const tool of ['draw-floors', 'describe-configuration', 'spec-coverage', 'generate-reference', 'include-code']) {
    await runCheck({ name: tool, run: [`tools/${tool}.mjs`] });
  }
}
const results = await runChecks(checks);
if (!values.static) results.push(...(await runChecks([quickTests])));

const failed = printFailures(results);
const total = ((performance.now() - began) / 1000).toFixed(1);
console.log(`\n${results.length - failed} of ${results.length} checks passed in ${total} s`);
process.exitCode = failed > 0 ? 1 : 0;
