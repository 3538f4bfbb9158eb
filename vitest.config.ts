import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests start processes or browsers, or try very many cases. */
const longest = [
  'test/crash/',
  'test/cluster/',
  'test/property/',
  'test/fuzz/',
  'test/commands/',
  'test/evm/',
  'test/simulation/',
  'test/browser/',
];
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((folder) => moduleId.includes(`/${folder}`));
  return rank < 0 ? longest.length : rank;
};

/** Long files first, so that none of them is left for one core at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((first, second) => rankOf(first) - rankOf(second));
  }
}

/**
 * Sources are tested as written. Files share the processes that run them, so that a module is loaded once per process,
 * not once per file: no test may leave anything behind in a module.
 */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/every-answer.ts'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 3,
  },
});
