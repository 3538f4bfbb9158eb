import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Anvil, hasAnvil, startAnvil } from '../evm/anvil.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
const secrets = { BOURSE_MASTER_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(32) };
const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1', ...secrets };
const ether = 10n ** 18n;
const stranger = '0x00000000000000000000000000000000DeaDBeef';

let folder: string;
let anvil: Anvil;
let running: ChildProcess | null = null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restore-guard-'));
  anvil = await startAnvil();
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await anvil.stop();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers as they are on the wire
type Answer = any;

/** A production exchange whose ETH is on the chain of the test. */
interface Exchange {
  operator(method: string, path: string, body?: object): Promise<Answer>;
  /** A signed request of the only customer. */
  customer(method: string, path: string, parameters?: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
}

let key = { accessKey: '', secretKey: '' };

async function start(data: string): Promise<Exchange> {
  const where = ['--data', data, '--profile', 'production', '--custody-file', join(folder, 'custody.json')];
  const operatorPort = await freePort();
  const args = ['start', ...where, '--port', '0', '--operator-port', `${operatorPort}`, '--settle-every-ms', '200'];
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let text = '';
  child.stderr.on('data', (chunk) => (text += chunk));
  child.stdout.on('data', (chunk) => (text += chunk));
  const url = await until(async () => /Bourse is ready: (http:\/\/[^"]+)/.exec(text)?.[1]);
  const operator: Exchange['operator'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${secrets.BOURSE_OPERATOR_TOKEN}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`http://127.0.0.1:${operatorPort}${path}`, { method, headers, ...sent });
    const answer = await reply.json();
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    operator,
    customer: async (method, path, parameters = {}) => {
      const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
      const signature = createHmac('sha256', key.secretKey).update(query).digest('hex');
      const headers = { 'X-SVC-APIKEY': key.accessKey };
      const reply = await fetch(`${url}/api/v3${path}?${query}&signature=${signature}`, { method, headers });
      const answer = (await reply.json()) as Answer;
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      running = null;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks until there is an answer, for at most a minute. */
async function until<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (let left = 300; left > 0; left -= 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await setTimeout(200);
  }
  throw new Error('it never came');
}

/** Makes the sealed seed and the custody file; answers the address of the hot wallet. */
function makeCustody(): string {
  const seedFile = join(folder, 'eth.seed');
  const args = [entry, 'custody', 'new-seed', '--profile', 'production', '--network', 'ETH', '--out', seedFile];
  const made = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect([made.status, made.stderr]).toEqual([0, '']);
  const network = {
    kind: 'evm',
    network: 'ETH',
    rpcUrl: anvil.url,
    chainId: 31_337,
    startBlock: 0,
    keys: { kind: 'hot', seedFile },
    nativeCoin: { perHourMax: null, sweepFrom: '100000000000000000' },
    sweepConfirmations: 3,
    sweepEveryMs: 500,
  };
  writeFileSync(join(folder, 'custody.json'), JSON.stringify({ networks: [network] }));
  return /hot wallet .* (0x\w{40})$/m.exec(made.stdout)![1]!;
}

/** Lists ETH and opens the account of a customer with a key. */
async function setUp(exchange: Exchange): Promise<void> {
  const { operator } = exchange;
  await operator('PUT', '/v1/assets/ETH', { fullName: 'Ether', scale: 9, cap: '1000000', coinId: '1'.repeat(32) });
  const rules = {
    ...{ valuedIn: 'ETH', largeDeposit: '100000', dailyCaps: ['100', '100', '100', '100'], riskHoldAbove: null },
    ...{
      fourEyesAbove: null,
      adjustFourEyesAbove: null,
      newAddressDelayMs: 0,
      waitMs: 0,
      transferable: [],
      dustBelow: '0',
    },
    ...{ dustCallMax: '0', dustFeePpm: 0 },
  };
  await operator('PUT', '/v1/wallet/rules', rules);
  const terms = {
    ...{ label: 'Ethereum', contract: null, chainScale: 18, sharesAddress: false, depositEnabled: true },
    ...{ withdrawEnabled: true, minConfirm: 2, depositMin: '0.001', withdrawFee: '0.001', withdrawMin: '0.01' },
    ...{ withdrawMax: '100', withdrawStep: '0.00000001', depositDesc: null, depositTips: null, withdrawTips: null },
  };
  await operator('PUT', '/v1/assets/ETH/networks/ETH', terms);
  const { uid } = await operator('POST', '/v1/accounts', { name: 'carol', kycLevel: 4 });
  const permissions = ['SPOT_WITHDRAW_READ', 'SPOT_WITHDRAW_WRITE', 'SPOT_ACCOUNT_READ'];
  key = await operator('POST', `/v1/accounts/${uid}/api-keys`, { note: 'test', permissions });
}

describe.skipIf(!hasAnvil)('a production exchange', () => {
  test('DEC-WAL-120, DEC-OPR-100: backup, withdrawal, restore, asked again: paid once', async () => {
    const hotWallet = makeCustody();
    const [payer] = await anvil.rpc<string[]>('eth_accounts');
    const pay = (to: string, value: bigint) =>
      anvil.rpc('eth_sendTransaction', { from: payer, to, value: `0x${value.toString(16)}` });
    const balance = async (): Promise<bigint> => BigInt(await anvil.rpc('eth_getBalance', stranger, 'latest'));
    await pay(hotWallet, 10n * ether);
    await anvil.mine();

    const data = join(folder, 'data');
    let exchange = await start(data);
    await setUp(exchange);
    const [{ address }] = await exchange.customer('POST', '/capital/deposit/address', { coin: 'ETH', network: 'ETH' });
    await pay(address, 5n * ether);
    const deposited = async () => {
      await anvil.mine();
      return (await exchange.customer('GET', '/capital/deposit/hisrec')).find((each: Answer) => each.status === 5);
    };
    await until(deposited);
    await exchange.stop();
    const backup = join(folder, 'backup');
    cpSync(data, backup, { recursive: true });

    exchange = await start(data);
    const ask = { coin: 'ETH', netWork: 'ETH', address: stranger, amount: '2' };
    const statusOf = async (id: string): Promise<number> =>
      (await exchange.customer('GET', '/capital/withdraw/history')).find((each: Answer) => each.id === id)?.status;
    const paid = async (id: string) => {
      await anvil.mine();
      return (await statusOf(id)) === 7 ? true : undefined;
    };
    const first = await exchange.customer('POST', '/capital/withdraw', ask);
    await until(() => paid(first.id));
    expect(await balance()).toBe((ether * 1999n) / 1000n);
    await exchange.stop();

    exchange = await start(backup);
    const { id } = await exchange.customer('POST', '/capital/withdraw', ask);
    const other = await exchange.customer('POST', '/capital/withdraw', { ...ask, amount: '1' });
    const found = await until(async () => {
      await anvil.mine();
      const { profile, networks, unknownPayments } = await exchange.operator('GET', '/v1/safety');
      expect(profile).toBe('production');
      const [payment] = unknownPayments;
      return networks[0].isHeld && payment?.txId != null ? payment : undefined;
    });
    expect(found).toMatchObject({ network: 'ETH', nonce: 0, asset: 'ETH', amount: '1.999', address: stranger });
    await anvil.mine(5);
    await setTimeout(1500);
    expect([await statusOf(id), await statusOf(other.id)]).toEqual([3, 3]);
    const queue = (await exchange.operator('GET', '/v1/withdrawals')).items;
    expect(queue.map(({ waitsFor }: Answer) => waitsFor)).toEqual(
      queue.map(() => 'Withdrawals of the network are held: see GET /v1/safety.'),
    );
    expect(await balance()).toBe((ether * 1999n) / 1000n);
    const path = `/v1/safety/payments/ETH/${found.payment}/bookings`;
    const { withdrawal } = queue.find((each: Answer) => each.id === id);
    await exchange.operator('POST', path, { booking: 'withdrawal', withdrawal });
    expect(await statusOf(id)).toBe(7);
    await until(() => paid(other.id));
    // The lost payment once, and what was asked for besides.
    expect(await balance()).toBe((ether * 2998n) / 1000n);
    await exchange.stop();
  }, 240_000);
});
