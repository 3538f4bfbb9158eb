import { type TestExchange, useExchange, type UseOptions } from '#testing/testing.ts';

type Hook = (work: () => Promise<void>, timeoutMs: number) => void;
type Hooks = Readonly<Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Hook>>;
/** What the runner of jest tells of a test. */
interface CircusEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/** Where jest-circus keeps who is told of its events. Hooks are not told what became of a test. */
const handlersOfEvents = Symbol.for('EVENT_HANDLERS');

/**
 * An exchange for the tests of a file that jest runs: it is there for all hooks and tests of the file. Tests of jest
 * have globals of their own, so that what Node throws is no `Error` there: the exchange has a thread. DEC-KIT-34.
 * @throws TypeError where jest's hooks are no globals
 */
export function useBourse(options?: UseOptions): TestExchange {
  const hooks = globalThis as unknown as Hooks & { readonly [handlersOfEvents]?: ((event: CircusEvent) => void)[] };
  if (typeof hooks.beforeAll !== 'function') throw new TypeError('useBourse: the hooks of jest are to be globals');
  let failed: string | null = null;
  hooks[handlersOfEvents]?.push(({ name, test }) => {
    if (name === 'test_start') failed = null;
    if (name === 'test_fn_failure' && test !== undefined) failed = test.name;
  });
  const { beforeAll, afterAll, beforeEach } = hooks;
  const afterEach = (work: (failed: string | null) => Promise<void>, ms: number) =>
    hooks.afterEach(() => work(failed), ms);
  return useExchange({ beforeAll, afterAll, beforeEach, afterEach }, { ...options, thread: true });
}
