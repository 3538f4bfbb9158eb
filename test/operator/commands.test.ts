import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bourseInProcess, type Called, type Done } from '../bourse-in-process.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let folder = '';
beforeAll(async () => {
  operator = await startTestOperator();
  folder = mkdtempSync(join(tmpdir(), 'bourse-op-'));
});
afterAll(async () => {
  await operator.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
};

/** `bourse op …` with the root token, or another one. */
function op(words: string, called: Called & { readonly token?: string } = {}): Promise<Done> {
  const { token = rootToken, ...rest } = called;
  const environment = { HOME: folder, BOURSE_OPERATOR_URL: operator.url, BOURSE_OPERATOR_TOKEN: token };
  return bourseInProcess(['op', ...words.split(' ')], { environment, ...rest });
}
const json = async (words: string): Promise<Record<string, never>> => JSON.parse((await op(`${words} --json`)).out);

const pair = [
  'pairs put BTCUSDT --base BTC --quote USDT --price-decimals 2 --quantity-decimals 4 --min-quantity 0.0001',
  '--min-amount 1 --min-amount-market 5 --max-amount 4000000 --max-amount-market 1000000 --order-kinds limit,market',
  '--side-type all --api-trading-allowed --maker-fee-ppm 0 --taker-fee-ppm 500 --collar-ppm 50000',
  '--bid-multiplier-up-ppm 1200000 --ask-multiplier-down-ppm none --full-name Bitcoin --contract-address= ',
].join(' ');

describe('DEC-OPR-260: flags and arguments are the members of the request', () => {
  test('of each kind: text, whole numbers, switches, lists, none and empty text', async () => {
    const { exit, told } = await op(`${pair}--no-special-treatment`);
    expect([exit, told]).toEqual([0, '']);
    expect((await operator.ask('GET', '/v1/pairs/BTCUSDT')).body).toMatchObject({
      priceDecimals: 2,
      orderKinds: ['limit', 'market'],
      apiTradingAllowed: true,
      specialTreatment: false,
      bidMultiplierUpPpm: 1_200_000,
      askMultiplierDownPpm: null,
      contractAddress: '',
    });
  });

  test('moments are written as times, and shown as such', async () => {
    const { out } = await op('pairs set BTCUSDT --open-at 2100-01-01T12:00:00Z');
    expect(out).toMatch(/^openAt +2100-01-01T12:00:00\.000Z$/m);
    expect(await json('pairs set BTCUSDT --open-at none')).toMatchObject({ openAt: null });
  });

  test('a body comes from a file or standard input, and flags go before it', async () => {
    const file = write('pair.json', { minAmount: '7', takerFeePpm: 700 });
    const changed = await json(`pairs set BTCUSDT --taker-fee-ppm 800 --body ${file}`);
    expect(changed).toMatchObject({ minAmount: '7', takerFeePpm: 800 });
    const { out } = await op('pairs set BTCUSDT --json --body -', { input: '{"minAmount":"1","takerFeePpm":500}' });
    expect(JSON.parse(out)).toMatchObject({ minAmount: '1', takerFeePpm: 500 });
  });

  test('a text that is the content of a file is named by its file', async () => {
    const replay = 'market replay --market BTCUSDT --format trades --record';
    const missing = await op(`${replay} ${folder}/none.csv`);
    expect([missing.exit, missing.told]).toEqual([2, expect.stringContaining('--record')]);
    expect(missing.told).toContain('ENOENT');
    // It is sent: this exchange has no traders.
    expect((await op(`${replay} ${write('trades.csv', 'x')}`)).told).toContain('unknownPath');
  });

  test('words fix members of the body', async () => {
    expect((await op(`freeze ${operator.alice.uid} --yes`)).out).toMatch(/^status +frozen$/m);
    expect((await op(`release ${operator.alice.uid}`)).out).toMatch(/^status +normal$/m);
    expect((await op(`freeze ${operator.alice.uid} --status normal --yes`)).exit).toBe(2);
  });
});

describe('DEC-OPR-261: what is refused is told by the name of the flag, with an exit code', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['pairs set BTCUSDT --min-amount x', 2, '--min-amount must be decimal text such as "12.5" (invalidMember)'],
    ['pairs set BTCUSDT --taker-fee-ppm -1', 2, '--taker-fee-ppm must be at least 0 (invalidMember)'],
    ['pairs set btcusdt --min-amount 1', 2, '<pair> must be 2 to 24 capital letters and digits (invalidMember)'],
    ['accounts find --email', 2, "option '--email <text>' argument missing"],
    ['pairs put ETHUSDT --base ETH', 2, '--quote is missing (invalidMember)'],
    ['pairs set BTCUSDT --order-kinds limit,stop', 2, '--order-kinds (at 1) must be one of'],
    ['pairs set BTCUSDT --min-amount 0.0000000001', 2, '--min-amount must have at most 9 decimals'],
    ['pairs set BTCUSDT --min-amount 5000000', 1, '--min-amount must not be above the maximum'],
    ['pairs set BTCUSDT --side-type none', 2, 'Allowed choices are all, buyOnly'],
    ['pairs show XXXYYY', 1, 'There is no such pair (unknownPair)'],
    ['pairs show', 2, "missing required argument 'pair'"],
    ['pairs', 2, 'Usage: bourse op pairs'],
    ['pears list', 2, "unknown command 'pears'"],
    ['pairs set BTCUSDT --idempotency-key ü --min-amount 1', 2, '--idempotency-key must be 1 to 64 visible characters'],
    ['pairs set BTCUSDT --idempotency-key ✓ --min-amount 1', 2, '--idempotency-key must be 1 to 64 visible characters'],
    ['pairs set BTCUSDT --if-match x --min-amount 1', 2, '--if-match must be'],
    ['pairs set BTCUSDT --if-match "x" --min-amount 1', 1, '(staleEdit)'],
    ['pairs set BTCUSDT --body nowhere.json', 2, '--body nowhere.json: ENOENT'],
    ['accounts find --limit 0', 2, 'must be a whole number from 1'],
  ];
  test.each(cases)('%s', async (words, exit, says) => {
    const before = operator.digest();
    const done = await op(words);
    expect([done.exit, done.out, operator.digest()]).toEqual([exit, '', before]);
    expect(done.told).toContain(says);
  });

  test('tokens that are unknown or lack the scope end with 5, and are never shown', async () => {
    const { out } = await op('tokens create --actor olga --scopes pairs:read --valid-hours 1 --json');
    const { token } = JSON.parse(out) as { token: string };
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const lacking = await op('accounts find', { token });
    expect(lacking).toMatchObject({
      exit: 5,
      told: 'bourse: The token lacks the scope accounts:read (insufficientScope)\n',
    });
    const unknown = await op('accounts find', { token: 'an-unknown-token-of-tests' });
    expect([unknown.exit, unknown.told]).toEqual([5, expect.stringContaining('(invalidToken)')]);
    const malformed = await op('accounts find', { token: 'two\nlines-of-a-secret' });
    expect([malformed.exit, malformed.told]).toEqual([
      2,
      expect.stringContaining('BOURSE_OPERATOR_TOKEN holds no token'),
    ]);
    for (const { told } of [lacking, unknown, malformed])
      expect(told).not.toMatch(/[0-9a-f]{64}|secret|unknown-token-/);
    expect((await op('tokens list')).out).not.toContain(token);
  });
});

describe('DEC-OPR-263: acts that stop, move or take away something ask first', () => {
  const offline = 'pairs set BTCUSDT --status offline';

  test('nothing happens where nobody can be asked, or the answer is not yes', async () => {
    const before = operator.digest();
    const silent = await op(offline);
    expect(silent).toMatchObject({ exit: 2, told: expect.stringContaining('add --yes to do it') });
    for (const answer of ['', 'n', 'yo', 'no']) {
      const asked = await op(offline, { answers: [answer] });
      expect([asked.exit, asked.told.endsWith('Go on? [y/N] bourse: nothing was done\n')]).toEqual([1, true]);
    }
    expect(operator.digest()).toBe(before);
  });

  test('what will happen and what is there now are shown; yes does it', async () => {
    const { exit, told } = await op(offline, { answers: ['Y'] });
    expect(exit).toBe(0);
    expect(told).toContain(`bourse op pairs set, at ${operator.url}\n`);
    expect(told).toMatch(/^pair +BTCUSDT\nstatus +offline\n\nIt is now:\npair +BTCUSDT\nstatus +paused$/m);
    expect(await json('pairs show BTCUSDT')).toMatchObject({ status: 'offline' });
  });

  test('what was changed while the question stood is not changed', async () => {
    const change = async () => {
      await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { takerFeePpm: 900 });
      return 'y';
    };
    const stale = await op('pairs set BTCUSDT --status paused', { answers: [change] });
    expect(stale).toMatchObject({ exit: 1, told: expect.stringContaining('(staleEdit)') });
    expect(await json('pairs show BTCUSDT')).toMatchObject({ status: 'offline', takerFeePpm: 900 });
  });

  test('--yes asks nobody, and other changes ask nothing', async () => {
    expect(await op('pairs set BTCUSDT --status cancelOnly --yes')).toMatchObject({ exit: 0, told: '' });
    expect(await op('pairs set BTCUSDT --status online')).toMatchObject({ exit: 0, told: '' });
  });
});

describe('DEC-OPR-265: lists', () => {
  const names = (out: string) => out.match(/Person \d+/g) ?? [];
  beforeAll(async () => {
    for (let person = 1; person <= 7; person += 1)
      await operator.ask('POST', '/v1/accounts', { name: `Person ${person}`, kycLevel: 1 });
  });

  test('are tables: numbers to the right, moments in UTC, what fits in a terminal', async () => {
    const { out } = await op('accounts find');
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +uid {2}name/);
    expect(lines.find((line) => line.includes('alice'))).toMatch(
      /^10000001 {2}alice .* \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
    );
    const narrow = await op('accounts find', { columns: 40 });
    expect(Math.max(...narrow.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(narrow.told).toMatch(/^\d+ more columns: --columns all, or --json\n$/);
    expect((await op('accounts find --columns all', { columns: 40 })).out).toBe(out);
    expect((await op('accounts find --columns name,uid')).out).toMatch(/^name +uid\nalice +10000001\n/);
    expect(await op('accounts find --columns colour')).toMatchObject({
      exit: 2,
      told: expect.stringContaining('there is no colour; there are: uid, name'),
    });
  });

  test('are read page after page up to --limit or to the end, also as one JSON object', async () => {
    const part = await op('accounts find --limit 5');
    expect(names(part.out)).toHaveLength(3);
    const [, cursor] = /--cursor (\S+)/.exec(part.told)!;
    expect(names((await op(`accounts find --cursor ${cursor} --columns name`)).out)).toHaveLength(4);
    const all = await op('accounts find --all --json');
    const { items, nextCursor } = JSON.parse(all.out) as { items: unknown[]; nextCursor: null };
    expect(items).toEqual((await operator.ask('GET', '/v1/accounts?limit=500')).body.items);
    expect(nextCursor).toBeNull();
    expect((await op('accounts find --all --limit 2')).exit).toBe(2);
    expect(JSON.parse((await op('tokens list --cursor x --json')).out || 'null')).toBeNull();
  });

  test('more than one page of the exchange is one list', async () => {
    for (let person = 0; person < 520; person += 1)
      await operator.ask('POST', '/v1/accounts', { name: `Crowd ${person}`, kycLevel: 1 });
    const crowd = (out: string) => new Set(out.match(/Crowd \d+/g)).size;
    expect(crowd((await op('accounts find --all')).out)).toBe(520);
    expect(crowd((await op('accounts find --limit 510')).out)).toBe(510 - 9);
    const { items } = JSON.parse((await op('accounts find --all --json')).out) as { items: unknown[] };
    expect(items).toHaveLength(529);
  });

  test('text that would move the cursor or turn the direction of writing is not passed on', async () => {
    await operator.exchange.submit({
      ...{ kind: 'openAccount', uid: 10_000_777 as never, name: 'e\u001b[2Jvil\u202etxt', master: null },
      ...{ class: 'user', kycLevel: 1, simulated: false },
    });
    expect((await op('accounts show 10000777')).out).toMatch(/^name +e\?\[2Jvil\?txt$/m);
  });
});

describe('DEC-OPR-265: one thing', () => {
  test('is shown as lines of name and value, lists in it as tables', async () => {
    const { out } = await op(`accounts balances ${operator.alice.uid}`);
    expect(out).toMatch(/^uid +10000001\nfutures +-\n/);
    expect(out).toMatch(/\nspot\nasset +free +held\nUSDT +1000000 +0\n$/);
  });

  test('DEC-OPR-266: is written into a new file with --out', async () => {
    const path = join(folder, 'safety.json');
    expect(await op(`safety --out ${path}`)).toMatchObject({ exit: 0, out: '' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual((await operator.ask('GET', '/v1/safety')).body);
    expect(await op(`safety --out ${path}`)).toMatchObject({
      exit: 2,
      told: expect.stringContaining('is not overwritten'),
    });
  });
});
