import { after, afterEach, beforeEach } from 'node:test';
import { type TestExchange, useExchange, type UseOptions } from '#testing/testing.ts';

/** What a hook behind a test is told of it; declared here because it is newer than the oldest Node. */
interface EndedTest {
  readonly name: string;
  readonly passed?: boolean;
}

/**
 * An exchange for the tests of a file that `node --test` runs. It is started at once, because Node runs hooks before
 * all tests of a file side by side: `const bourse = await useBourse()`. DEC-KIT-34.
 */
export async function useBourse(options?: UseOptions): Promise<TestExchange> {
  let started = Promise.resolve();
  const hooks = {
    beforeAll: (work: () => Promise<void>) => {
      started = work();
    },
    afterAll: (work: () => Promise<void>, timeout: number) => after(work, { timeout }),
    beforeEach: (work: () => Promise<void>, timeout: number) => beforeEach(work, { timeout }),
    afterEach: (work: (failed: string | null) => Promise<void>, timeout: number) =>
      afterEach((context) => work(failedTest(context as EndedTest)), { timeout }),
  };
  const exchange = useExchange(hooks, options);
  await started;
  return exchange;
}

const failedTest = ({ name, passed }: EndedTest): string | null => (passed === false ? name : null);
