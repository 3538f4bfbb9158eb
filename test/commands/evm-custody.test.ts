import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from '../evm/anvil.ts';

const project = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(project, 'docs', 'operations', 'custody.md'), 'utf8');

/** With small segments of the journal, which are filled with zeros at a start. */
const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1' };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evm-custody-'));
  symlinkSync(join(project, 'dist'), join(folder, 'dist'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('DEC-WAL-22: the commands and the file of the page make a seed and are accepted by a start', async () => {
  const command = /^ *(node .* custody new-seed .*)$/m.exec(page)![1]!;
  const made = spawnSync('sh', ['-ec', command], { cwd: folder, encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toMatch(/hot wallet {2}m\/44'\/60'\/1'\/0\/0 {3}0x[0-9a-fA-F]{40}\n/);
  expect(statSync(join(folder, 'eth.seed')).mode & 0o777).toBe(0o600);

  const [, json] = /```json\n([\s\S]*?)```/.exec(page)!;
  // A port that nobody listens on: a node that does not answer keeps no exchange from starting.
  const content = JSON.parse(json!.replace('127.0.0.1:8545', '127.0.0.1:1'));
  // A sandbox takes the chain of a development node only. DEC-OPR-110.
  content.networks = [{ ...content.networks[0], chainId: 31_337 }];
  writeFileSync(join(folder, 'custody.json'), JSON.stringify(content));
  const started = await start();
  expect(started.output).toContain('USDC is listed on ETH with contract 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
  expect(started.output).not.toContain('USDT is listed on ETH');
  expect(started.output).toContain('Bourse sandbox is ready.');
  expect(started.code).toBe(0);

  content.networks[0].keys = { kind: 'hot', seedFile: 'none.seed' };
  writeFileSync(join(folder, 'custody.json'), JSON.stringify(content));
  const refused = await start();
  expect([refused.code, JSON.parse(refused.output)]).toMatchObject([
    2,
    { level: 60, msg: 'none.seed cannot be used as a sealed seed: ENOENT' },
  ]);
}, 60_000);

/** Starts the exchange, and stops it once it is ready. */
async function start(): Promise<{ readonly code: number | null; readonly output: string }> {
  const ports = ['--port', '0', '--operator-port', '0'];
  const args = ['dist/main/bourse.js', 'start', '--custody-file', 'custody.json', '--no-simulate', ...ports];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isReady = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      if (isReady || !output.includes('is ready.')) return;
      isReady = true;
      child.kill('SIGTERM');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe.skipIf(!hasAnvil)('the example', () => {
  test('DEC-WAL-22: it deposits, withdraws and sweeps on a chain of its own', () => {
    const args = ['examples/evm-custody/run.mjs'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Status 5, 12 of 12 confirmations: credited 2 ETH.');
    expect(stdout).toContain('The receiver got 0.499 ETH: the fee of 0.001 ETH is inside.');
    expect(stdout).toMatch(/The deposit was swept: the hot wallet has 2\.50?\d* ETH\.\n$/);
  }, 60_000);
});
