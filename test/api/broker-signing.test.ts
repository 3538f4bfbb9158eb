import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { type BrokerHarness, md5, startBrokerHarness } from './broker-harness.ts';
import { keys, type Reply, secret, sign } from './gateway-harness.ts';
import { assets, outside, units } from './wallet-harness.ts';
import { seenWith } from '../chain-sight.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const base = '/api/v3/broker/';

/** A request put together by hand. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly query: string;
  readonly body?: string;
  readonly type?: string;
  readonly key?: string;
}
const sendTo =
  (desk: BrokerHarness) =>
  ({ method = 'POST', path = `${base}sub-account/virtualSubAccount`, query, body, type = json, key }: Sent) =>
    desk.gate.send(method, `${path}?${query}`, {
      headers: { 'X-SVC-APIKEY': key ?? keys.broker, 'Content-Type': type },
      ...(body === undefined ? {} : { body }),
    });

describe('DEC-REQ-51: with brokerQueryOnlySignature', () => {
  let desk: BrokerHarness;
  let send: (sent: Sent) => Promise<Reply>;
  let stamp: string;
  let names = 0;
  const body = (more: Record<string, unknown> = {}) => {
    names += 1;
    return JSON.stringify({ subAccount: `signed${100 + names}`, note: 'n', ...more });
  };
  const signedQuery = (text = stamp) => `${text}&signature=${sign(text)}`;
  beforeAll(async () => {
    desk = await startBrokerHarness();
    send = sendTo(desk);
    stamp = `timestamp=${desk.gate.exchange.clock.time}`;
  });
  afterAll(() => desk.close());

  test('a JSON POST of a broker may leave out its body, or sign it', async () => {
    expect((await send({ query: signedQuery(), body: body() })).status).toBe(200);
    expect((await send({ query: signedQuery(`recvWindow=4000&${stamp}`), body: body() })).status).toBe(200);
    const text = body();
    expect((await send({ query: `${stamp}&signature=${sign(stamp + text)}`, body: text })).status).toBe(200);
  });

  test('a body that was signed cannot be changed', async () => {
    const text = body();
    const query = `${stamp}&signature=${sign(stamp + text)}`;
    expectCode(await send({ query, body: text.replace('"n"', '"m"') }), 700002);
  });

  test('a form is signed as a whole, whatever type it is sent under', async () => {
    for (const type of [form, json]) {
      expectCode(await send({ query: signedQuery(), body: 'subAccount=signedForm1&note=n', type }), 700002);
    }
  });

  test('so is a DELETE', async () => {
    const terms = JSON.stringify({ subAccount: 'signed101', apiKey: 'mx0vglBqhzhnd7hVQM' });
    const path = `${base}sub-account/apiKey`;
    expectCode(await send({ method: 'DELETE', path, query: signedQuery(), body: terms }), 700002);
    const whole = `${stamp}&signature=${sign(stamp + terms)}`;
    expectCode(await send({ method: 'DELETE', path, query: whole, body: terms }), 730706);
  });

  test('so is every call elsewhere', async () => {
    const terms = JSON.stringify({ fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1' });
    expectCode(await send({ path: '/api/v3/capital/transfer', query: signedQuery(), body: terms }), 700002);
  });

  test('DEC-SUB-55: no parameter of signing counts that stands in the body', async () => {
    const time = Number(stamp.split('=')[1]);
    const alone = `signature=${sign('')}`;
    expectCode(await send({ query: alone, body: body({ timestamp: time }) }), 700002);
    expectCode(await send({ query: signedQuery(), body: body({ recvWindow: 59_000 }) }), 700002);
    expectCode(await send({ query: stamp, body: body({ signature: sign(stamp) }) }), 700002);
    expectCode(await send({ query: signedQuery(), body: body({ signature: sign(stamp) }) }), 700002);
    expect((await send({ query: signedQuery(), body: body({ timestamp: time - 90_000 }) })).status).toBe(200);
  });

  test("another key's signature is refused, and so is an old one", async () => {
    const other = `${stamp}&signature=${sign(stamp, `${secret}x`)}`;
    expectCode(await send({ query: other, body: body() }), 700002);
    const old = `timestamp=${desk.gate.exchange.clock.time - 5001}`;
    expectCode(await send({ query: signedQuery(old), body: body() }), 700003);
  });
});

test('DEC-REQ-51: without it the body is signed too', async () => {
  const desk = await startBrokerHarness({ settings: { brokerQueryOnlySignature: false } });
  const send = sendTo(desk);
  const stamp = `timestamp=${desk.gate.exchange.clock.time}`;
  const body = JSON.stringify({ subAccount: 'signed0001', note: 'n' });
  expectCode(await send({ query: `${stamp}&signature=${sign(stamp)}`, body }), 700002);
  const whole = `${stamp}&signature=${sign(stamp + body)}`;
  expectCode(await send({ query: whole, body: body.replace('0001', '0002') }), 700002);
  expect((await send({ query: whole, body })).status).toBe(200);
  await desk.close();
});

test('parameters may stand in the query or in a form as well', async () => {
  const desk = await startBrokerHarness();
  const path = `${base}sub-account/virtualSubAccount`;
  const inQuery = { subAccount: 'inTheQuery1', note: 'n' };
  expect((await desk.gate.signed('POST', path, inQuery, { key: keys.broker })).status).toBe(200);
  const stamp = `timestamp=${desk.gate.exchange.clock.time}`;
  const body = 'subAccount=inTheForm01&note=n';
  const query = `${stamp}&signature=${sign(stamp + body)}`;
  expect((await sendTo(desk)({ query, body, type: form })).status).toBe(200);
  await desk.close();
});

test('a stock client of brokers runs customers: JSON bodies, signed queries, answers as it reads them', async () => {
  const desk = await startBrokerHarness();
  // What such a client does: the fields go into the body, time and signature into the query, which alone is signed.
  const client =
    (key: string, secretKey: string) =>
    async (method: string, path: string, fields: Record<string, string> = {}): Promise<Reply['body']> => {
      const time = `recvWindow=5000&timestamp=${desk.gate.exchange.clock.time}`;
      const inQuery = method === 'GET' ? new URLSearchParams(fields).toString() : '';
      const query = inQuery === '' ? time : `${inQuery}&${time}`;
      const { status, body } = await desk.gate.send(
        method,
        `${base}${path}?${query}&signature=${sign(query, secretKey)}`,
        {
          headers: { 'X-SVC-APIKEY': key, 'Content-Type': json },
          ...(method === 'GET' ? {} : { body: JSON.stringify(fields) }),
        },
      );
      expect([path, status, body]).toEqual([path, 200, body]);
      return body;
    };
  const broker = client(keys.broker, secret);
  const password = md5('hunter2');
  const opened = await broker('POST', 'sub-account/virtualSubAccount', {
    subAccount: 'stock1234',
    note: 'new',
    password,
  });
  expect(opened.code).toBe('0');
  const subAccount: string = opened.data[0].subAccount;
  const permissions = 'SPOT_DEPOSIT_WRITE,SPOT_DEPOSIT_READ,SPOT_TRANSFER_READ,SPOT_ACCOUNT_READ';
  const key = await broker('POST', 'sub-account/apiKey', {
    subAccount,
    permissions,
    note: 'customer',
    ip: '127.0.0.1',
  });
  const customer = client(key.apikey, key.secretKey);
  const { address } = await customer('POST', 'capital/deposit/subAddress', { coin: 'USDT', network: 'ETH' });
  const payment = { network: 'ETH', txId: '0xabc', output: 0, asset: assets.USDT, address, memo: null } as const;
  await desk.wallet.run({ kind: 'reportDeposit', ...payment, amount: units('USDT', 500), sight: seenWith(12) });
  expect(await customer('GET', 'capital/deposit/subHisrec', { status: 'SUCCESS' })).toMatchObject([{ amount: '500' }]);
  expect(await broker('GET', 'capital/deposit/subHisrec/getall')).toMatchObject([{ amount: '500', subAccount }]);
  const transfer = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount: '100' };
  const { tranId } = await broker('POST', 'sub-account/universalTransfer', { ...transfer, fromAccount: subAccount });
  const sides = { fromAccountType: 'SPOT', toAccountType: 'SPOT' };
  expect(await broker('GET', 'sub-account/universalTransfer', sides)).toMatchObject([
    { tranId, fromAccount: subAccount },
  ]);
  const terms = { coin: 'USDT', network: 'ETH', address: outside.ETH, amount: '400', password };
  expect(await customer('POST', 'capital/withdraw/apply', terms)).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect((await broker('POST', 'sub-account/futures', { subAccount })).data[0].isFuturesEnabled).toBe(true);
  expect((await broker('GET', 'rebate/taxQuery')).data).toEqual([]);
  expect(await broker('GET', 'sub-account/status', { subAccount })).toEqual({ status: '1' });
  await desk.close();
});
