import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The program. */
export const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
const secrets = { BOURSE_MASTER_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(32) };
/** Environment of every process: its secrets among them. */
export const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1', ...secrets };

// biome-ignore lint/suspicious/noExplicitAny: answers as they are on the wire
export type Answer = any;

/** A production exchange whose ETH is on the chain of the test. */
export interface Exchange {
  readonly process: ChildProcess;
  readonly operatorUrl: string;
  /** Asks as root, or with another token. */
  operator(method: string, path: string, body?: object, token?: string): Promise<Answer>;
  /** A signed request of a customer. */
  customer(key: CustomerKey, method: string, path: string, parameters?: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** What a customer signs with. */
interface CustomerKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Starts an exchange of a data directory; its custody file is in the folder. */
export async function startOnChain(folder: string, data: string): Promise<Exchange> {
  const where = ['--data', data, '--profile', 'production', '--custody-file', join(folder, 'custody.json')];
  const operatorPort = await freePort();
  const args = ['start', ...where, '--port', '0', '--operator-port', `${operatorPort}`, '--settle-every-ms', '200'];
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk) => (text += chunk));
  child.stdout.on('data', (chunk) => (text += chunk));
  const url = await until(async () => /Bourse is ready: (http:\/\/[^"]+)/.exec(text)?.[1]);
  const operator: Exchange['operator'] = async (method, path, body, token = secrets.BOURSE_OPERATOR_TOKEN) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`http://127.0.0.1:${operatorPort}${path}`, { method, headers, ...sent });
    const answer = await reply.json();
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    process: child,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    operator,
    customer: async (key, method, path, parameters = {}) => {
      const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
      const signature = createHmac('sha256', key.secretKey).update(query).digest('hex');
      const headers = { 'X-SVC-APIKEY': key.accessKey };
      const reply = await fetch(`${url}/api/v3${path}?${query}&signature=${signature}`, { method, headers });
      const answer = (await reply.json()) as Answer;
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
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
export async function until<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (let left = 300; left > 0; left -= 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await setTimeout(200);
  }
  throw new Error('it never came');
}

/** Makes the sealed seed and the custody file; answers the address of the hot wallet. */
export function makeCustody(folder: string, rpcUrl: string): string {
  const seedFile = join(folder, 'eth.seed');
  const args = [entry, 'custody', 'new-seed', '--profile', 'production', '--network', 'ETH', '--out', seedFile];
  const made = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (made.status !== 0) throw new Error(made.stderr);
  const network = {
    kind: 'evm',
    network: 'ETH',
    rpcUrl,
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

/** Lists ETH and opens the account of a customer; answers its uid and key. */
export async function listEther({ operator }: Exchange): Promise<CustomerKey & { readonly uid: number }> {
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
  return { ...(await operator('POST', `/v1/accounts/${uid}/api-keys`, { note: 'test', permissions })), uid };
}
