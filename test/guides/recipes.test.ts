import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project, runProcess } from './run-process.ts';

/** The recipes of docs/guides/build-a-bot.md, run as a pipeline runs them. Each starts an exchange of its own. */

const has = (...commands: readonly string[]): boolean =>
  commands.every((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0);

test('the recipe in Node funds a book, trades and stops', async () => {
  expect(await runProcess(process.execPath, 'examples/market-maker/ci.mjs')).toEqual({ code: 0, lines: ['passed'] });
});

test.runIf(has('python3'))('the recipe in Python funds a book, trades and stops', async () => {
  expect(await runProcess('python3', 'examples/market-maker/ci.py')).toEqual({ code: 0, lines: ['passed'] });
});

test.runIf(has('bash', 'curl', 'openssl'))(
  'the recipe in bash places an order once, though it sends it twice',
  async () => {
    const { code, lines } = await runProcess('bash', 'examples/market-maker/ci.sh');
    const [first, second, open, canceled] = lines.map((line) => JSON.parse(line));
    expect([code, second.orderId, open.length]).toEqual([0, first.orderId, 1]);
    expect(canceled).toMatchObject({ orderId: first.orderId, status: 'CANCELED' });
  },
);

test('the guide has every file of the example', () => {
  const guide = readFileSync(join(project, 'docs', 'guides', 'build-a-bot.md'), 'utf8');
  const files = readdirSync(join(project, 'examples', 'market-maker')).filter((name) => /\.(mjs|py|sh)$/.test(name));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => !guide.includes(`<!-- generated examples/market-maker/${name} -->`))).toEqual([]);
});
