import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '#model/permission.ts';
import { expectCode } from './answer-shape.ts';
import { encode, keys, sign } from './gateway-harness.ts';
import { outside, startWalletHarness, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
  await call(keys.alice, 'POST', 'sub-account/virtualSubAccount', { subAccount: 'termsdesk1', note: 'x' });
});
afterAll(() => wallet.close());

const call = (key: string, method: string, path: string, parameters: Record<string, string> = {}) =>
  wallet.gate.signed(method, `/api/v3/${path}`, parameters, { key });
const terms = { subAccount: 'termsdesk1', note: 'x', permissions: 'SPOT_DEAL_READ' };

/** With a JSON body that is signed as it is. */
function json(path: string, body: object, key: string = keys.alice) {
  const { gate } = wallet;
  const query = encode({ timestamp: String(gate.exchange.clock.time) });
  const text = JSON.stringify(body);
  return gate.send('POST', `/api/v3/${path}?${query}&signature=${sign(query + text)}`, {
    headers: { 'X-SVC-APIKEY': key, 'Content-Type': 'application/json' },
    body: text,
  });
}

test.each(['0.0.0.0/0', '::/0', '10.0.0.1/8', '2001:db8::1/64', 'fe80::1%eth0', '203.0.113.7,10.1.0.0/8'])(
  'DEC-REQ-148: a key is not bound to %s',
  async (ip) => {
    const before = wallet.gate.digest();
    const reply = await call(keys.alice, 'POST', 'sub-account/apiKey', { ...terms, ip });
    expectCode(reply, 33333);
    expect(reply.body.msg).toContain("'ip'");
    expect(wallet.gate.digest()).toBe(before);
  },
);

test('SPEC-CNV-14: short names of permissions mean the long ones, also where a key is made', async () => {
  const short = { ...terms, permissions: 'SPOT_DEAL_R,SPOT_DEAL_W,SPOT_DEAL_READ' };
  const { body } = await call(keys.alice, 'POST', 'sub-account/apiKey', short);
  expect(body.permissions).toBe('SPOT_DEAL_READ,SPOT_DEAL_WRITE');
  expectCode(await call(keys.alice, 'POST', 'sub-account/apiKey', { ...terms, permissions: 'SPOT_DEAL_X' }), 730702);
});

test('DEC-REQ-149: permissions and addresses may be real arrays in a JSON body', async () => {
  const listed = { ...terms, permissions: ['SPOT_DEAL_READ', 'SPOT_ACCOUNT_R'], ip: ['127.0.0.1', '10.0.0.0/8'] };
  const { status, body } = await json('sub-account/apiKey', listed);
  expect([status, body.permissions, body.ip]).toEqual([
    200,
    'SPOT_ACCOUNT_READ,SPOT_DEAL_READ',
    '127.0.0.1,10.0.0.0/8',
  ]);
  expectCode(await json('sub-account/apiKey', { ...terms, permissions: ['SPOT_DEAL_READ,SPOT_DEAL_WRITE'] }), 33333);
  expectCode(await json('sub-account/apiKey', { ...terms, permissions: [['SPOT_DEAL_READ']] }), 33333);
  expectCode(await json('sub-account/apiKey', { ...terms, permissions: [] }), 730701);
  expectCode(await json('sub-account/apiKey', { ...terms, note: ['x'] }), 33333);
});

test('DEC-SUB-01: a name of digits alone would look like a uid: 730601', async () => {
  const open = (subAccount: string) =>
    call(keys.alice, 'POST', 'sub-account/virtualSubAccount', { subAccount, note: 'x' });
  expectCode(await open('90000001'), 730601);
  expect((await open('9000000a')).status).toBe(200);
});

describe('DEC-SUB-104: a master’s sub-account neither deposits nor withdraws, whoever made its key', () => {
  const allowed = 'mx0operatormade001';
  beforeAll(() => wallet.gate.addKey(wallet.gate.accounts.sub, allowed, permissions));

  test.each([
    ['POST', 'capital/withdraw', { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' }],
    ['POST', 'capital/withdraw/apply', { coin: 'USDT', network: 'ETH', address: outside.ETH, amount: '50' }],
    ['POST', 'capital/deposit/address', { coin: 'USDT', network: 'ETH' }],
    ['POST', 'capital/transfer/internal', { toAccountType: 'UID', toAccount: '2002', asset: 'USDT', amount: '1' }],
  ])('%s %s', async (method, path, parameters) => {
    expectCode(await call(allowed, method, path, parameters), 700007);
  });
});

test('DEC-SUB-104: GET account says that it may neither, and that its master may both', async () => {
  const rights = async (key: string) => {
    const { body } = await call(key, 'GET', 'account');
    return [body.canTrade, body.canWithdraw, body.canDeposit];
  };
  expect(await rights(keys.sub)).toEqual([true, false, false]);
  expect(await rights(keys.alice)).toEqual([true, true, true]);
});

test.each(['60000', '9000000000000000', '9'.repeat(400)])(
  'DEC-REQ-17: a recvWindow of %s is too large: 700005',
  async (recvWindow) => {
    expectCode(await call(keys.alice, 'GET', 'uid', { recvWindow }), 700005);
  },
);
