import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { startTestOperator, type OperatorReply, type TestOperator } from './operator-harness.ts';
import { btcOnBtc, openWallet } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await operator.ask('PUT', path, coin);
  await operator.ask('PUT', `${path}/networks/BSC`, { ...btcOnBtc, label: 'BSC', chainScale: 18 });
});
afterAll(() => operator.close());

const path = '/v1/assets/COIN';
const coin = { fullName: 'A coin', scale: 8, cap: '21000000', coinId: '1'.repeat(32) };
const told = ({ status, body }: OperatorReply) => [status, body.code];

test('DEC-OPR-172: what stands in the way is told, and nothing changes', async () => {
  expect(told(await operator.ask('DELETE', '/v1/assets/NONE'))).toEqual([404, 'unknownAsset']);
  const usdt = await operator.ask('DELETE', '/v1/assets/USDT');
  expect(told(usdt)).toEqual([409, 'assetOfWalletRules']);
  expect(usdt.body.detail).toContain('It is: valuedIn of the rules of the wallet.');
  await operator.exchange.submit({
    kind: 'creditFunds',
    account: operator.bob.account,
    asset: as(2),
    amount: as(1n),
  });
  const held = await operator.ask('DELETE', path);
  expect(told(held)).toEqual([409, 'assetHeld']);
  expect(held.body.detail).toMatch(/It is: (balance of account 10000002|house account grants)\.$/);
  expect((await operator.ask('GET', path)).body).toMatchObject({ delisted: false, networks: ['BSC'] });
});

test('DEC-OPR-172: an asset is delisted with its scope and the tag that was read, and can still be read', async () => {
  const other = '/v1/assets/GONE';
  await operator.ask('PUT', other, coin);
  await operator.ask('PUT', `${other}/networks/SOL`, { ...btcOnBtc, label: 'SOL' });
  const token = (await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes: ['assets:read'], validHours: 1 }))
    .body.token as string;
  expect(told(await operator.ask('DELETE', other, undefined, { token }))).toEqual([403, 'insufficientScope']);
  const tag = (await operator.ask('GET', other)).headers.get('etag')!;
  await operator.ask('PUT', other, { ...coin, fullName: 'Another coin' });
  const stale = await operator.ask('DELETE', other, undefined, { headers: { 'If-Match': tag } });
  expect(told(stale)).toEqual([412, 'staleEdit']);

  const headers = { 'Idempotency-Key': 'delist-asset' };
  const shown = { asset: 'GONE', ...coin, fullName: 'Another coin', delisted: true, networks: [] };
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await operator.ask('DELETE', `${other}?reason=It%20ended.`, undefined, { headers });
    expect({ status, body }).toEqual({ status: 200, body: shown });
  }
  expect(told(await operator.ask('DELETE', other))).toEqual([409, 'assetDelisted']);
  expect((await operator.ask('GET', other)).body).toEqual(shown);
  expect((await operator.ask('GET', '/v1/assets')).body.items.at(-1)).toEqual(shown);
  expect((await operator.ask('GET', `${other}/networks`)).body.items).toEqual([]);
  const prices = (await operator.ask('GET', '/v1/prices')).body.items;
  expect(prices.map(({ asset }: { asset: string }) => asset)).toEqual(['BTC', 'COIN', 'USDT']);
  const price = { price: '1', validHours: 1, reason: 'None.' };
  expect(told(await operator.ask('PUT', '/v1/prices/GONE/reference', price))).toEqual([404, 'unknownAsset']);
  expect(told(await operator.ask('PUT', `${other}/networks/SOL`, btcOnBtc))).toEqual([404, 'unknownAsset']);
  expect(told(await operator.ask('PATCH', `${other}/networks/SOL`, { withdrawEnabled: false }))).toEqual([
    404,
    'unknownNetwork',
  ]);
  const { items } = (await operator.ask('GET', '/v1/acts?command=delistAsset')).body;
  const done = items.find((each: { refusal: unknown; target: { id: string } }) => each.refusal === null);
  expect(done).toMatchObject({ target: { type: 'asset', id: 'GONE' }, reason: 'It ended.' });
});

test('DEC-OPR-173: an asset that was delisted is listed again with its scale and cap, on no network', async () => {
  const other = '/v1/assets/GONE';
  for (const change of [{ scale: 7 }, { cap: '5' }])
    expect(told(await operator.ask('PUT', other, { ...coin, ...change }))).toEqual([422, 'invalidConfiguration']);
  const { body } = await operator.ask('PUT', other, coin);
  expect(body).toEqual({ asset: 'GONE', ...coin, delisted: false, networks: [] });
});
