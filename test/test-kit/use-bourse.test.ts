import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runProcess } from '../guides/run-process.ts';
import { type TestHooks, useExchange } from '#testing/testing.ts';

const runners = join(import.meta.dirname, 'runners');
const vitest = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');

/** What a runner of tests prints on both channels, without colours, and its exit code. */
function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  // What tells a runner that it is run by another one is not for this one.
  const { NODE_TEST_CONTEXT: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: runners, env: { ...env, NO_COLOR: '1' } });
  let text = '';
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (chunk) => {
      text += chunk;
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

const told = [
  '"breaks" failed. Its newest requests, by the clock of the exchange:',
  '  2026-01-01T00:02:00.000Z  POST /api/v3/order  400  400 API key required: send header X-SVC-APIKEY.',
  '  2026-01-01T00:02:00.000Z  GET /api/v3/time  200',
].join('\n');

test('DEC-KIT-34, DEC-KIT-35, DEC-KIT-36: vitest starts an exchange, restores it, and prints requests', async () => {
  const { code, text } = await run(vitest, 'run', '--config', join(runners, 'vitest.config.ts'));
  expect(text).toContain(told);
  expect(text).not.toContain('/api/v3/depth');
  expect(text).toMatch(/Tests {2}1 failed \| 2 passed/);
  expect(code).toBe(1);
}, 60_000);

test('DEC-KIT-34, DEC-KIT-35, DEC-KIT-36: node --test does', async () => {
  const { code, text } = await run('--test', '--test-reporter=spec', join(runners, 'node-story.mjs'));
  expect(text).toContain(told);
  expect(text).not.toContain('/api/v3/depth');
  expect(text).toMatch(/pass 2\n.*fail 1\n/);
  expect(code).toBe(1);
}, 60_000);

test('DEC-KIT-34: the example of the guide passes', async () => {
  const { code, lines } = await runProcess(process.execPath, '--test', join('examples', 'test-of-a-bot.mjs'));
  expect([code, lines.filter((line) => /(?:pass|fail) \d/.test(line)).map((line) => line.slice(2))]).toEqual([
    0,
    ['pass 3', 'fail 0'],
  ]);
}, 60_000);

describe('DEC-KIT-34, DEC-KIT-35: hooks of any runner', () => {
  /** Hooks that are called by hand, in the order of a runner. */
  function handHooks() {
    const works: Record<'beforeAll' | 'afterAll' | 'beforeEach', () => Promise<void>> = {
      ...{ beforeAll: async () => {}, afterAll: async () => {}, beforeEach: async () => {} },
    };
    let afterEachTest = async (_failed: string | null): Promise<void> => {};
    const hooks: TestHooks = {
      beforeAll: (work) => void Object.assign(works, { beforeAll: work }),
      afterAll: (work) => void Object.assign(works, { afterAll: work }),
      beforeEach: (work) => void Object.assign(works, { beforeEach: work }),
      afterEach: (work) => {
        afterEachTest = work;
      },
    };
    return { hooks, works, failed: (name: string | null) => afterEachTest(name) };
  }

  test('a member is there once it is started, and a test that passes prints nothing', async () => {
    const { hooks, works, failed } = handHooks();
    const bourse = useExchange(hooks, { now: '2026-01-01T00:00:00Z' });
    expect(() => bourse.baseUrl).toThrow('useBourse: the exchange is there once beforeAll has run');
    await works.beforeAll();
    const printed = vi.spyOn(console, 'error').mockReturnValue();
    try {
      await works.beforeEach();
      for (let nth = 0; nth < 25; nth += 1) await fetch(`${bourse.baseUrl}/${'x'.repeat(200)}`);
      await failed(null);
      expect(printed).not.toHaveBeenCalled();
      await failed('asks');
      const [[text]] = printed.mock.calls as [[string]];
      const lines = text.split('\n');
      expect(lines[0]).toBe('"asks" failed. Its newest requests, by the clock of the exchange:');
      expect(lines).toHaveLength(21);
      expect(lines[1]).toBe(`  2026-01-01T00:00:00.000Z  GET /${'x'.repeat(159)}…  404  404 No such path.`);
      await bourse.close();
      await failed('asks again');
      expect(printed.mock.calls.at(-1)![0]).toMatch(/^"asks again" failed. Its requests cannot be read: /);
    } finally {
      printed.mockRestore();
      await works.afterAll();
    }
  });
});
