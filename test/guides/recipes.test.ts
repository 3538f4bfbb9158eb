import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project, runProcess } from './run-process.ts';

/** The recipes of build-a-bot.md and without-a-client.md, run as a pipeline runs them. Each starts its own exchange. */

const has = (...commands: readonly string[]): boolean =>
  commands.every((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0);

test('the recipe in Node funds a book, trades and stops', async () => {
  expect(await runProcess(process.execPath, 'examples/market-maker/ci.mjs')).toEqual({ code: 0, lines: ['passed'] });
});

test.runIf(has('python3'))('the recipe in Python funds a book, trades and stops', async () => {
  expect(await runProcess('python3', 'examples/by-hand/ci.py')).toEqual({ code: 0, lines: ['passed'] });
});

test.runIf(has('bash', 'curl', 'openssl'))(
  'the recipe in bash places an order once, though it sends it twice',
  async () => {
    const { code, lines } = await runProcess('bash', 'examples/by-hand/ci.sh');
    const [first, second, open, canceled] = lines.map((line) => JSON.parse(line));
    expect([code, second.orderId, open.length]).toEqual([0, first.orderId, 1]);
    expect(canceled).toMatchObject({ orderId: first.orderId, status: 'CANCELED' });
  },
);

test.each([
  ['build-a-bot.md', 'market-maker', 8],
  ['without-a-client.md', 'by-hand', 11],
])('the guide %s has every file of examples/%s', (page, folder, count) => {
  const guide = readFileSync(join(project, 'docs', 'guides', page), 'utf8');
  const files = readdirSync(join(project, 'examples', folder)).filter((name) => /\.(mjs|py|sh)$/.test(name));
  expect(files).toHaveLength(count);
  expect(files.filter((name) => !guide.includes(`<!-- generated examples/${folder}/${name} -->`))).toEqual([]);
});
