import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { encode, keys, now, type Reply, secret, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());
beforeEach(() => {
  gate.exchange.clock.time = now;
});

const path = '/api/v3/order';
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT';
const rest = 'quantity=1&price=11&recvWindow=5000&timestamp=1700000000000';
const a01 = 'f93026820c1de9ca88564556fec4724b56c48882a2c08ab6acee2ef18eed9207';
const a03 = 'd320a84f3d5876585575d883b7390ffe74ad27806610e97310329547434bcba3';
const a05 = '605a60104120a21b5bba15f6bc3e56a65d09c933171e19f2223eef742d6b9362';

interface Sent {
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
  readonly key?: string;
}
const post = (sent: Sent, to = path): Promise<Reply> =>
  gate.send('POST', sent.query === undefined ? to : `${to}?${sent.query}`, {
    headers: {
      'X-SVC-APIKEY': sent.key ?? keys.alice,
      ...(sent.type === undefined ? {} : { 'Content-Type': sent.type }),
    },
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });

describe('SPEC-CNV-08, DEC-REQ-18: what a signature covers', () => {
  test('SPEC-CNV-05, A01: all in the query', async () => {
    const reply = await post({ query: `${order}&${rest}&signature=${a01}` });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ symbol: 'BTCUSDT', price: '11', origQty: '1', side: 'BUY', type: 'LIMIT' });
  });

  test('DEC-REQ-10, A02: the same as a form, under either content type and none', async () => {
    for (const type of [form, json, `${json}; charset=utf-8`, `${form};charset=UTF-8`]) {
      expect((await post({ body: `${order}&${rest}&signature=${a01}`, type })).status).toBe(200);
    }
  });

  test('SPEC-CNV-09, A03: split between query and body, with no ampersand at the seam; the signature in either part', async () => {
    expect((await post({ query: `${order}&signature=${a03}`, body: rest, type: form })).status).toBe(200);
    expect((await post({ query: order, body: `${rest}&signature=${a03}`, type: json })).status).toBe(200);
    expect((await post({ query: order, body: `signature=${a03}&${rest}`, type: form })).status).toBe(200);
  });

  test('A04: an ampersand signed at the seam does not match', async () => {
    expectCode(await post({ query: `${order}&signature=${a01}`, body: rest, type: form }), 700002);
  });

  const body = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"1","price":"11"}';
  test('DEC-REQ-05, DEC-REQ-12, A05, A06: a JSON body is signed byte for byte', async () => {
    const query = `timestamp=1700000000000&signature=${a05}`;
    expect((await post({ query, body, type: json })).status).toBe(200);
    expectCode(await post({ query, body: body.replace(',', ', '), type: json }), 700002);
  });

  test('DEC-REQ-07, A07: the signature as first, middle and last member of a JSON body', async () => {
    const members = [
      '"symbol": "BTCUSDT"',
      '"side": "BUY"',
      '"type": "LIMIT"',
      '"quantity": 1',
      '"price": 11',
      '"timestamp": 1700000000000',
    ];
    const signature = `"signature": "${sign(`{${members.join(', ')}}`)}"`;
    for (const at of [0, 3, members.length]) {
      const text = `{${members.toSpliced(at, 0, signature).join(', ')}}`;
      expect((await post({ body: text, type: json })).status).toBe(200);
    }
  });

  test('SPEC-CNV-04, DEC-REQ-06, A08, A10: upper-case hex; the signature first, in the middle, last', async () => {
    expect((await post({ query: `${order}&${rest}&signature=${a01.toUpperCase()}` })).status).toBe(200);
    expect((await post({ query: `signature=${a01}&${order}&${rest}` })).status).toBe(200);
    expect((await post({ query: `${order}&signature=${a01}&${rest}` })).status).toBe(200);
  });

  test('DEC-REQ-08, A09: malformed and absent signatures are 602, two of them 700002', async () => {
    const before = gate.digest();
    for (const signature of ['', a01.slice(1), `${a01}0`, `z${a01.slice(1)}`, '%00', 'é']) {
      const reply = await post({ query: `${order}&${rest}&signature=${signature}` });
      expect([602, 700008]).toContain(reply.body.code);
    }
    expectCode(await post({ query: `${order}&${rest}` }), 602);
    expectCode(await post({ query: `${order}&${rest}&signature=${a01}&signature=${a01}` }), 700002);
    expectCode(
      await post({ query: `${order}&signature=${a03}`, body: `${rest}&signature=${a03}`, type: form }),
      700002,
    );
    expect(gate.digest()).toBe(before);
  });

  const item = (side: string, price: string) =>
    `{"type":"LIMIT_ORDER","price":"${price}","quantity":"1","symbol":"BTCUSDT","side":"${side}"}`;
  const items = encodeURIComponent(`[${item('BUY', '11')},${item('SELL', '12')}]`);
  const batch = `batchOrders=${items}&timestamp=1700000000000`;
  const a11 = '7da345fc2c766d97a7e82c9add875d776a4803f101cc706fa3be26360428bf54';
  test('SPEC-CNV-10, DEC-REQ-09, A11, A12, A13: batchOrders escaped in upper case, rewritten on the way, and signed as rewritten', async () => {
    const to = '/api/v3/batchOrders';
    const lower = batch.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
    const bare = batch.replaceAll('%2C', ',').replaceAll('%3A', ':');
    expect(sign(batch)).toBe(a11);
    for (const query of [batch, lower, bare]) {
      const reply = await post({ query: `${query}&signature=${a11}` }, to);
      expect(reply.status).toBe(200);
      expect(reply.body).toHaveLength(2);
    }
    expect((await post({ query: `${lower}&signature=${sign(lower)}` }, to)).status).toBe(200);
    expect((await post({ body: `${batch}&signature=${a11}`, type: json }, to)).status).toBe(200);
  });

  test('A19: JSON as a form is refused, a form as JSON is taken', async () => {
    const text = `{"a":1}`;
    const query = `timestamp=${now}`;
    expectCode(await post({ query: `${query}&signature=${sign(query + text)}`, body: text, type: form }), 700008);
  });

  test('DEC-REQ-16, A21, A23: a parameter sent twice in one place is refused; in both places the query decides', async () => {
    const twice = `${order}&${rest}&quantity=1000`;
    expectCode(await post({ query: `${twice}&signature=${sign(twice)}` }), 33333);
    const stamps = `${order}&${rest}&timestamp=1`;
    expectCode(await post({ query: `${stamps}&signature=${sign(stamps)}` }), 33333);
    const both = `quantity=7&price=11`;
    const text = `${order}&quantity=2&timestamp=${now}`;
    const reply = await post({ query: `${text}&signature=${sign(text + both)}`, body: both, type: form });
    expect(reply.body.origQty).toBe('2');
    const members = '{"symbol":"BTCUSDT","side":"BUY","side":"BUY"}';
    expectCode(
      await post({
        query: `timestamp=${now}&signature=${sign(`timestamp=${now}${members}`)}`,
        body: members,
        type: json,
      }),
      33333,
    );
  });

  test('A25, A26: escapes of UTF-8 are read, malformed ones are refused and never a 500', async () => {
    const good = `${order}&${rest}&note=%E6%B5%8B%E8%AF%95`;
    expect((await post({ query: `${good}&signature=${sign(good)}` })).status).toBe(200);
    for (const value of ['%', '%Z1', '%E0%A4', '%C0%AF', '%00', '%ED%A0%80', '%0A', '%ff']) {
      const text = `${order}&${rest}&note=${value}`;
      expectCode(await post({ query: `${text}&signature=${sign(text)}` }), 700008);
      expectCode(await post({ body: `${text}&signature=${sign(text)}`, type: form }), 700008);
    }
  });

  test('A28: a signature of one key does not serve another', async () => {
    const reply = await gate.signed('GET', '/api/v3/uid', {}, { secret: `${secret}x` });
    expectCode(reply, 700002);
    expect(decodeURIComponent(reply.headers.get('x-bourse-signed-text') ?? '')).toBe(`timestamp=${now}`);
  });

  test('DEC-CMP-04, A29, A30, DEC-REQ-47: the key header in any case and under its alias; absent, empty, malformed, twice and unknown', async () => {
    const text = `timestamp=${now}`;
    const get = (headers: Record<string, string>) =>
      gate.send('GET', `/api/v3/uid?${text}&signature=${sign(text)}`, { headers });
    for (const name of ['X-SVC-APIKEY', 'x-svc-apikey', 'X-MEXC-APIKEY'])
      expect((await get({ [name]: keys.alice })).status).toBe(200);
    expectCode(await get({}), 400);
    expectCode(await get({ 'X-SVC-APIKEY': '' }), 400);
    expect((await get({ 'X-SVC-APIKEY': '', 'X-MEXC-APIKEY': keys.alice })).status).toBe(200);
    for (const key of ['abc', `${keys.alice} x`, `${keys.alice}, ${keys.alice}`, '__proto__'])
      expectCode(await get({ 'X-SVC-APIKEY': key }), 700001);
    expectCode(await get({ 'X-SVC-APIKEY': 'mx0unknownUNKNOWN1' }), 10072);
  });

  test('A31: a deleted key is unknown to the very next request', async () => {
    await gate.addKey(gate.accounts.alice, 'mx0shortlived00001', ['SPOT_ACCOUNT_READ']);
    const ask = () => gate.signed('GET', '/api/v3/uid', {}, { key: 'mx0shortlived00001' });
    expect((await ask()).status).toBe(200);
    await gate.exchange.submit({ kind: 'deleteApiKey', account: gate.accounts.alice, accessKey: 'mx0shortlived00001' });
    expectCode(await ask(), 10072);
  });

  test('A32: an empty price is a missing one; an empty stpMode is the default', async () => {
    const base = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '1' };
    expectCode(await gate.signed('POST', path, { ...base, price: '' }), 44444);
    expect((await gate.signed('POST', path, { ...base, price: '11', stpMode: '' })).status).toBe(200);
  });

  test('an empty body under application/json is no body: libraries always send the header', async () => {
    expect((await post({ query: `${order}&${rest}&signature=${a01}`, body: '', type: json })).status).toBe(200);
  });
});

describe('A17, A18, DEC-REQ-15: reuse of signatures', () => {
  test('under `all` a signed request cannot be replayed with another method or path; honest retries can', async () => {
    const guarded = await startTestGateway({ settings: { signatureReuse: 'all' } });
    const placed = await guarded.signed('POST', path, {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '1',
      price: '11',
    });
    const named = { symbol: 'BTCUSDT', orderId: placed.body.orderId };
    expect((await guarded.signed('GET', path, named)).status).toBe(200);
    const before = guarded.digest();
    expectCode(await guarded.signed('DELETE', path, named), 700002);
    expect((await guarded.signed('GET', path, named)).status).toBe(200);
    const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '2', price: '11' };
    expect((await guarded.signed('POST', `${path}/test`, terms)).status).toBe(200);
    expectCode(await guarded.signed('POST', path, terms), 700002);
    expect(guarded.digest()).toBe(before);
    await guarded.close();
  });
});

describe('DEC-REQ-17: the time window', () => {
  const ask = (timestamp: string, recvWindow?: string) =>
    gate.signed('GET', '/api/v3/uid', recvWindow === undefined ? {} : { recvWindow }, { timestamp });
  test.each([
    ['B01', 0, undefined, 200],
    ['B02', 999, undefined, 200],
    ['B03', 1000, undefined, 700003],
    ['B04', -5000, undefined, 200],
    ['B05', -5001, undefined, 700003],
    ['B06', -59_999, '59999', 200],
    ['B07', 0, '60000', 700005],
    ['B10', 0, '-1', 33333],
  ] as const)('%s: %i ms off with recvWindow %s is answered %i', async (_id, off, recvWindow, expected) => {
    const reply = await ask(String(now + off), recvWindow);
    expect(reply.status === 200 ? 200 : reply.body.code).toBe(expected);
  });

  test('B11: a recvWindow that is no whole number is refused', async () => {
    for (const recvWindow of ['abc', '5e3', '5000.0', ' 5000', '0x1388', '５０００', ''])
      expectCode(await ask(String(now), recvWindow), 33333);
  });

  test('B12 to B14: a timestamp that is missing or not whole milliseconds', async () => {
    expectCode(await gate.signed('GET', '/api/v3/uid', {}, { timestamp: null }), 10073);
    for (const stamp of ['', '1.7e12', '1700000000000.0', '-1', '1'.repeat(30), 'abc'])
      expectCode(await ask(stamp), 10073);
    expectCode(await ask('1700000000'), 700003);
  });

  test('DEC-REQ-53, B17: a clock that jumps back neither breaks nor reorders anything', async () => {
    gate.exchange.clock.time = now - 10_000;
    expectCode(await ask(String(now)), 700003);
    expect((await gate.signed('GET', '/api/v3/uid')).status).toBe(200);
  });
});

describe('DEC-REQ-01: the check order', () => {
  test('each fault hides those that come after it', async () => {
    await gate.addKey(gate.accounts.alice, 'mx0boundElsewhere1', ['SPOT_ACCOUNT_READ'], ['203.0.113.7']);
    await gate.addKey(gate.accounts.alice, 'mx0powerless000001', ['CONTRACT_DEAL_READ']);
    const at = (query: string, headers: Record<string, string>, body?: string) =>
      gate.send('POST', `${path}?${query}`, { headers, ...(body === undefined ? {} : { body }) });
    const bad = 'symbol=&symbol=&note=%zz&recvWindow=60000&timestamp=0&signature=';
    expectCode(await at(bad, {}), 400);
    expectCode(await at(bad, { 'X-SVC-APIKEY': 'no key' }), 700001);
    expectCode(await at(bad, { 'X-SVC-APIKEY': 'mx0unknownUNKNOWN1' }), 10072);
    expectCode(await at(bad, { 'X-SVC-APIKEY': 'mx0boundElsewhere1' }), 700006);
    expectCode(await at(bad, { 'X-SVC-APIKEY': keys.alice, 'Content-Type': 'text/xml' }, '<a/>'), 415, 415);
    expectCode(await at(bad, { 'X-SVC-APIKEY': keys.alice }), 33333);
    expectCode(await at('note=%zz&timestamp=x', { 'X-SVC-APIKEY': keys.alice }), 700008);
    expectCode(await at('recvWindow=x&timestamp=x', { 'X-SVC-APIKEY': keys.alice }), 10073);
    expectCode(await at('recvWindow=60000&timestamp=0', { 'X-SVC-APIKEY': keys.alice }), 700005);
    expectCode(await at('timestamp=0', { 'X-SVC-APIKEY': keys.alice }), 700003);
    expectCode(await at(`timestamp=${now}`, { 'X-SVC-APIKEY': keys.alice }), 602);
    expectCode(await at(`timestamp=${now}&signature=${a01}`, { 'X-SVC-APIKEY': 'mx0powerless000001' }), 700002);
    await gate.exchange.submit({ kind: 'setAccountStatus', account: gate.accounts.alice, status: 'frozen' });
    expectCode(await gate.signed('POST', path, {}, { key: 'mx0powerless000001' }), 60005);
    await gate.exchange.submit({ kind: 'setAccountStatus', account: gate.accounts.alice, status: 'normal' });
    expectCode(await gate.signed('POST', path, {}, { key: 'mx0powerless000001' }), 700007);
    expectCode(await gate.signed('POST', path, {}), 44444);
  });

  test('DEC-REQ-61, D14: a frozen sub-account is told so, and may cancel', async () => {
    const { sub } = gate.accounts;
    const placed = await gate.signed(
      'POST',
      path,
      { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '11' },
      { key: keys.sub },
    );
    await gate.exchange.submit({ kind: 'setAccountStatus', account: sub, status: 'frozen' });
    expectCode(await gate.signed('POST', path, {}, { key: keys.sub }), 140002);
    expect((await gate.signed('GET', '/api/v3/account', {}, { key: keys.sub })).body.canTrade).toBe(false);
    const cancelled = await gate.signed(
      'DELETE',
      path,
      { symbol: 'BTCUSDT', orderId: placed.body.orderId },
      { key: keys.sub },
    );
    // Freezing cancelled it already.
    expectCode(cancelled, -2011);
    await gate.exchange.submit({ kind: 'setAccountStatus', account: sub, status: 'normal' });
  });

  test('D13, G23: secrets and stacks stand in no answer and no log line', async () => {
    expect(gate.logged.join('\n')).not.toContain(secret);
    expect((await gate.signed('GET', '/api/v3/uid', {}, { secret: 'x' })).text).not.toMatch(/\bat |\.ts|secret/);
  });

  test('DEC-REQ-13, DEC-REQ-14: the seam of query and body: an unknown parameter of a split request and a bare `=` are refused', async () => {
    const query = `${order}&timestamp=${now}`;
    const extra = 'quantity=1&price=11&extra=1';
    expectCode(await post({ query: `${query}&signature=${sign(query + extra)}`, body: extra, type: form }), 700008);
    const whole = `${query}&${extra}`;
    expect((await post({ query: `${whole}&signature=${sign(whole)}` })).status).toBe(200);
    const bare = `${order}&${rest}&note=a=b`;
    expectCode(await post({ query: `${bare}&signature=${sign(bare)}` }), 700008);
    const inJson = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"1","price":"11","note":"a=b"}';
    const stamp = encode({ timestamp: String(now) });
    expectCode(await post({ query: `${stamp}&signature=${sign(stamp + inJson)}`, body: inJson, type: json }), 700008);
    const unsplit = inJson.replace('{', `{"timestamp":${now},`);
    expect((await post({ query: `signature=${sign(unsplit)}`, body: unsplit, type: json })).status).toBe(200);
  });
});
