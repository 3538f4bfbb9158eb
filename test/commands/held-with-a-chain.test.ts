import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Anvil, hasAnvil, startAnvil } from '../evm/anvil.ts';
import { testTokenCode } from '../evm/test-token.ts';

/** What a new exchange with real keys and a chain does not pay by itself. A restored one: restore-guard.test.ts. */

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1' };
const ether = 10n ** 18n;
const stranger = '0x00000000000000000000000000000000DeaDBeef';
let folder: string;
let anvil: Anvil;
let running: ChildProcess | null = null;
let ports: readonly string[];

// biome-ignore lint/suspicious/noExplicitAny: answers as they are on the wire
type Answer = any;

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Asks until there is an answer, for at most a minute; makes a block each time. */
async function until<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (let left = 300; left > 0; left -= 1) {
    await anvil.mine();
    const found = await ask();
    if (found !== undefined) return found;
    await setTimeout(200);
  }
  throw new Error('it never came');
}

const bourse = (...args: readonly string[]) => spawnSync(process.execPath, [entry, ...args], { env, encoding: 'utf8' });
const at = (file: string): string => join(folder, 'desk', file);
const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(await anvil.rpc('eth_getBalance', address, 'latest'));

async function send(transaction: object): Promise<{ readonly contractAddress: string }> {
  const [from] = await anvil.rpc<string[]>('eth_accounts');
  const id = await anvil.rpc('eth_sendTransaction', { from, ...transaction });
  await anvil.mine();
  return anvil.rpc('eth_getTransactionReceipt', id);
}
const pay = (to: string, value: bigint) => send({ to, value: `0x${value.toString(16)}` });

async function operator(person: string, method: string, path: string, body?: object): Promise<Answer> {
  const token = readFileSync(at(`secrets/${person}.token`), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`http://127.0.0.1:${ports[1]}${path}`, { method, headers, ...sent })).json();
}

async function customer(key: Answer, method: string, path: string, parameters = {}): Promise<Answer> {
  const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
  const signature = createHmac('sha256', key.secretKey).update(query).digest('hex');
  const url = `http://127.0.0.1:${ports[0]}/api/v3${path}?${query}&signature=${signature}`;
  return (await fetch(url, { method, headers: { 'X-SVC-APIKEY': key.accessKey } })).json();
}

async function stop(): Promise<void> {
  if (running === null || running.exitCode !== null || running.signalCode !== null) return;
  running.kill('SIGTERM');
  await once(running, 'exit');
}

describe.skipIf(!hasAnvil)('an exchange with a hot wallet on a chain', () => {
  let hotWallet: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'held-'));
    anvil = await startAnvil();
    ports = [await freePort(), await freePort()];
    const contracts = [await send({ data: testTokenCode }), await send({ data: testTokenCode })];
    const [quote, token] = contracts.map(({ contractAddress }) => contractAddress);
    const made = bourse(
      ...[
        'setup',
        join(folder, 'desk'),
        '--yes',
        '--persons',
        'ann,ben',
        '--port',
        ports[0]!,
        '--operator-port',
        ports[1]!,
      ],
      ...['--rpc-url', anvil.url, '--chain-id', '31337', '--confirmations', '1'],
      ...['--quote-contract', quote!, '--token-contract', token!],
    );
    hotWallet = /hot wallet {2}(0x\w{40})/.exec(made.stdout)![1]!;
    // The chain is young: all of it is read.
    const custody = readFileSync(at('custody.jsonc'), 'utf8');
    writeFileSync(at('custody.jsonc'), custody.replace('"chainId": 31337,', '$& "startBlock": 0,'));
    await pay(hotWallet, 10n * ether);
  }, 60_000);
  afterEach(stop);
  afterAll(async () => {
    await anvil?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  test('DEC-WAL-143, DEC-WAL-144, DEC-OPR-140: a coin without a price comes and leaves once two persons have approved it', async () => {
    running = spawn(process.execPath, [entry, 'start', '--config', at('bourse.jsonc')], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ready = () => fetch(`http://127.0.0.1:${ports[1]}/readyz`).then(({ ok }) => ok || undefined);
    await until(() => ready().catch(() => undefined));
    const root = ['--url', `http://127.0.0.1:${ports[1]}`, '--token-file', at('secrets/root.token')];
    expect(bourse('op', 'apply', at('market.jsonc'), '--yes', ...root)).toMatchObject({ status: 0 });
    const { uid } = await operator('ann', 'POST', '/v1/accounts', { name: 'carol', kycLevel: 4 });
    const permissions = ['SPOT_WITHDRAW_READ', 'SPOT_WITHDRAW_WRITE'];
    const key = await operator('ann', 'POST', `/v1/accounts/${uid}/api-keys`, { note: 'first', permissions });
    const coin = { coin: 'ETH', network: 'ETH' };
    const [{ address }] = await customer(key, 'POST', '/capital/deposit/address', coin);
    await pay(address, 3n * ether);
    const deposit = async (): Promise<Answer> => (await operator('ann', 'GET', '/v1/deposits')).items[0];
    await until(async () => ((await deposit())?.status === 'largeDelay' ? true : undefined));
    const credit = (person: string) => operator(person, 'POST', '/v1/deposits/1/review', { decision: 'credit' });
    expect(await credit('ann')).toMatchObject({ status: 'largeDelay' });
    expect(await credit('ben')).toMatchObject({ status: 'success' });

    const asked = { coin: 'ETH', netWork: 'ETH', address: stranger, amount: '1' };
    await customer(key, 'POST', '/capital/withdraw', asked);
    const withdrawal = () => operator('ann', 'GET', '/v1/withdrawals/1');
    const held = await until(async () => {
      const now = await withdrawal();
      return now.status === 'manual' ? now : undefined;
    });
    expect(held).toMatchObject({ value: null, approvals: [] });
    const review = (person: string) => operator(person, 'POST', '/v1/withdrawals/1/review', { decision: 'approve' });
    expect(await review('ann')).toMatchObject({ status: 'manual', approvals: ['ann'] });
    expect(await review('ann')).toMatchObject({ code: 'sameOperator' });
    await anvil.mine(20);
    await setTimeout(3000);
    expect([(await withdrawal()).status, await balanceOf(stranger)]).toEqual(['manual', 0n]);

    expect((await review('ben')).approvals).toEqual(['ann', 'ben']);
    await until(async () => ((await withdrawal()).status === 'success' ? true : undefined));
    expect(await balanceOf(stranger)).toBe((ether * 998n) / 1000n);
  }, 120_000);

  test('DEC-OPR-100, DEC-OPR-297: play money of a sandbox never meets the hot wallet', async () => {
    const before = [await balanceOf(hotWallet), await anvil.rpc('eth_getTransactionCount', hotWallet, 'latest')];
    const play = join(folder, 'play');
    const sandbox = ['--data', play, '--port', '0', '--operator-port', '0', '--no-simulate'];
    running = spawn(process.execPath, [entry, 'start', ...sandbox], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of running.stdout!) if (String(chunk).includes('ready')) break;
    running.kill('SIGKILL');
    await once(running, 'exit');
    const refused = bourse('start', '--config', at('bourse.jsonc'), '--data', play);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('sandbox')]);
    await anvil.mine(5);
    const after = [await balanceOf(hotWallet), await anvil.rpc('eth_getTransactionCount', hotWallet, 'latest')];
    expect(after).toEqual(before);
  }, 60_000);
});
