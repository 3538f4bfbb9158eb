import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { hasEtcd } from './etcd-members.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'bourse-play-'));
const data = join(folder, 'data');
let child: ChildProcess | null = null;

afterAll(async () => {
  // Asked twice, it ends at once, and what it started with it.
  while (child !== null && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGINT');
    await setTimeout(200);
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A started `npm run cluster`, and what it printed so far. */
async function start(): Promise<() => string> {
  const args = [join(root, 'tools', 'cluster.mjs'), '--data', data, '--port', '28200'];
  const started = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  let text = '';
  for (const output of [started.stdout, started.stderr]) output.on('data', (chunk) => (text += chunk));
  await until(
    () => /leads, at/.test(text),
    () => text,
  );
  return () => text;
}

async function until(test: () => boolean, told: () => string): Promise<void> {
  for (let left = 3000; !test(); left -= 1) {
    if (left === 0 || child?.exitCode !== null) throw new Error(`it did not come about:\n${told()}`);
    await setTimeout(100);
  }
}

async function stop(): Promise<number | null> {
  child!.kill('SIGINT');
  const [code] = (await once(child!, 'exit')) as [number | null];
  return code;
}

/** Runs the lines that the text says to try whose first word is one of these, in one shell. Answers what they print. */
function tried(text: string, pattern: RegExp): string {
  const lines = text.split('\n').filter((line) => line.startsWith('  ') && pattern.test(line));
  expect(lines.length).toBeGreaterThan(0);
  const { stdout } = spawnSync('bash', ['-c', lines.join('\n')], { cwd: root, encoding: 'utf8', timeout: 30_000 });
  return stdout;
}

/** Tries until an answer is as wanted: a node may not have a leader yet. */
async function triedUntil(text: string, pattern: RegExp, wanted: string): Promise<void> {
  for (let left = 100; !tried(text, pattern).includes(wanted); left -= 1) {
    if (left === 0) throw new Error(`no ${wanted}: ${tried(text, pattern)}`);
    await setTimeout(200);
  }
}

const order = /^ {2}(?:[qs]=|curl -s -X POST)/;
const read = /^ {2}(?:[rt]=|curl .*\/openOrders)/;

/** The price at each node; waits until it is another one everywhere. */
async function priceMoves(text: string): Promise<void> {
  const prices = (): readonly string[] => tried(text, /ticker\/price/).match(/"price":"[^"]+"/g) ?? [];
  const before = prices();
  expect(before).toHaveLength(3);
  for (let left = 300; prices().some((price) => before.includes(price)); left -= 1) {
    if (left === 0) throw new Error(`the price stays ${before.join(', ')}`);
    await setTimeout(200);
  }
}

/** Takes two cores for a minute: `BOURSE_TEST_PLAYGROUND=1` runs it. */
const isAsked = hasEtcd && process.env['BOURSE_TEST_PLAYGROUND'] !== undefined;

test.skipIf(!isAsked)(
  'DEC-CLU-23: npm run cluster: its lines work, a killed leader is followed by another, and data is kept',
  async () => {
    const text = await start();
    await triedUntil(text(), order, '"orderId":"C02__');
    expect(tried(text(), /curl .*\/v1\/accounts/)).toContain('"name":"alice"');
    expect(tried(text(), /cluster status/)).toContain('leads.');
    await triedUntil(text(), read, '"price":"20000"');
    await priceMoves(text());

    const [, leader, pid] = /(node-\d) leads, at .* kill -9 (\d+)/.exec(text())!;
    const before = text().length;
    process.kill(Number(pid), 'SIGKILL');
    await until(() => / leads, at .*epoch/.test(text().slice(before)), text);
    expect(leader).toMatch(/^node-[123]$/);
    await triedUntil(text(), order, '"orderId":"C02__');
    // The traders go on at the next leader.
    await priceMoves(text());
    expect(await stop()).toBe(0);

    const again = await start();
    await triedUntil(again(), read, '"price":"20000"');
    expect(await stop()).toBe(0);
  },
  900_000,
);
