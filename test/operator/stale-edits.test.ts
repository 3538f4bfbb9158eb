import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { bitcoinBody } from './bitcoin-contract.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, rulesBody, usdtOnEth } from './wallet-stage.ts';

let operator: TestOperator;
let account: string;
beforeAll(async () => {
  operator = await startTestOperator();
  account = `/v1/accounts/${operator.alice.uid}`;
  await openWallet(operator);
});
afterAll(() => operator.close());

const pair = '/v1/pairs/BTCUSDT';
const ask = (method: string, path: string, body: object | undefined, headers: Readonly<Record<string, string>> = {}) =>
  operator.ask(method, path, body, { headers });
const codeOf = ({ status, body }: OperatorReply) => [status, body.code];
const stale = [412, 'staleEdit'];
const tagOf = async (path: string): Promise<string> =>
  (await operator.ask('GET', path)).headers.get('etag') ?? 'no tag';

const endpoints = Object.entries<AnyOperatorEndpoint>(catalogue);
const editing = endpoints.flatMap(([id, endpoint]) => (endpoint.edits === undefined ? [] : [[id, endpoint] as const]));

test.each(editing)('DEC-OPR-165: what %s edits is shown by a GET of the same members', (_id, edit) => {
  const shown = catalogue[edit.edits as keyof typeof catalogue] as AnyOperatorEndpoint;
  expect(edit.method).not.toBe('GET');
  expect(shown.method).toBe('GET');
  expect(Object.keys(shown.query.shape)).toEqual([]);
  expect(Object.keys(edit.parameters.shape)).toEqual(expect.arrayContaining(Object.keys(shown.parameters.shape)));
});

const tier = { maxLots: 4_500_000, maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 };
const contract = { ...bitcoinBody, tiers: [tier] };
const rates = { referralPpm: 300_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 100_000 };
const bitcoin = { fullName: 'Bitcoin', scale: 8, cap: '10000000000', coinId: '1'.repeat(32) };
const price = { price: '101', validHours: 24, reason: 'It trades here.' };
const token = { asset: 'BTC', valuedIn: 'USDT', discountPpm: 200_000 };

interface SampleEdit {
  readonly edit: string;
  readonly body: object;
  /** Where the thing is shown; unless said, where it is edited. */
  readonly shownAt?: string;
  /** Whether there is no such thing before. */
  readonly isNew?: true;
}

/** Edits that are done one after the other. */
const samples: readonly SampleEdit[] = [
  { edit: `PUT ${pair}`, body: bitcoinPair, isNew: true },
  { edit: `PUT ${pair}`, body: { ...bitcoinPair, takerFeePpm: 400 } },
  { edit: `PATCH ${pair}`, body: { status: 'cancelOnly' } },
  { edit: 'PUT /v1/platform-token', body: token, isNew: true },
  { edit: 'PUT /v1/assets/BTC', body: bitcoin },
  { edit: 'PUT /v1/assets/USDT/networks/ETH', body: { ...usdtOnEth, minConfirm: 20 } },
  { edit: 'PATCH /v1/assets/USDT/networks/ETH', body: { withdrawEnabled: false } },
  { edit: 'PUT /v1/wallet/rules', body: { ...rulesBody, waitMs: 6000 } },
  { edit: 'PUT /v1/prices/BTC/reference', body: price },
  { edit: 'PUT /v1/contracts/BTC_USDT', body: contract, isNew: true },
  { edit: 'PUT /v1/contracts/BTC_USDT/state', body: { state: 'enabled' }, shownAt: '/v1/contracts/BTC_USDT' },
  {
    edit: 'PUT /v1/contracts/BTC_USDT/risk-tiers',
    body: { tiers: [{ ...tier, maxLeverage: 100 }] },
    shownAt: '/v1/contracts/BTC_USDT',
  },
  { edit: 'PUT ACCOUNT/kyc-level', body: { kycLevel: 3 }, shownAt: 'ACCOUNT' },
  { edit: 'PUT ACCOUNT/class', body: { class: 'affiliate' }, shownAt: 'ACCOUNT' },
  { edit: 'PUT ACCOUNT/contact', body: { email: 'alice@example.com', mobile: null }, shownAt: 'ACCOUNT' },
  { edit: 'PUT ACCOUNT/allow-list', body: { enabled: true }, shownAt: 'ACCOUNT' },
  { edit: 'PUT ACCOUNT/status', body: { status: 'frozen' }, shownAt: 'ACCOUNT' },
  { edit: 'PUT ACCOUNT/rebate-rates/spot', body: rates },
  { edit: 'PUT /v1/alone', body: { enabled: true } },
];

test.each(samples)('DEC-OPR-165: $edit with a stale tag is refused', async ({ edit, body, shownAt, isNew = false }) => {
  const [method, path] = edit.replace('ACCOUNT', account).split(' ') as [string, string];
  const shown = shownAt?.replace('ACCOUNT', account) ?? path;
  const send = (ifMatch?: string) => ask(method, path, body, ifMatch === undefined ? {} : { 'if-match': ifMatch });
  const before = operator.digest();
  const tag = await tagOf(shown);
  expect(tag).toMatch(isNew ? /^no tag$/ : /^"[\w-]{43}"$/);
  expect(codeOf(await send('"other"'))).toEqual(stale);
  if (isNew) expect(codeOf(await send('*'))).toEqual(stale);
  expect(operator.digest()).toBe(before);
  expect((await send(isNew ? undefined : tag)).status).toBe(200);
  expect(operator.digest()).not.toBe(before);
  expect(await tagOf(shown)).not.toBe(tag);
  expect(codeOf(await send(isNew ? '"other"' : tag))).toEqual(stale);
  expect((await send('*')).status).not.toBe(412);
});

describe('DEC-OPR-165: If-Match', () => {
  test('names one of several tags; a weak one equals none', async () => {
    const tag = await tagOf(pair);
    const edit = (ifMatch: string) => ask('PATCH', pair, { makerFeePpm: 0 }, { 'if-match': ifMatch });
    expect((await edit(`"a,b" , ${tag}`)).status).toBe(200);
    expect(codeOf(await edit(`W/${tag}`))).toEqual(stale);
    expect(codeOf(await edit('"a", "b"'))).toEqual(stale);
  });

  test.each(['', 'abc', '"abc', '"a" "b"', '"a",', '*, "a"'])('%j is malformed', async (ifMatch) => {
    const { status, body } = await ask('PATCH', pair, { makerFeePpm: 0 }, { 'if-match': ifMatch });
    expect([status, body.code, body.errors[0].header]).toEqual([400, 'invalidMember', 'If-Match']);
  });

  test('is refused where nothing is edited', async () => {
    const body = { fullName: 'x' };
    const reply = await ask('POST', `${account}/saved-addresses`, body, { 'if-match': '*' });
    expect(reply.status).toBe(400);
    const funds = { house: 'gas', asset: 'BTC', amount: '1', kind: 'capitalIn', reason: 'top-up' };
    const { status, body: told } = await ask('POST', '/v1/adjustments', funds, { 'if-match': '*' });
    expect([status, told.errors[0].header]).toEqual([400, 'If-Match']);
  });

  test('what is unknown stays unknown where the edit itself says so', async () => {
    const any = { 'if-match': '*' };
    expect(codeOf(await ask('PATCH', '/v1/pairs/ETHUSDT', { makerFeePpm: 0 }, any))).toEqual([404, 'unknownPair']);
    expect(codeOf(await ask('PUT', '/v1/accounts/99999999/status', { status: 'frozen' }, any))).toEqual([
      404,
      'unknownAccount',
    ]);
    const network = { ...usdtOnEth, contract: null };
    expect(codeOf(await ask('PUT', '/v1/assets/DOGE/networks/ETH', network, any))).toEqual([404, 'unknownAsset']);
    expect(codeOf(await ask('PUT', '/v1/assets/BTC/networks/ETH', network, any))).toEqual(stale);
  });

  test('does not hold up a repeated request: it is answered as it was', async () => {
    const headers = { 'if-match': await tagOf(pair), 'idempotency-key': 'fee-300' };
    const edit = (takerFeePpm: number) => ask('PATCH', pair, { takerFeePpm }, headers);
    const first = await edit(300);
    expect(first.status).toBe(200);
    expect((await edit(300)).body).toEqual(first.body);
    expect(codeOf(await edit(200))).toEqual([422, 'idempotencyKeyInUse']);
  });

  test('a refused edit does not use up its idempotency key', async () => {
    const key = { 'idempotency-key': 'fee-310' };
    const edit = (ifMatch: string) => ask('PATCH', pair, { takerFeePpm: 310 }, { ...key, 'if-match': ifMatch });
    expect(codeOf(await edit('"old"'))).toEqual(stale);
    expect((await edit(await tagOf(pair))).body.takerFeePpm).toBe(310);
  });

  test('of edits that name the same tag at the same time one is made', async () => {
    const headers = { 'if-match': await tagOf(pair) };
    const rates = Array.from({ length: 20 }, (_, at) => 100 + at);
    const replies = await Promise.all(rates.map((takerFeePpm) => ask('PATCH', pair, { takerFeePpm }, headers)));
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(rates.length - 1);
    expect((await operator.ask('GET', pair)).body).toEqual(made[0]!.body);
  });

  test('the tag of a contract does not cover what moves by itself', async () => {
    const path = '/v1/contracts/BTC_USDT';
    const tag = await tagOf(path);
    const before = (await operator.ask('GET', path)).body;
    await operator.exchange.submit({
      kind: 'updateIndices',
      prices: [{ contract: 1 as never, price: 6_500_000_000_000 }],
    });
    const after = (await operator.ask('GET', path)).body;
    expect(after.mark).not.toEqual(before.mark);
    expect(await tagOf(path)).toBe(tag);
  });

  test('a proposal is decided as it was looked at, and changes nothing of what it is about before', async () => {
    const production = await startTestOperator();
    await openWallet(production);
    await production.exchange.submit({ kind: 'recordProfile', profile: 'production' });
    const send = (method: string, path: string, body: object | undefined, tag: string) =>
      production.ask(method, path, body, { headers: { 'if-match': tag } });
    const tagAt = async (path: string) => (await production.ask('GET', path)).headers.get('etag')!;
    const [rules, lower] = [await tagAt('/v1/wallet/rules'), { ...rulesBody, waitMs: 0 }];
    expect((await send('PUT', '/v1/wallet/rules', lower, rules)).status).toBe(202);
    expect((await send('PUT', '/v1/wallet/rules', { ...rulesBody, waitMs: 1 }, rules)).status).toBe(202);
    const open = await tagAt('/v1/proposals/1');
    expect((await send('DELETE', '/v1/proposals/1', undefined, open)).status).toBe(200);
    expect(codeOf(await send('POST', '/v1/proposals/1/review', { decision: 'cancel' }, open))).toEqual(stale);
    await production.close();
  });
});

test('DEC-OPR-165: the document tells where tags come from and go to', () => {
  const { paths } = operator.document;
  expect(paths['/v1/pairs/{pair}'].get.responses[200].headers).toEqual({
    ETag: { $ref: '#/components/headers/entityTag' },
  });
  expect(paths['/v1/pairs'].get.responses[200].headers).toBeUndefined();
  const parameters = (method: string) => JSON.stringify(paths['/v1/pairs/{pair}'][method].parameters);
  expect(parameters('patch')).toContain('ifMatch');
  expect(parameters('get')).not.toContain('ifMatch');
  expect(paths['/v1/pairs/{pair}'].patch.responses[412].description).toContain('changed since');
});
