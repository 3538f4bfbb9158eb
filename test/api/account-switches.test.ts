import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountSwitches } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import { expectCode } from './answer-shape.ts';
import { type BrokerHarness, startBrokerHarness } from './broker-harness.ts';
import { keys } from './gateway-harness.ts';
import { outside } from './wallet-harness.ts';

let desk: BrokerHarness;
beforeAll(async () => {
  desk = await startBrokerHarness();
});
afterAll(() => desk.close());

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' } as const;
const market = { symbol: 'BTCUSDT' };
const call = (key: string, method: string, path: string, parameters: Record<string, string> = {}) =>
  desk.gate.signed(method, `/api/v3/${path}`, parameters, { key });
const set = (account: AccountId, off: Partial<AccountSwitches>) =>
  desk.wallet.run({
    kind: 'setAccountSwitches',
    account,
    switches: { trade: true, withdraw: true, api: true, ...off },
    cancelOrders: false,
  });
const rights = async (key: string) => {
  const { body } = await call(key, 'GET', 'account');
  return [body.canTrade, body.canWithdraw, body.canDeposit];
};

test('DEC-OPR-167: trade off: orders are 30016, cancels work, and the account says so, as do its sub-accounts', async () => {
  const { alice } = desk.gate.accounts;
  const placed = await call(keys.alice, 'POST', 'order', order);
  expect(placed.status).toBe(200);
  await set(alice, { trade: false });
  for (const key of [keys.alice, keys.sub]) {
    expectCode(await call(key, 'POST', 'order', order), 30016);
    expectCode(await call(key, 'POST', 'order/test', order), 30016);
  }
  const batch = JSON.stringify([order]);
  const { body } = await call(keys.alice, 'POST', 'batchOrders', { batchOrders: batch });
  expect(body).toMatchObject([{ code: 30016 }]);
  expect(await rights(keys.alice)).toEqual([false, true, true]);
  expect(await rights(keys.sub)).toEqual([false, false, false]);
  const { orderId } = placed.body;
  expect((await call(keys.alice, 'DELETE', 'order', { ...market, orderId })).body.status).toBe('CANCELED');
  await set(alice, {});
  expect(await rights(keys.alice)).toEqual([true, true, true]);
  expect((await call(keys.alice, 'POST', 'order', order)).status).toBe(200);
  await call(keys.alice, 'DELETE', 'openOrders', market);
});

test('DEC-OPR-167: withdraw off: withdrawals and transfers to others are 10265, and the account says so', async () => {
  const { alice, broker } = desk.gate.accounts;
  await set(alice, { withdraw: false });
  const withdrawal = { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' };
  expectCode(await call(keys.alice, 'POST', 'capital/withdraw', withdrawal), 10265);
  const internal = { toAccountType: 'UID', toAccount: '2002', asset: 'USDT', amount: '1' };
  expectCode(await call(keys.alice, 'POST', 'capital/transfer/internal', internal), 10265);
  expect(await rights(keys.alice)).toEqual([true, false, true]);
  expect((await call(keys.alice, 'POST', 'order', order)).status).toBe(200);
  await call(keys.alice, 'DELETE', 'openOrders', market);
  await set(alice, {});
  expect((await call(keys.alice, 'POST', 'capital/withdraw', withdrawal)).status).toBe(200);
  const customer = await desk.open('customerKept');
  await set(broker, { withdraw: false });
  const transfer = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount: '1' };
  expectCode(await desk.post('sub-account/universalTransfer', { ...transfer, toAccount: customer.name }), 10265);
  await set(broker, {});
});

test('DEC-OPR-167: API off: every key of the account is 10072, cancels included, and works again later', async () => {
  const { alice, broker } = desk.gate.accounts;
  const placed = await call(keys.alice, 'POST', 'order', order);
  const customer = await desk.open('customerBusy');
  await set(alice, { api: false });
  await set(broker, { api: false });
  for (const [method, path, terms] of [
    ['GET', 'account', {}],
    ['POST', 'order', order],
    ['DELETE', 'openOrders', market],
    ['POST', 'userDataStream', {}],
  ] as const)
    for (const key of [keys.alice, keys.sub, keys.broker]) expectCode(await call(key, method, path, terms), 10072);
  expect((await call(keys.bob, 'GET', 'account')).status).toBe(200);
  const read = await desk.get('/api/v3/openOrders', market, { by: customer });
  expect(read.status).toBe(200);
  await set(alice, {});
  await set(broker, {});
  const { orderId } = placed.body;
  expect((await call(keys.alice, 'GET', 'order', { ...market, orderId })).body.status).toBe('NEW');
  await call(keys.alice, 'DELETE', 'openOrders', market);
});
