/**
 * A crash of the simulated market: everything falls by 30 % in two minutes while alice and bob are long with much
 * leverage. Prints what happens to prices, positions and insurance funds, and checks the books afterwards.
 *
 *   npm run build && node examples/futures-crash/run.mjs           starts a sandbox of its own, and removes it
 *   node examples/futures-crash/run.mjs DATA                       on the running sandbox of a data directory
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const crash = { assets: ['BTC', 'ETH', 'SOL', 'DOGE'], changePpm: -300_000, seconds: 120 };
/** Who is long, and how: `usdt` is the margin, `slice` the contracts of one order. */
const bets = [
  { name: 'alice', contract: 'BTC_USDT', mode: 'isolated', leverage: 10, usdt: 400_000, slice: 15_000 },
  { name: 'bob', contract: 'ETH_USDT', mode: 'cross', leverage: 20, usdt: 100_000, slice: 3_000 },
];
/** The market goes on after the crash, so that funds can close what they took. */
const afterSeconds = 15;
const lookEverySeconds = 10;
const tell = (text = '') => console.log(text);

const given = process.argv[2];
const own = given === undefined ? await startSandbox() : null;
try {
  const exchange = connect(given ?? own.data);
  await play(exchange);
  await own?.stop();
  if (own !== null) verify(own.data);
} finally {
  await own?.end();
}

async function play(exchange) {
  const began = Date.now();
  for (const bet of bets) await takePosition(exchange, bet);
  tell(`\nThe market falls by ${-crash.changePpm / 10_000} % in ${crash.seconds} seconds: ${crash.assets.join(', ')}.\n`);
  const before = await exchange.contracts();
  await exchange.operate('POST', '/v1/market/moves', crash);
  for (let seconds = 0; seconds < crash.seconds + afterSeconds; seconds += lookEverySeconds) {
    await wait(lookEverySeconds * 1000);
    tell(line(seconds + lookEverySeconds, before, await exchange.contracts()));
  }
  await tellTakeovers(exchange, before, began);
  await check(exchange);
}

/** Moves margin to the futures wallet and buys in slices, which the makers of the contract have to refill. */
async function takePosition(exchange, { name, contract, mode, leverage, usdt, slice }) {
  const { uid } = exchange.account(name);
  const transfer = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: String(usdt) };
  await exchange.sign(name, 'POST', '/api/v3/capital/transfer', transfer);
  const path = `/v1/accounts/${uid}/contracts/${contract}`;
  await exchange.operate('PUT', `${path}/leverage`, { mode, leverage });
  let refusal = null;
  for (let tries = 0; refusal === null && tries < 60; tries += 1) {
    const order = { side: 'buy', kind: 'market', lots: slice };
    refusal = await exchange.operate('POST', `${path}/orders`, order, ['notEnoughMargin', 'noOpposingOrder']);
    await wait(300);
  }
  const { items } = await exchange.operate('GET', `/v1/accounts/${uid}/positions`);
  const { lots, cost, liquidationPrice } = items.find((position) => position.contract === contract);
  tell(
    `${name} is long ${lots} ${contract}, worth ${whole(cost)} USDT, ${mode} at ${leverage} times; ` +
      `liquidated at ${liquidationPrice}.`,
  );
}

/** One line about all contracts. */
function line(seconds, before, now) {
  const parts = now.map(({ contract, mark }, at) => {
    const change = (Number(mark.fair) / Number(before[at].mark.fair) - 1) * 100;
    return `${contract} ${Number(mark.fair)} (${change.toFixed(1)} %), fund ${whole(mark.fund)}`;
  });
  return `${String(seconds).padStart(4)} s  ${parts.join('; ')}`;
}

/** Positions that were taken since a moment, and what the funds made of them. */
async function tellTakeovers(exchange, before, since) {
  tell();
  for (const [at, { contract, mark }] of (await exchange.contracts()).entries()) {
    const taken = await exchange.all(`/v1/contracts/${contract}/takeovers?from=${since}`);
    const of = (reason) => taken.filter((each) => each.reason === reason);
    const people = new Set(of('liquidation').map(({ uid }) => exchange.nameOf(uid)));
    tell(
      `${contract}: ${of('liquidation').length} liquidations (${[...people].join(', ') || 'nobody'}), ` +
        `${of('deleveraging').length} positions deleveraged; the fund went from ${whole(before[at].mark.fund)} to ` +
        `${whole(mark.fund)} USDT.`,
    );
  }
}

/** What must hold whatever happened. @throws Error if it does not. */
async function check(exchange) {
  for (const { contract } of await exchange.contracts()) {
    const positions = await exchange.all(`/v1/contracts/${contract}/positions`);
    const sum = positions.reduce((total, { lots }) => total + lots, 0);
    if (sum !== 0) throw new Error(`the positions of ${contract} sum up to ${sum}`);
  }
  tell('\nThe positions of every contract sum up to zero.');
  const { items } = await exchange.operate('GET', '/v1/ledger/trial-balance');
  for (const { asset, sum } of items) if (Number(sum) !== 0) throw new Error(`the ledger of ${asset} is off by ${sum}`);
  tell(`The ledger sums up to zero in all ${items.length} assets.`);
}

/** Starts a sandbox with a market and its history; answers its data directory and how to end it. */
async function startSandbox() {
  const bourse = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
  if (!existsSync(bourse)) throw new Error('run "npm run build" first');
  const data = mkdtempSync(join(tmpdir(), 'futures-crash-'));
  const args = [bourse, 'start', '--data', data, '--seed', 'crash', '--port', '0', '--operator-port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const end = async () => {
    await stop();
    rmSync(data, { recursive: true });
  };
  tell('Starting a sandbox; its first start makes a month of history.');
  for await (const text of createInterface({ input: child.stdout })) {
    if (!text.includes('"msg":"Bourse sandbox is ready."')) continue;
    child.stdout.resume();
    return { data, stop, end };
  }
  await end();
  throw new Error('the sandbox ended before it was ready');
}

/** Replays the journal of a stopped sandbox and compares it with its digests. */
function verify(data) {
  const bourse = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bourse, 'verify', '--data', data], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`bourse verify: ${stdout}${stderr}`);
  tell(`bourse verify: ${stdout.trim().split('\n').at(-1)}`);
}

/** How to ask the sandbox of a data directory. */
function connect(data) {
  const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const account = (name) => demo.accounts.find((each) => each.name === name);
  const send = async (url, method, headers, body) => {
    const sent = { 'content-type': 'application/json', ...headers };
    return (await fetch(url, { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json();
  };
  /** Answers `null`, or with one of the `awaited` problems its code; else the answer of a GET. */
  const operate = async (method, path, body, awaited = []) => {
    const answer = await send(demo.operator_url + path, method, { authorization: `Bearer ${demo.operator_token}` }, body);
    if (awaited.includes(answer.code)) return answer.code;
    if (answer.code !== undefined) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return method === 'GET' ? answer : null;
  };
  const all = async (path) => {
    const items = [];
    for (let cursor = ''; cursor !== null; ) {
      const mark = path.includes('?') ? '&' : '?';
      const page = await operate('GET', `${path}${mark}limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  };
  return {
    account,
    operate,
    all,
    contracts: () => all('/v1/contracts'),
    nameOf: (uid) => demo.accounts.find((each) => each.uid === String(uid))?.name ?? 'others',
    sign: async (name, method, path, parameters) => {
      const { apiKey, secretKey } = account(name);
      const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
      const signature = createHmac('sha256', secretKey).update(query).digest('hex');
      const answer = await send(`${demo.base_url}${path}?${query}&signature=${signature}`, method, { 'X-SVC-APIKEY': apiKey });
      if (answer.code) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
      return answer;
    },
  };
}

function whole(amount) {
  return Math.round(Number(amount)).toLocaleString('en');
}
