import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type TestExchange, useExchange, type UseOptions } from '#testing/testing.ts';

/**
 * An exchange for the tests of a file that vitest runs: it is there for all hooks and tests of the file. DEC-KIT-34.
 */
export const useBourse = (options?: UseOptions): TestExchange =>
  useExchange(
    {
      beforeAll,
      afterAll,
      beforeEach,
      afterEach: (work, timeoutMs) =>
        afterEach(({ task }) => work(task.result?.state === 'fail' ? task.name : null), timeoutMs),
    },
    options,
  );
