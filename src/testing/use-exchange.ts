import { newestRequest, newestRequests } from '#testing/newest-requests.ts';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange, TestExchangeOptions } from '#testing/test-exchange.ts';

/** How the exchange of a test file is made. */
export interface UseOptions extends TestExchangeOptions {
  /**
   * Each test begins with what the exchange was before the first one, the same ids included: what `beforeAll` hooks of
   * the file made is there, and nothing else. Connections are closed then. By itself tests share one exchange.
   */
  readonly restoreEach?: boolean;
}

/** Hooks of a test runner. */
export interface TestHooks {
  beforeAll(work: () => Promise<void>, timeoutMs: number): void;
  afterAll(work: () => Promise<void>, timeoutMs: number): void;
  beforeEach(work: () => Promise<void>, timeoutMs: number): void;
  /** `failed`: name of the test that is over, where it failed; else `null`. */
  afterEach(work: (failed: string | null) => Promise<void>, timeoutMs: number): void;
}

/** Of a busy machine; making the history of a simulated market takes longer than anything else. */
const hookMs = { usual: 60_000, simulated: 300_000 };
const stateName = 'before-tests';

/**
 * Starts an exchange before the tests of a file and closes it behind them, by hooks of their runner. A test that fails
 * prints its newest requests. The members of the answer can be read once the hooks before it have run.
 * DEC-KIT-34, DEC-KIT-35, DEC-KIT-36.
 */
export function useExchange(hooks: TestHooks, options: UseOptions = {}): TestExchange {
  const { restoreEach = false, ...made } = options;
  let exchange: TestExchange | null = null;
  let isSaved = false;
  /** The newest request before a test. */
  let before = 0;
  const running = (): TestExchange => {
    if (exchange === null) throw new Error('useBourse: the exchange is there once beforeAll has run');
    return exchange;
  };
  hooks.beforeAll(
    async () => {
      exchange = await startBourse(made);
    },
    made.simulate === true ? hookMs.simulated : hookMs.usual,
  );
  hooks.beforeEach(async () => {
    const { operator } = running();
    // Behind whatever hooks of the file made before its first test.
    if (restoreEach && !isSaved) await operator.saveState({ name: stateName });
    else if (restoreEach) await operator.restoreState({ name: stateName, sameIds: true });
    isSaved = true;
    before = await newestRequest(operator);
  }, hookMs.usual);
  hooks.afterEach(async (failed) => {
    // biome-ignore lint/suspicious/noConsole: runners show what a test writes so beside its name
    if (failed !== null) console.error(`"${failed}" failed. ${await toldRequests(running(), before)}`);
  }, hookMs.usual);
  hooks.afterAll(async () => {
    await exchange?.close();
  }, hookMs.usual);
  // Members are those of the exchange that is started later.
  return new Proxy({} as TestExchange, { get: (_, name) => Reflect.get(running(), name) });
}

/** The requests of a test; why it failed is not to be hidden by what keeps them from being read. */
async function toldRequests({ operator, accounts }: TestExchange, after: number): Promise<string> {
  try {
    const lines = await newestRequests({ operator, accounts: Object.values(accounts) }, after);
    if (lines.length === 0) return 'No request came to the exchange.';
    return ['Its newest requests, by the clock of the exchange:', ...lines].join('\n  ');
  } catch (error) {
    return `Its requests cannot be read: ${(error as Error).message}`;
  }
}
