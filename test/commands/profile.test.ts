import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'profile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts with empty books; one that becomes ready is stopped. */
async function start(data: string, profile: 'sandbox' | 'production') {
  const args = ['start', '--data', data, '--profile', profile, '--port', '0', '--operator-port', '0', '--no-simulate'];
  const secrets = { BOURSE_MASTER_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(32) };
  const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1', ...secrets };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdout.on('data', (chunk) => {
    const wasReady = output.includes('ready');
    output += chunk;
    if (!wasReady && output.includes('ready')) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

for (const [first, other] of [
  ['sandbox', 'production'],
  ['production', 'sandbox'],
] as const)
  test(`DEC-OPR-100: a directory of ${first} is refused by ${other} and goes on as ${first}`, async () => {
    const data = join(folder, first);
    expect((await start(data, first)).code).toBe(0);
    const before = readdirSync(data).sort();
    const refused = await start(data, other);
    expect(refused.code).toBe(2);
    const told =
      `${data} is of the ${first} profile, which never changes: start it with --profile ${first}, or choose another ` +
      '--data';
    expect(JSON.parse(refused.errors)).toMatchObject({ level: 60, msg: told });
    expect(refused.output).not.toMatch(/ready/);
    expect(readdirSync(data).sort()).toEqual(before);
    expect((await start(data, first)).code).toBe(0);
  }, 60_000);
