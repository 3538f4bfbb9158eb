/**
 * A deposit and a withdrawal of ether on a chain of its own, from beginning to end: starts Anvil and, beside it, a
 * sandbox whose network ETH is that chain; prints what happens; ends both and removes what they wrote.
 *
 *   npm run build && node examples/evm-custody/run.mjs
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { anvilBinary } from './anvil.mjs';

const bourse = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
if (!existsSync(bourse)) throw new Error('run "npm run build" first');
const folder = mkdtempSync(join(tmpdir(), 'evm-custody-'));
const data = join(folder, 'data');
const children = [];
const ether = 10n ** 18n;
const inEther = (wei) => `${Number((wei * 10_000n) / ether) / 10_000} ETH`;
const tell = (text) => console.log(text);

try {
  await run();
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true });
}

async function run() {
  const chain = await startChain();
  const [customer, receiver] = await chain('eth_accounts');
  const pay = (to, wei) => chain('eth_sendTransaction', { from: customer, to, value: `0x${wei.toString(16)}` });
  const balance = async (of) => BigInt(await chain('eth_getBalance', of, 'latest'));

  const hotWallet = makeCustody(chain.url);
  await pay(hotWallet, ether);
  await chain('anvil_mine', '0x1');
  tell(`The hot wallet ${hotWallet} was made and has ${inEther(await balance(hotWallet))} for fees.`);
  const exchange = await startExchange();

  const [{ address }] = await exchange.ask('POST', '/api/v3/capital/deposit/address', { coin: 'ETH', network: 'ETH' });
  tell(`The trader's deposit address is ${address}.`);
  await pay(address, 2n * ether);
  await chain('anvil_mine', '0x1');
  const deposits = () => exchange.ask('GET', '/api/v3/capital/deposit/hisrec', { coin: 'ETH' });
  const seen = await until(async () => (await deposits())[0]);
  tell(`Paid 2 ETH. Deposit ${seen.txId.slice(0, 20)}… status ${seen.status}, ${progress(seen)}.`);
  await chain('anvil_mine', '0xb');
  const credited = await until(async () => (await deposits()).find(({ status }) => status === 5));
  tell(`Mined 11 blocks. Status ${credited.status}, ${progress(credited)}: credited ${credited.amount} ETH.`);

  const before = await balance(receiver);
  const asked = { coin: 'ETH', netWork: 'ETH', address: receiver, amount: '0.5' };
  const { id } = await exchange.ask('POST', '/api/v3/capital/withdraw', asked);
  tell(`Asked to withdraw 0.5 ETH to ${receiver}.`);
  const withdrawal = async () =>
    (await exchange.ask('GET', '/api/v3/capital/withdraw/history', { coin: 'ETH' })).find((each) => each.id === id);
  let status = 0;
  const done = await until(async () => {
    const now = await withdrawal();
    if (now.status !== status) tell(`  status ${(status = now.status)}${now.txId ? `, transaction ${now.txId}` : ''}`);
    await chain('anvil_mine', '0x1');
    return now.status === 7 ? now : undefined;
  });
  tell(`The receiver got ${inEther((await balance(receiver)) - before)}: the fee of ${done.transactionFee} ETH is inside.`);

  const swept = await until(async () => ((await balance(address)) < ether / 10n ? balance(hotWallet) : undefined));
  tell(`The deposit was swept: the hot wallet has ${inEther(swept)}.`);
}

function progress({ confirmTimes, unlockConfirm }) {
  return `${confirmTimes} of ${unlockConfirm} confirmations`;
}

/** Makes the sealed seed and the custody file; answers the address of the hot wallet. */
function makeCustody(rpcUrl) {
  const seedFile = join(folder, 'eth.seed');
  const args = [bourse, 'custody', 'new-seed', '--network', 'ETH', '--data', data, '--out', seedFile];
  const made = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const network = {
    kind: 'evm',
    network: 'ETH',
    rpcUrl,
    chainId: 31_337,
    startBlock: 0,
    keys: { kind: 'hot', seedFile },
    nativeCoin: { perHourMax: '10000000000000000000', sweepFrom: '100000000000000000' },
    sweepConfirmations: 3,
    sweepEveryMs: 1000,
  };
  writeFileSync(join(folder, 'custody.json'), JSON.stringify({ networks: [network] }, null, 2));
  return /hot wallet .* (0x\w{40})$/m.exec(made.stdout)[1];
}

/** Starts a chain that mines when it is told to; answers how to ask it. */
async function startChain() {
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', '0', '--no-mining'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const url = await lineOf(child, /^Listening on (127\.0\.0\.1:\d+)$/);
  const ask = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const { result, error } = await (await fetch(`http://${url}`, { method: 'POST', headers, body })).json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return Object.assign(ask, { url: `http://${url}` });
}

/** Starts the sandbox; answers how its first account asks it, with signed requests. */
async function startExchange() {
  const where = ['--data', data, '--custody-file', join(folder, 'custody.json')];
  const args = [bourse, 'start', ...where, '--port', '0', '--operator-port', '0', '--no-simulate', '--settle-every-ms', '200'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  // Where no person reads along, each line is JSON.
  await lineOf(child, /"msg":"(Bourse sandbox is ready\.)"/, (line) => tell(`  exchange: ${JSON.parse(line).msg}`));
  const { base_url: url, accounts } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const [{ apiKey, secretKey }] = accounts;
  const ask = async (method, path, parameters) => {
    const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
    const signature = createHmac('sha256', secretKey).update(query).digest('hex');
    const headers = { 'X-SVC-APIKEY': apiKey, 'content-type': 'application/json' };
    const answer = await (await fetch(`${url}${path}?${query}&signature=${signature}`, { method, headers })).json();
    if (answer.code) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
    return answer;
  };
  return { ask };
}

/** What `pattern` finds in the output of a process; lines before are `told`. */
async function lineOf(child, pattern, told = () => {}) {
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line)?.[1];
    if (found === undefined) {
      told(line);
      continue;
    }
    child.stdout.resume();
    return found;
  }
  throw new Error('the process ended before it was ready');
}

/** Asks until there is an answer, for at most half a minute. */
async function until(question) {
  for (let time = 0; time < 30_000; time += 250) {
    const answer = await question();
    if (answer !== undefined) return answer;
    await wait(250);
  }
  throw new Error('nothing happened for half a minute');
}
