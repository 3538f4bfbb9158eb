import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { EndpointId } from '#public-api/catalogue.ts';
import { catalogue, endpointIds } from '#public-api/catalogue.ts';
import { wrappedAnswer } from '#public-api/documents/envelope.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { parameterNames } from '#public-api/declaration/request.ts';
import { permissions } from '#model/permission.ts';
import { keys, type Sending, type TestGateway } from '../api/gateway-harness.ts';
import { assets, startWalletHarness, units, type WalletHarness } from '../api/wallet-harness.ts';
import { seenWith } from '../chain-sight.ts';
import { groupOf } from './endpoint-group.ts';

/*
 * Every endpoint of the catalogue over HTTP, on an exchange that has traded: whether its answer has every member that
 * is specified, no other, and each of the specified type. What the values are is tested per group in test/api.
 */

let wallet: WalletHarness;
let gate: TestGateway;
const all: Readonly<Record<EndpointId, AnyEndpoint>> = catalogue;
const order = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', quantity: '0.5', price: '30000' } as const;

const place = async (more: Record<string, string>, key: string): Promise<string> => {
  const { body } = await gate.signed('POST', '/api/v3/order', { ...order, ...more }, { key });
  expect(body).toHaveProperty('orderId');
  return body.orderId;
};

beforeAll(async () => {
  wallet = await startWalletHarness();
  gate = wallet.gate;
  await place({ newClientOrderId: 'rest' }, keys.alice);
  await place({ side: 'BUY', quantity: '0.1' }, keys.bob);
  gate.exchange.clock.time += 60_000;
  await place({ side: 'BUY', quantity: '0.2', type: 'IMMEDIATE_OR_CANCEL' }, keys.bob);
  await place({ side: 'BUY', price: '29000' }, keys.bob);
  const { body } = await wallet.post('deposit/address', { coin: 'BTC', network: 'BTC' });
  const { address, memo } = body[0];
  const payment = { network: 'BTC', txId: 'one', output: 0, asset: assets.BTC, address, memo } as const;
  await wallet.run({ kind: 'reportDeposit', ...payment, amount: units('BTC', 1), sight: seenWith(1) });
  for (const id of ['openSubAccount', 'universalTransfer'] as const) {
    const { status, body: made } = await gate.signed('POST', all[id].path, { ...all[id].example });
    expect([status, made]).toEqual([200, made]);
  }
  await openCustomer();
  await wallet.run({ kind: 'setAccountClass', account: gate.accounts.bob, class: 'affiliate' });
});
afterAll(() => wallet.close());

let customer: Sending = {};
/** A customer of the broker, with money, a deposit, and a trade that the broker earns from. */
async function openCustomer(): Promise<void> {
  const ask = async (id: EndpointId, more: Record<string, string>, sending: Sending = { key: keys.broker }) => {
    const { status, body } = await gate.signed('POST', all[id].path, { ...all[id].example, ...more }, sending);
    expect([id, status, body]).toEqual([id, 200, body]);
    return body;
  };
  await ask('openBrokerSubAccount', {});
  const { apikey, secretKey } = await ask('createBrokerKey', { permissions: permissions.join(',') });
  customer = { key: apikey, secret: secretKey };
  await ask('brokerTransfer', { amount: '50000' });
  const { address, memo } = await ask('createBrokerDepositAddress', {}, customer);
  const payment = { network: 'ETH', txId: 'two', output: 0, asset: assets.USDT, address, memo } as const;
  await wallet.run({ kind: 'reportDeposit', ...payment, amount: units('USDT', 100), sight: seenWith(12) });
  await ask('placeOrder', { ...order, quantity: '0.1', price: '28000' }, { key: keys.alice });
  await ask('placeOrder', { ...order, side: 'BUY', quantity: '0.1', price: '28000' }, customer);
}

const transferTerms = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1' };

/** Parameters of the wallet's endpoints, where their example names nothing here. */
async function walletParametersOf(id: EndpointId): Promise<Record<string, string>> {
  if (id === 'cancelWithdrawal') {
    const { body } = await wallet.post('withdraw', { ...all.withdraw.example });
    return { id: body.id };
  }
  if (id === 'transferById') return { tranId: (await wallet.post('transfer', transferTerms)).body[0].tranId };
  if (id === 'send') return { toAccountType: 'UID', toAccount: '2002', asset: 'USDT', amount: '1' };
  if (id !== 'convert') return { ...all[id].example };
  await wallet.run({ kind: 'creditFunds', account: gate.accounts.alice, asset: assets.XRP, amount: units('XRP', 1) });
  return { asset: 'XRP,BTC' };
}

/** Parameters of endpoints about sub-accounts and groups. */
async function subAccountParametersOf(id: EndpointId): Promise<Record<string, string>> {
  const { example = {} } = all[id];
  if (id === 'openSubAccount') return { ...example, subAccount: 'marketmaker2' };
  if (id === 'deleteSubAccountKey') {
    const { method, path, example: key } = all.createSubAccountKey;
    return { ...example, apiKey: (await gate.signed(method, path, { ...key })).body.apiKey };
  }
  if (id === 'createStpGroup' || all[id].envelope !== 'group') return { ...example };
  const tradeGroupName = `for ${id}`;
  const { body } = await gate.signed('POST', '/api/v3/strategy/group', { tradeGroupName });
  return { tradeGroupName, uid: '1001,1002', tradeGroupId: String(body.data.tradeGroupId) };
}

/** Parameters of endpoints of brokers. */
async function brokerParametersOf(id: EndpointId): Promise<Record<string, string>> {
  const { example = {} } = all[id];
  if (id === 'openBrokerSubAccount') return { ...example, subAccount: 'customer002' };
  if (id !== 'deleteBrokerKey') return { ...example };
  const { method, path, example: key } = all.createBrokerKey;
  return { ...example, apiKey: (await gate.signed(method, path, { ...key }, { key: keys.broker })).body.apikey };
}

/** Parameters that give an answer with something in it. */
const parametersOf = async (id: EndpointId): Promise<Record<string, string>> => {
  const names = parameterNames(all[id]);
  if (groupOf(id) === 'Wallet') return walletParametersOf(id);
  if (groupOf(id) === 'Sub-accounts') return subAccountParametersOf(id);
  if (groupOf(id) === 'Broker') return brokerParametersOf(id);
  if (id === 'cancelOrder') return { symbol: 'BTCUSDT', orderId: await place({ price: '31000' }, keys.alice) };
  if (id === 'cancelOpenOrders' || id === 'cancelAllOrders') await place({ price: '32000' }, keys.broker);
  if (id === 'order') return { symbol: 'BTCUSDT', origClientOrderId: 'rest' };
  if (all[id].surface === 'futures') return {};
  if (id === 'renewListenKey' || id === 'deleteListenKey') {
    const { body } = await gate.signed('POST', '/api/v3/userDataStream');
    return { listenKey: body.listenKey };
  }
  const own: Record<string, string> = { ...all[id].example };
  if (names.includes('symbol') && own['symbol'] === undefined) own['symbol'] = 'BTCUSDT';
  if (id === 'placeOrder' || id === 'testOrder') return { ...own, price: '29000' };
  if (id === 'placeOrders') {
    const items = [
      { ...order, price: 33_000, newClientOrderId: 'first' },
      { ...order, quantity: '0', newClientOrderId: 'second' },
    ];
    return { batchOrders: JSON.stringify(items) };
  }
  return own;
};
const callerOf = (id: EndpointId): Sending => {
  const { access } = all[id];
  if (access.kind === 'signed' && access.caller === 'brokerSub') return customer;
  if (access.kind === 'signed' && access.caller === 'broker') return { key: keys.broker };
  if (access.kind === 'signed' && access.caller === 'affiliate') return { key: keys.bob };
  return { key: id === 'cancelOpenOrders' || id === 'cancelAllOrders' ? keys.broker : keys.alice };
};

async function ask(id: EndpointId, parameters: Record<string, string>) {
  const { access, method, path } = all[id];
  gate.monotonic.time += 10_000;
  if (access.kind === 'public') return gate.get(path, parameters);
  return gate.signed(method, path, parameters, callerOf(id));
}

/** The values of every entry, where the answer is a list. */
const isEmpty = (answer: unknown): boolean => Array.isArray(answer) && answer.length === 0;

const emptyHere: readonly EndpointId[] = ['convertible', 'futuresContracts', 'futuresTicker', 'futuresFunds'];

/** Endpoints that an exchange without contracts can answer; those about one contract are asked in test/api. */
const answered = endpointIds.filter((id) => all[id].surface !== 'futures' || all[id].example === undefined);

describe('DEC-MKT-14, SPEC-MKT-24, DEC-MKT-09: an answer has exactly the specified members, decimals trimmed, times in ms', () => {
  test.each(answered)('%s', async (id) => {
    const endpoint = all[id];
    const { status, body } = await ask(id, await parametersOf(id));
    expect([status, body]).toEqual([200, body]);
    const schema: z.ZodType = wrappedAnswer(endpoint.envelope, endpoint.response);
    const parsed = schema.safeParse(body);
    expect(parsed.error).toBeUndefined();
    expect(parsed.data).toEqual(body);
    const answer = endpoint.envelope === 'bare' ? body : body.data;
    expect(isEmpty(answer)).toBe(emptyHere.includes(id));
  });

  test.each(['ticker24h', 'priceTicker', 'bookTicker', 'exchangeInfo', 'openOrders'] as const)(
    '%s of all pairs',
    async (id) => {
      const { status, body } = await ask(id, {});
      expect(status).toBe(200);
      expect(all[id].response.parse(body)).toEqual(body);
      expect(Array.isArray(body)).toBe(id !== 'exchangeInfo');
    },
  );
});

test('SPEC-MKT-19, SPEC-MKT-22, SPEC-MKT-23: a ticker of one pair is an object', async () => {
  for (const id of ['ticker24h', 'priceTicker', 'bookTicker'] as const) {
    const { body } = await ask(id, { symbol: 'BTCUSDT' });
    expect(body).toMatchObject({ symbol: 'BTCUSDT' });
  }
});

test('DEC-ORD-25: an account trade carries no isBuyerMaker', async () => {
  const { body } = await ask('myTrades', { symbol: 'BTCUSDT' });
  expect(body[0]).not.toHaveProperty('isBuyerMaker');
});

describe('DEC-CMP-01, DEC-CMP-02, DEC-CMP-03: an alias answers what it repeats', () => {
  test('historicalTrades', async () => {
    const parameters = { symbol: 'BTCUSDT', limit: '2' };
    expect((await ask('historicalTrades', parameters)).text).toBe((await ask('trades', parameters)).text);
  });

  test('mxDeduct/enable, under its own name', async () => {
    const switched = await ask('enableModelFeeDeduction', { mxDeductEnable: 'true' });
    expect(switched.body.data).toEqual({ mxDeductEnable: true });
    expect((await ask('feeDeduction', {})).body.data).toMatchObject({ svcDeductEnable: true });
    await ask('enableFeeDeduction', { svcDeductEnable: 'false' });
    expect((await ask('modelFeeDeduction', {})).body.data).toEqual({ mxDeductEnable: false });
  });

  test('order/all', async () => {
    await ask('cancelOpenOrders', { symbol: 'BTCUSDT' });
    expect((await ask('cancelAllOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
  });
});
