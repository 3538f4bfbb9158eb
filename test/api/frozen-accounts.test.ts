import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissions } from '#model/permission.ts';
import type { AccountId } from '#model/units.ts';
import { expectCode } from './answer-shape.ts';
import { type BrokerHarness, startBrokerHarness } from './broker-harness.ts';
import { keys } from './gateway-harness.ts';

let desk: BrokerHarness;
beforeAll(async () => {
  desk = await startBrokerHarness();
});
afterAll(() => desk.close());

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' } as const;
const market = { symbol: 'BTCUSDT' };

const call = (key: string, method: string, path: string, parameters: Record<string, string> = {}) =>
  desk.gate.signed(method, `/api/v3/${path}`, parameters, { key });
const setStatus = (account: AccountId, status: 'normal' | 'frozen') =>
  desk.wallet.run({ kind: 'setAccountStatus', account, status });

test('DEC-SUB-101, DEC-SUB-102: a frozen master’s sub-account reads and cancels by its own key, and has no orders', async () => {
  const { alice } = desk.gate.accounts;
  expect((await call(keys.sub, 'POST', 'order', order)).status).toBe(200);
  expect((await call(keys.alice, 'POST', 'order', order)).status).toBe(200);
  await setStatus(alice, 'frozen');
  expectCode(await call(keys.sub, 'POST', 'order', order), 140002);
  expectCode(await call(keys.alice, 'POST', 'order', order), 60005);
  expect((await call(keys.sub, 'GET', 'openOrders', market)).body).toEqual([]);
  expect((await call(keys.alice, 'GET', 'openOrders', market)).body).toEqual([]);
  expect((await call(keys.sub, 'DELETE', 'openOrders', market)).body).toEqual([]);
  const all = await call(keys.sub, 'GET', 'allOrders', market);
  expect(all.body.at(-1)).toMatchObject({ status: 'CANCELED', executedQty: '0' });
  await setStatus(alice, 'normal');
  expect((await call(keys.sub, 'POST', 'order', order)).status).toBe(200);
  await call(keys.sub, 'DELETE', 'openOrders', market);
});

test('DEC-SUB-103: a frozen master ends keys of its sub-accounts, a frozen broker does not act for customers', async () => {
  const { alice, broker } = desk.gate.accounts;
  await call(keys.alice, 'POST', 'sub-account/virtualSubAccount', { subAccount: 'colddesk1', note: 'x' });
  const terms = { subAccount: 'colddesk1', note: 'x', permissions: 'SPOT_DEAL_READ' };
  const { apiKey } = (await call(keys.alice, 'POST', 'sub-account/apiKey', terms)).body;
  const customer = await desk.open('customerWarm');
  await setStatus(alice, 'frozen');
  await setStatus(broker, 'frozen');
  const listed = await call(keys.alice, 'GET', 'sub-account/list', { subAccount: 'colddesk1' });
  expect(listed.body.subAccounts).toMatchObject([{ subAccount: 'colddesk1', isFreeze: true }]);
  expectCode(await call(keys.alice, 'POST', 'sub-account/apiKey', terms), 60005);
  expect((await call(keys.alice, 'DELETE', 'sub-account/apiKey', { subAccount: 'colddesk1', apiKey })).status).toBe(
    200,
  );
  const named = { subAccount: customer.name };
  expectCode(await desk.remove('sub-account/apiKey', { ...named, apiKey: customer.key }), 60005);
  expectCode(await desk.post('sub-account/futures', named), 60005);
  expect((await desk.get('sub-account/status', named)).body).toEqual({ status: '1' });
  const read = await desk.get('/api/v3/openOrders', market, { by: customer });
  expect(read.body).toEqual([]);
  expectCode(
    await desk.gate.signed('POST', '/api/v3/order', order, { key: customer.key, secret: customer.secret }),
    30004,
  );
  await setStatus(alice, 'normal');
  await setStatus(broker, 'normal');
});

test('DEC-SUB-103: whatever changes a frozen customer is 140002', async () => {
  const customer = await desk.open('customerIced');
  const { data } = (await call(keys.broker, 'POST', 'strategy/group', { tradeGroupName: 'iced' })).body;
  await setStatus(customer.account, 'frozen');
  const before = desk.gate.digest();
  const named = { subAccount: customer.name };
  const member = { uid: customer.uid, tradeGroupId: String(data.tradeGroupId) };
  const transfer = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount: '1' };
  for (const reply of [
    await desk.post('sub-account/futures', named),
    await desk.post('sub-account/apiKey', { ...named, note: 'x', permissions: permissions[0] }),
    await desk.post('sub-account/universalTransfer', { ...transfer, toAccount: customer.name }),
    await desk.post('sub-account/universalTransfer', { ...transfer, fromAccount: customer.name }),
    await call(keys.broker, 'POST', 'strategy/group/uid', member),
    await call(keys.broker, 'GET', 'strategy/group/uid', member),
    await call(keys.broker, 'DELETE', 'strategy/group/uid', member),
    await call(keys.broker, 'POST', 'capital/transfer/internal', {
      toAccountType: 'UID',
      toAccount: customer.uid,
      asset: 'USDT',
      amount: '1',
    }),
  ])
    expectCode(reply, 140002);
  expect(desk.gate.digest()).toBe(before);
  expect((await desk.get('sub-account/status', named)).body).toEqual({ status: '2' });
  expect((await desk.remove('sub-account/apiKey', { ...named, apiKey: customer.key })).status).toBe(200);
});
