import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil, startAnvil, type Anvil } from '../evm/anvil.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
let folder: string;
let node: Anvil;
let running: ChildProcess | null = null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-setup-'));
  if (hasAnvil) node = await startAnvil();
});
afterEach(async () => {
  await stop();
  if (hasAnvil) await node.stop();
  rmSync(folder, { recursive: true });
});

const bourse = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', cwd: folder });
  return { status, text: stdout + stderr, out: stdout };
};

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

async function start(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [entry, ...words], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  running = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  for (let left = 600; left > 0 && !text.includes('Bourse is ready'); left -= 1) await setTimeout(50);
  expect(text).toContain('Bourse is ready');
}

async function stop(): Promise<void> {
  if (running === null) return;
  running.kill('SIGTERM');
  await once(running, 'exit');
  running = null;
}

describe.skipIf(!hasAnvil)('DEC-OPR-271: the commands that bourse setup prints', () => {
  test('run as they are, and then there are two pairs, prices and two persons, also after a restart', async () => {
    const [port, operatorPort] = [await freePort(), await freePort()];
    const coins = ['--quote-contract', `0x${'1'.repeat(40)}`, '--token-contract', `0x${'2'.repeat(40)}`];
    const chain = ['--rpc-url', node.url, '--chain-id', '31337', '--native-price', '2500', '--token-price', '15'];
    const ports = ['--port', port, '--operator-port', operatorPort, '--persons', 'anna,ben'];
    const { status, out } = bourse('setup', 'desk', '--yes', ...ports, ...chain, ...coins);
    expect([status, out]).toEqual([0, expect.not.stringContaining('startBlock')]);
    expect(readFileSync(join(folder, 'desk', 'custody.jsonc'), 'utf8')).toMatch(/"startBlock": \d+,/);
    const called = `  node ${entry} `;
    const lines = out.split('\n').filter((line) => line.startsWith(called));
    const next = lines.map((line) => line.slice(called.length).split(' '));
    expect(next.map(([word]) => word)).toEqual(['start', 'doctor', 'op']);

    await start(next[0]!);
    const doctor = bourse(...next[1]!);
    expect([doctor.status, doctor.text]).toEqual([0, expect.not.stringContaining('fault')]);
    expect(bourse(...next[2]!, '--yes')).toMatchObject({ status: 0, text: expect.stringContaining('operators.ben') });
    const again = bourse(...next[2]!);
    expect([again.status, again.text]).toEqual([0, expect.not.stringMatching(/made|change|waits/)]);

    const market = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v3/exchangeInfo`);
      const { symbols } = (await answer.json()) as { symbols: { symbol: string; status: string }[] };
      return symbols.map(({ symbol, status: state }) => [symbol, state]);
    };
    expect(await market()).toEqual([
      ['ETHUSDT', '1'],
      ['LINKUSDT', '1'],
    ]);
    const asAnna = [
      '--url',
      `http://127.0.0.1:${operatorPort}`,
      '--token-file',
      join(folder, 'desk/secrets/anna.token'),
    ];
    expect(JSON.parse(bourse('op', 'whoami', '--json', ...asAnna).out)).toMatchObject({ actor: 'anna' });
    const prices = JSON.parse(bourse('op', 'prices', 'list', '--json', ...asAnna).out) as { items: unknown };
    expect(prices.items).toMatchObject([{ higher: '2500' }, { higher: '15' }, { higher: '1' }]);

    await stop();
    await start(next[0]!);
    expect(bourse(...next[2]!).text).not.toMatch(/made|change|waits/);
    expect(await market()).toHaveLength(2);
    expect(readFileSync(join(folder, 'desk/secrets/root.token'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  }, 60_000);
});

test('DEC-OPR-271: where the node does not answer, that is said, and no block is named', () => {
  const { status, out } = bourse('setup', 'desk', '--yes', '--rpc-url', 'http://127.0.0.1:1');
  expect([status, out]).toEqual([0, expect.stringContaining('The node of ETH did not answer as chain 1')]);
  expect(readFileSync(join(folder, 'desk', 'custody.jsonc'), 'utf8')).toContain('"startBlock": null,');
});
