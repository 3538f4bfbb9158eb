import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, first: single files in the order of their time, those that wait among those that reckon, then
 * folders whose tests start processes or browsers, or try very many cases.
 */
const longest = [
  'test/commands/backup.test.ts',
  'test/cluster/drill.test.ts',
  'test/guides/run-an-exchange.test.ts',
  'test/crash/broken-entry.test.ts',
  'test/ports/command-log.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/simulation/market-history.test.ts',
  'test/crash/wallet-kill.test.ts',
  'test/evm/refunds.test.ts',
  'test/crash/',
  'test/cluster/',
  'test/commands/',
  'test/guides/',
  'test/property/',
  'test/fuzz/',
  'test/evm/',
  'test/simulation/',
  'test/browser/',
];
/** Those of another project come before all: a process of tests is of one project, and ends where the next begins. */
const rankOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.name === 'follower') return -1;
  const rank = longest.findIndex((path) => moduleId.includes(`/${path}`));
  return rank < 0 ? longest.length : rank;
};

/** Long files first, so that none of them is left for one core at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((first, second) => rankOf(first) - rankOf(second));
  }
}

/**
 * Tests of clients that run a second time, with an exchange that is a node which follows: see
 * `test/follower-exchange.ts`. With `BOURSE_TEST_FOLLOWER` set, all tests have such an exchange, and run once.
 */
const ofFollowers = ['test/api/{listen-keys,orders}.test.ts', 'test/streams/push-order.test.ts'];
const isThroughFollower = process.env['BOURSE_TEST_FOLLOWER'] !== undefined;
const all = {
  extends: true,
  test: { name: 'all', include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'] },
} as const;
const follower = {
  extends: true,
  test: { name: 'follower', include: ofFollowers, env: { BOURSE_TEST_FOLLOWER: '1' } },
} as const;

/**
 * Sources are tested as written. Files share the processes that run them, so that a module is loaded once per process,
 * not once per file: no test may leave anything behind in a module.
 */
export default defineConfig({
  test: {
    projects: isThroughFollower ? [all] : [all, follower],
    setupFiles: ['test/every-answer.ts'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Twice the cores of a small machine: many tests wait for timers, elections and processes that start.
    maxWorkers: 4,
  },
});
