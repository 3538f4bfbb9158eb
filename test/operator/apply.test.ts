import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bourseInProcess, type Called } from '../bourse-in-process.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';
import { rulesBody, usdtOnEth } from './wallet-stage.ts';

let operator: TestOperator;
let folder: string;
beforeEach(async () => {
  operator = await startTestOperator();
  operator.exchange.clock.time = Date.now();
  await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
  folder = mkdtempSync(join(tmpdir(), 'bourse-apply-'));
});
afterEach(async () => {
  await operator.close();
  rmSync(folder, { recursive: true });
});

const coin = (fullName: string) => ({ fullName, scale: 8, cap: '1000000', coinId: 'a'.repeat(32) });
const pair = {
  ...{ base: 'NEW', quote: 'USDT', priceDecimals: 2, quantityDecimals: 4, minQuantity: '0.0001', minAmount: '1' },
  ...{ minAmountMarket: '1', maxAmount: '1000', maxAmountMarket: '1000', orderKinds: ['limit'], sideType: 'all' },
  ...{ apiTradingAllowed: true, makerFeePpm: 0, takerFeePpm: 500, collarPpm: 1000, bidMultiplierUpPpm: null },
  ...{ askMultiplierDownPpm: null, fullName: 'New', contractAddress: '', specialTreatment: false, status: 'online' },
};
const market = {
  assets: { NEW: coin('New coin') },
  walletRules: rulesBody,
  prices: { NEW: { price: '2.50', validHours: 24, reason: 'listed' } },
  networks: { USDT: { ETH: { ...usdtOnEth, contract: usdtOnEth.contract.toLowerCase() } } },
  pairs: { NEWUSDT: pair },
  platformToken: { asset: 'NEW', valuedIn: 'USDT', discountPpm: 0 },
  operators: { Erin: { scopes: ['pairs:read', 'pairs:write'], validHours: 10, tokenFile: 'erin.token' } },
};
type Market = Partial<Record<keyof typeof market | 'alone' | 'feeTiers', unknown>>;

const called = async (text: string, flags: readonly string[], rest: Called = {}) => {
  const path = join(folder, 'market.jsonc');
  writeFileSync(path, text);
  const environment = { BOURSE_OPERATOR_URL: operator.url, BOURSE_OPERATOR_TOKEN: rootToken };
  return bourseInProcess(['op', 'apply', path, ...flags], { environment, ...rest });
};
const apply = (content: Market, ...flags: readonly string[]) => called(JSON.stringify(content), flags);
const results = (out: string) =>
  Object.fromEntries(
    (JSON.parse(out) as { readonly items: { thing: string; result: string }[] }).items.map((each) => [
      each.thing,
      each.result,
    ]),
  );
const resultsOf = async (content: Market, ...flags: readonly string[]) => {
  const { exit, out, told } = await apply(content, '--json', '--yes', ...flags);
  expect([exit, told.includes('bourse:')]).toEqual([0, false]);
  return results(out);
};
const names = ['assets.NEW', 'walletRules', 'prices.NEW', 'networks.USDT.ETH', 'pairs.NEWUSDT', 'platformToken'];
const all = (result: string) => Object.fromEntries([...names, 'operators.Erin'].map((name) => [name, result]));

describe('DEC-OPR-273: bourse op apply', () => {
  test('makes what is not there, in the order that each needs; a second time it changes nothing', async () => {
    expect(await resultsOf(market)).toEqual(all('made'));
    const shown = (await operator.ask('GET', '/v1/pairs/NEWUSDT')).body;
    expect(shown).toMatchObject({ status: 'online', takerFeePpm: 500 });
    const digest = operator.digest();
    expect(await resultsOf(market)).toEqual(all('as wanted'));
    expect(operator.digest()).toBe(digest);
  });

  test('shows members that are not as wanted, asks, and changes those alone', async () => {
    await resultsOf(market);
    const changed = { pairs: { NEWUSDT: { ...pair, takerFeePpm: 700, status: 'paused' } } };
    const digest = operator.digest();
    const { out } = await apply(changed, '--plan');
    expect(out).toBe(
      'thing          result\n' +
        'pairs.NEWUSDT  change\n' +
        '               takerFeePpm: 500 -> 700\n' +
        '               status: online -> paused\n',
    );
    const refused = await called(JSON.stringify(changed), [], { answers: ['n'] });
    expect([refused.exit, refused.told]).toEqual([1, expect.stringContaining('takerFeePpm: 500 -> 700')]);
    expect((await apply(changed)).exit).toBe(2);
    expect(operator.digest()).toBe(digest);
    const agreed = await called(JSON.stringify(changed), ['--json'], { answers: ['y'] });
    expect(results(agreed.out)).toEqual({ 'pairs.NEWUSDT': 'changed' });
    const shown = (await operator.ask('GET', '/v1/pairs/NEWUSDT')).body;
    expect(shown).toMatchObject({ status: 'paused', takerFeePpm: 700 });
    expect((await operator.ask('GET', '/v1/pairs/NEWUSDT')).body).toEqual(shown);
  });

  test('what lowers a protection waits, and is not asked for twice', async () => {
    await resultsOf(market);
    const lowered = { walletRules: { ...rulesBody, riskHoldAbove: null }, prices: market.prices };
    expect(await resultsOf(lowered)).toEqual({ walletRules: 'waits: proposal 1', 'prices.NEW': 'as wanted' });
    expect(await resultsOf(lowered)).toEqual({ walletRules: 'waits', 'prices.NEW': 'as wanted' });
    expect((await operator.ask('GET', '/v1/proposals?state=open')).body.items).toHaveLength(1);
  });

  test('one operator alone is said first', async () => {
    expect(await resultsOf({ alone: { enabled: true }, assets: market.assets })).toEqual({
      alone: 'changed',
      'assets.NEW': 'made',
    });
    expect((await operator.ask('GET', '/v1/alone')).body).toEqual({ enabled: true });
  });

  test('sets fee tiers after the platform token that they ask for; amounts may end in zeros', async () => {
    const tiers = [
      { volume: '100000.50', tokenBalance: '500.0', makerFeePpm: 0, takerFeePpm: 400 },
      { volume: '1000000', tokenBalance: null, makerFeePpm: 0, takerFeePpm: 200 },
    ];
    const wanted = { ...market, feeTiers: { enabled: true, tiers } };
    expect(await resultsOf(wanted)).toEqual({ ...all('made'), feeTiers: 'changed' });
    const shown = (await operator.ask('GET', '/v1/fee-tiers')).body;
    expect(shown).toMatchObject({ enabled: true, tiers: [{ volume: '100000.5', tokenBalance: '500' }, tiers[1]] });
    const digest = operator.digest();
    expect(await resultsOf(wanted)).toEqual({ ...all('as wanted'), feeTiers: 'as wanted' });
    expect(operator.digest()).toBe(digest);
    const dearer = { feeTiers: { enabled: true, tiers: [tiers[0], { ...tiers[1], takerFeePpm: 300 }] } };
    expect(await resultsOf(dearer)).toEqual({ feeTiers: 'changed' });
    expect(await resultsOf({ feeTiers: { enabled: false, tiers: [] } })).toEqual({ feeTiers: 'changed' });
    expect((await operator.ask('GET', '/v1/fee-tiers')).body).toMatchObject({ enabled: false, tiers: [] });
  });

  test('stops at the first refusal, and tells what was done before and what was refused', async () => {
    const wrong = { ...market, pairs: { NEWUSDT: { ...pair, quantityDecimals: 8 } } };
    const { exit, out, told } = await apply(wrong, '--yes', '--json');
    expect([exit, told]).toEqual([
      1,
      expect.stringMatching(/^bourse: pairs\.NEWUSDT: \/priceDecimals of the body must be 0 to 1/),
    ]);
    expect(Object.keys(results(out))).toEqual(names.slice(0, 4));
    expect((await operator.ask('GET', '/v1/platform-token')).status).toBe(404);
    expect(await resultsOf(market)).toMatchObject({ 'assets.NEW': 'as wanted', 'pairs.NEWUSDT': 'made' });
  });

  test('does not overwrite what another operator changed after it looked', async () => {
    await resultsOf(market);
    const path = '/v1/pairs/NEWUSDT';
    const other = async () => {
      await operator.ask('PATCH', path, { makerFeePpm: 77 });
      return 'y';
    };
    const changed = { pairs: { NEWUSDT: { ...pair, takerFeePpm: 900 } } };
    const { exit, told } = await called(JSON.stringify(changed), [], { answers: [other] });
    expect([exit, told]).toEqual([1, expect.stringContaining('pairs.NEWUSDT: ')]);
    expect((await operator.ask('GET', path)).body).toMatchObject({ makerFeePpm: 77, takerFeePpm: 500 });
  });
});

describe('DEC-OPR-278: tokens of operators', () => {
  test('are made once, each into a new file that only its owner may read, and never shown', async () => {
    const { out, told } = await apply(market, '--yes');
    const path = join(folder, 'erin.token');
    const token = readFileSync(path, 'utf8').trim();
    expect([statSync(path).mode & 0o777, (out + told).includes(token)]).toEqual([0o600, false]);
    expect((await operator.ask('GET', '/v1/token', undefined, { token })).body).toMatchObject({ actor: 'erin' });
    rmSync(path);
    expect(await resultsOf({ operators: market.operators })).toEqual({ 'operators.Erin': 'as wanted' });
  });

  test('of one that cannot be kept is not asked for, and of one that is refused no file stays', async () => {
    writeFileSync(join(folder, 'erin.token'), 'mine');
    const { exit, told } = await apply({ operators: market.operators }, '--yes');
    expect([exit, told]).toEqual([2, expect.stringContaining('cannot be made for the token: EEXIST')]);
    expect(readFileSync(join(folder, 'erin.token'), 'utf8')).toBe('mine');
    const scopes = ['tokens:write', 'withdrawals:review'];
    const mixed = { operators: { dan: { scopes, validHours: 10, tokenFile: 'dan.token' } } };
    expect((await apply(mixed, '--yes')).exit).toBe(1);
    expect(() => statSync(join(folder, 'dan.token'))).toThrow('ENOENT');
    expect((await operator.ask('GET', '/v1/tokens')).body.items).toEqual([]);
  });
});

describe('DEC-OPR-272: a market file', () => {
  test('has comments, and commas behind last members', async () => {
    const text = '{ // what trades\n "assets": { /* one */ "NEW": ' + `${JSON.stringify(coin('New // coin'))},\n},\n}`;
    expect((await called(text, ['--yes'])).exit).toBe(0);
    expect((await operator.ask('GET', '/v1/assets/NEW')).body.fullName).toBe('New // coin');
  });

  const malformed: readonly (readonly [unknown, string])[] = [
    [[], 'the file must hold one JSON object'],
    [{ pair: {} }, 'there is no section pair; there are: alone, assets,'],
    [{ assets: [] }, 'assets must be an object'],
    [{ assets: { NEW: 1 } }, 'assets.NEW must be an object'],
    [{ assets: { new: coin('x') } }, 'assets.new: asset must be 2 to 12 capital letters and digits'],
    [{ assets: { NEW: { ...coin('x'), scale: '8' } } }, 'assets.NEW: /scale of the body'],
    [{ networks: { USDT: { ETH: { ...usdtOnEth, fee: '1' } } } }, 'networks.USDT.ETH: /fee of the body'],
    [{ pairs: { NEWUSDT: { ...pair, status: 'closed' } } }, 'pairs.NEWUSDT: /status of the body'],
    [{ feeTiers: { enabled: true, tiers: [{ volume: '1' }] } }, 'feeTiers: /tiers/0/tokenBalance of the body'],
    [{ operators: { erin: { scopes: ['pairs:read'], validHours: 1 } } }, 'operators.erin: tokenFile must name'],
    [{ operators: { erin: { scopes: ['all'], validHours: 1, tokenFile: 'x' } } }, 'operators.erin: /scopes/0 of'],
  ];
  test.each(malformed)('%j is refused by its name, before the exchange is asked', async (content, says) => {
    const { exit, told } = await called(JSON.stringify(content), ['--yes'], { environment: {} });
    expect([exit, told]).toEqual([2, expect.stringContaining(`bourse: ${says}`)]);
  });

  test('fee tiers that break a rule of the exchange are refused by the tier and its member', async () => {
    const tier = { volume: '1000', tokenBalance: '5', makerFeePpm: 0, takerFeePpm: 400 };
    const wanted = { walletRules: rulesBody, feeTiers: { enabled: true, tiers: [tier] } };
    const { exit, told } = await called(JSON.stringify(wanted), ['--yes']);
    expect([exit, told]).toEqual([1, expect.stringMatching(/^bourse: feeTiers: \/tiers\/0\/tokenBalance/)]);
    expect((await operator.ask('GET', '/v1/fee-tiers')).body).toMatchObject({ enabled: false });
  });

  test('that is no JSON is refused, as is one that is not there', async () => {
    expect((await called('{ "assets": ', ['--yes'])).told).toMatch(/market\.jsonc: Unexpected end of JSON/);
    const { exit, told } = await bourseInProcess(['op', 'apply', join(folder, 'none.jsonc')]);
    expect([exit, told]).toEqual([2, expect.stringContaining('ENOENT')]);
  });

  test('needs no other scopes than those of what it lists', async () => {
    await resultsOf(market);
    const token = readFileSync(join(folder, 'erin.token'), 'utf8').trim();
    const environment = { BOURSE_OPERATOR_URL: operator.url, BOURSE_OPERATOR_TOKEN: token };
    const text = JSON.stringify({
      pairs: { NEWUSDT: { ...pair, makerFeePpm: 5 } },
      platformToken: market.platformToken,
    });
    const { out } = await called(text, ['--yes', '--json'], { environment });
    expect(results(out)).toEqual({ 'pairs.NEWUSDT': 'changed', platformToken: 'as wanted' });
  });

  test('needs the scopes of what it lists: a token without one is told its name', async () => {
    const { token } = (
      await operator.ask('POST', '/v1/tokens', { actor: 'dan', scopes: ['assets:read'], validHours: 1 })
    ).body;
    const environment = { BOURSE_OPERATOR_URL: operator.url, BOURSE_OPERATOR_TOKEN: token };
    const { exit, told } = await called(JSON.stringify(market), ['--yes'], { environment });
    expect([exit, told]).toEqual([5, expect.stringContaining('tokens:write')]);
  });
});
