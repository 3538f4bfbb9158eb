import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseCommandLine } from '#main/configuration/command-line.ts';
import { finish } from '#operator-commands/terminal.ts';
import {
  runScenario,
  ScenarioFailed,
  type ScenarioStepMade,
  startBourse,
  type TestExchange,
} from '#testing/testing.ts';

/** A sandbox that runs, for scenarios against it. */
let exchange: TestExchange;
const folder = mkdtempSync(join(tmpdir(), 'bourse-scenarios-'));
beforeAll(async () => {
  exchange = await startBourse({ seed: '7', now: '2026-01-01T00:00:00Z' });
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => exchange.operator.clearFaults());

const accounts = {
  carol: { grants: [{ asset: 'USDT', amount: '10000' }] },
  dave: { grants: [{ asset: 'BTC', amount: '1' }] },
};
const bid = { account: 'carol', symbol: 'BTCUSDT', side: 'BUY', quantity: '0.1', price: '50000' };
const ask = { ...bid, account: 'dave', side: 'SELL' };

const play = (steps: readonly object[], more: object = {}) =>
  runScenario({ name: 'played', accounts, steps }, { against: exchange, ...more });
const failureOf = async (steps: readonly object[]): Promise<ScenarioFailed> => {
  const error = await play(steps).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ScenarioFailed);
  return error as ScenarioFailed;
};

test('DEC-KIT-72: a step that fails ends the run, and is told with what was expected, seen, and asked', async () => {
  const isOpen = { openOrders: { account: 'carol', symbol: 'BTCUSDT', count: `\${round}` } };
  const { failure, message } = await failureOf([
    { order: bid, as: 'first' },
    { repeat: { times: 3, count: 'round', steps: [{ expect: isOpen }] } },
    { halt: {} },
  ]);
  expect(failure).toMatchObject({ step: '2.1', expected: '2 open orders' });
  expect(failure.seen).toContain('"price":"50000"');
  expect(failure.requests.at(-1)).toMatch(/GET \/api\/v3\/openOrders {2}200 {2}\(\w+\)$/);
  expect(message).toMatch(/^played: step 2\.1 failed: expect openOrders=.*\n {2}expected 2 open orders\n {2}seen /);
  // What stands behind it was not done.
  expect((await exchange.operator.getTrading()).state).toBe('open');
}, 60_000);

test('DEC-KIT-72: a bot runs beside the steps, and what fails in it fails the run', async () => {
  const made: ScenarioStepMade[] = [];
  let heard = '';
  const result = await play([{ halt: { pair: 'BTCUSDT' }, note: 'why' }, { resume: { pair: 'BTCUSDT' } }], {
    onStep: (step: ScenarioStepMade) => made.push(step),
    beside: async ({ accounts: { carol }, baseUrl }: { accounts: typeof exchange.accounts; baseUrl: string }) => {
      heard = `${baseUrl} ${carol?.name} ${carol?.secretKey.length}`;
      return () => {
        heard += ' stopped';
      };
    },
  });
  expect(result).toMatchObject({ name: 'played', steps: 2 });
  expect(made).toMatchObject([
    { number: '1', text: 'halt pair=BTCUSDT', note: 'why' },
    { number: '2', note: null },
  ]);
  expect(heard).toBe(`${exchange.baseUrl} carol 32 stopped`);
  const broken = { beside: () => Promise.resolve(() => Promise.reject(new Error('the bot is off'))) };
  await expect(play([{ resume: {} }], broken)).rejects.toThrow('the bot is off');
});

test('DEC-KIT-73: orders, faults, clock and chain act as their endpoints do, and refusals are answers', async () => {
  await play([
    { order: ask, as: 'ask' },
    { order: { ...bid, quantity: '0.04' }, answer: { status: 200, has: { symbol: 'BTCUSDT' } } },
    { order: { ...bid, price: '200000000' }, answer: { status: 400, code: 30003 } },
    {
      faults: {
        add: { id: 'lost', match: { account: 'carol', method: 'POST' }, fault: { kind: 'drop', at: 'answer' } },
      },
    },
    { order: { ...bid, price: '49000', newClientOrderId: 'unknown' }, answer: { isLost: true } },
    { faults: { clear: true } },
    {
      expect: { order: { account: 'carol', symbol: 'BTCUSDT', origClientOrderId: 'unknown', has: { status: 'NEW' } } },
    },
    { clock: { until: { limit: '1h', candle: { interval: '1m' } } } },
    { clock: { advance: '20s' } },
    { clock: { leap: '10s' } },
    { chain: { deposit: { account: 'carol', network: 'ETH', asset: 'USDT', amount: '100' } } },
    { chain: { mine: { network: 'ETH', blocks: 80 } } },
    { clock: { advance: '1m' } },
    { expect: { balance: { account: 'carol', asset: 'USDT', free: { above: 0 } }, within: '2s' } },
  ]);
});

test('DEC-KIT-73: positions are opened, liquidated and funded', async () => {
  const contract = 'BTC_USDT';
  const futures = { grants: [{ asset: 'USDT', amount: '100000', wallet: 'futures' }] };
  const bet = { contract, kind: 'limit', price: '60000', lots: 1000 };
  const steps = [
    { contract: { givePrice: { contract, source: 'TEST', price: '60000', weight: 100, liveSeconds: 3600 } } },
    { clock: { advance: '3s' } },
    { contract: { leverage: { account: 'long', contract, mode: 'isolated', leverage: 20 } } },
    { contract: { order: { account: 'short', side: 'sell', ...bet } } },
    { contract: { order: { account: 'long', side: 'buy', ...bet } } },
    { contract: { funding: { contract, ratePpm: 1000 } } },
    { expect: { balance: { account: 'short', wallet: 'futures', asset: 'USDT', free: { above: '99000' } } } },
    { contract: { givePrice: { contract, source: 'TEST', price: '60000', weight: 100, liveSeconds: 3600 } } },
    { contract: { liquidate: { account: 'long', contract } } },
    { clock: { advance: '5s' } },
    { expect: { position: { account: 'long', contract, has: null } } },
  ];
  const { steps: made } = await runScenario(
    { name: 'bets', accounts: { long: futures, short: futures }, steps },
    { against: exchange },
  );
  expect(made).toBe(steps.length);
});

test('DEC-KIT-74: against a sandbox that runs nothing of rules, halts, delays and orders is left', async () => {
  const failed = await failureOf([
    { order: bid },
    { faults: { add: { match: { path: '/api/v3/depth' }, fault: { kind: 'refuse', status: 503 } } } },
    { halt: { pair: 'ETHUSDT' } },
    { chain: { delay: { network: 'ETH', blocks: 7 } } },
    { clock: { set: { mode: 'running', factor: '2' } } },
    { expect: { book: { symbol: 'BTCUSDT', bids: [] } } },
  ]);
  expect(failed.failure).toMatchObject({ step: '6', expected: 'an answer of /api/v3/depth' });
  const { operator } = exchange;
  expect((await operator.listFaults()).items).toEqual([]);
  expect((await operator.getPair({ pair: 'ETHUSDT' })).status).toBe('online');
  expect((await operator.getChain({ network: 'ETH' })).delayBlocks).toBe(0);
  expect((await operator.getClock()).mode).toBe('standing');
  await play([{ expect: { book: { symbol: 'BTCUSDT', bids: [], asks: [] } } }]);
  // An account that was there before keeps its own orders.
  const { uid } = exchange.accounts.alice;
  const alice = { alice: { uid } };
  const own = { ...bid, account: 'alice', quantity: '0.01' };
  const signed = exchange.client('alice');
  await signed.placeOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '40000' });
  await runScenario({ name: 'hers', accounts: alice, steps: [{ order: own }] }, { against: exchange });
  expect((await operator.listOrders({ uid })).items).toMatchObject([{ price: '40000' }]);
  await operator.cancelOrders({ uid });
});

test('DEC-KIT-75: values are compared as amounts, members and bounds, and pushes are waited for in order', async () => {
  const channel = 'spot@private.orders.v3.api.pb';
  const state = (status: number) => ({
    expect: { push: { stream: 'own', channel, has: { privateOrders: { status } } } },
  });
  const orders = { account: 'carol', symbol: 'BTCUSDT' };
  await play([
    { listen: { stream: 'own', account: 'carol', channels: [channel] } },
    { order: bid },
    { order: { ...ask, quantity: '0.040' } },
    state(1),
    state(3),
    { expect: { book: { symbol: 'BTCUSDT', bids: [[50000, '0.060']], isWhole: true } } },
    { expect: { openOrders: { ...orders, are: [{ price: { atLeast: 50000, atMost: '50000.0', not: 1 } }] } } },
    { expect: { logged: { account: 'carol', path: '/api/v3/order', has: { status: 200, fault: null } } } },
  ]);
  // A push that was taken does not come again, and one that never comes ends the wait.
  const late = { expect: { ...state(3).expect, within: '60ms' } };
  const steps = [{ listen: { stream: 'own', account: 'carol', channels: [channel] } }, { order: bid }, state(1), late];
  expect((await failureOf(steps)).failure.expected).toBe('a push with {"privateOrders":{"status":3}}');
  expect(
    (await failureOf([{ expect: { balance: { account: 'carol', asset: 'USDT', free: { above: 10000 } } } }])).failure,
  ).toMatchObject({
    expected: 'USDT.free above 10000',
    seen: '10000',
  });
});

/** What a command prints, and its exit code. */
async function command(...argv: readonly string[]) {
  const parsed = parseCommandLine(argv, {}, { version: '1', readFile: () => '' });
  if (!('work' in parsed)) throw new Error('it is no such command');
  let [out, told] = ['', ''];
  const code = await finish(parsed.work, {
    write: async (chunk) => void (out += chunk),
    tell: (text) => void (told += text),
    ...{ progress: null, ask: null, columns: null },
    readInput: async () => '',
  });
  return { code, out, told };
}

test('DEC-KIT-76: scenarios are commands: a line a step, and exit codes that say what happened', async () => {
  const file = join(folder, 'own.yaml');
  writeFileSync(
    file,
    'name: own\nsteps:\n  - clock: { advance: 1s }\n  - expect: { price: { symbol: BTCUSDT, is: 3 } }\n',
  );
  expect(await command('scenario', 'check', file)).toEqual({ code: 0, out: `${file}: own\n`, told: '' });
  const run = await command('scenario', 'run', file, '--seed', 'x');
  expect(run.code).toBe(1);
  expect(run.out).toMatch(/own\nok {4}1 {2}clock advance=1s \(\d+ ms\)\nFAILED {2}own: step 2 failed: expect price=/);
  const json = await command('scenario', 'run', file, '--json');
  expect(
    json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { file, begun: 'own' },
    { file, number: '1', text: 'clock advance=1s' },
    { file, passed: false, step: '2' },
  ]);
  expect(await command('scenario', 'run', file, 'nothing-there')).toMatchObject({
    code: 2,
    out: '',
    told: 'bourse: nothing-there: there is no such file, and no scenario of that name: bourse scenario list\n',
  });
  expect((await command('scenario', 'run', file, '--api', 'http://127.0.0.1:1')).told).toContain('--against');
  const nobody = ['--against', 'http://127.0.0.1:1', '--api', 'http://127.0.0.1:1'];
  expect(await command('scenario', 'run', file, ...nobody)).toMatchObject({ code: 2 });
  expect((await command('scenario', 'list')).out).toContain('partial-fill-then-cancel');
});

test('DEC-KIT-78: an exchange of the runner restarts where it was; one of somebody else does not', async () => {
  const { price } = bid;
  await runScenario({
    name: 'restarted',
    exchange: { seed: '7', now: '2026-01-01T00:00:00Z' },
    accounts,
    steps: [
      { listen: { stream: 'feed', channels: ['spot@public.aggre.depth.v3.api.pb@100ms@BTCUSDT'] } },
      { order: bid },
      { restart: { down: '10ms' } },
      { expect: { closed: { stream: 'feed', code: 1001 } } },
      { expect: { openOrders: { account: 'carol', symbol: 'BTCUSDT', are: [{ price }] } } },
    ],
  });
  expect((await failureOf([{ restart: {} }])).failure.seen).toBe('one that somebody else runs');
});

test('DEC-KIT-70: the file of the guide runs as it stands there', async () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'scenarios.md'), 'utf8');
  const file = join(folder, 'guide.yaml');
  writeFileSync(file, /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(guide)?.[1] ?? '');
  expect(await runScenario(file, { against: exchange })).toMatchObject({ name: 'What happens', steps: 4 });
});
