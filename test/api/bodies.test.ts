import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRateLimits } from '#main/composition/open-rate-limits.ts';
import { expectCode } from './answer-shape.ts';
import { keys, now, type Reply, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());

const json = 'application/json';
const path = '/api/v3/order';

/** Sends a signed body as it is, with the signature in the query. */
function send(method: string, body: string | Buffer, type: string | null = json): Promise<Reply> {
  const bytes = Buffer.from(body as string);
  const signature = sign(bytes.toString('latin1'), undefined, 'latin1');
  const headers = { 'X-SVC-APIKEY': keys.alice, ...(type === null ? {} : { 'Content-Type': type }) };
  return gate.send(method, `${path}?signature=${signature}`, { headers, body: bytes });
}
const good = `"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.5","price":"30000","timestamp":${now}`;

describe('JSON bodies', () => {
  test('C18: a byte order mark, broken UTF-8 and UTF-16 are no JSON', async () => {
    const before = gate.digest();
    const text = `{${good}}`;
    const bodies = [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
      Buffer.from(text.replace('BUY', 'B\xffY'), 'latin1'),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ];
    for (const body of bodies) expectCode(await send('POST', body), 33333);
    expect(gate.digest()).toBe(before);
  });

  test('C19: two objects, something behind, comments, words that are no values, other shapes', async () => {
    const texts = [
      `{${good}}{${good}}`,
      `{${good}} x`,
      `{${good},}`,
      `{/* */${good}}`,
      `{${good},"a":NaN}`,
      `{${good},"a":01}`,
      `{${good},"a":'x'}`,
      `[{${good}}]`,
      '"text"',
      `{${good}`,
      `{${good},"a"}`,
      `{${good},"a":}`,
      `{a:1,${good}}`,
      `{${good},"a":"\\x"}`,
      `{${good},"a":{"b":1}}`,
      `{${good},"a":[1]}`,
      `{${good},"side":"BUY"}`,
      `{${good},"s\\u0069de":"BUY"}`,
    ];
    for (const text of texts) expect([text, (await send('POST', text)).body.code]).toEqual([text, 33333]);
  });

  test('DEC-LIM-09: nesting is bounded before anything is parsed', async () => {
    for (const text of [
      '{"a":'.repeat(50),
      `{"a":${'['.repeat(60)}`,
      `{${good},"a":${'['.repeat(50)}${']'.repeat(50)}}`,
    ]) {
      expectCode(await send('POST', text), 33333);
    }
    for (const text of ['{"a":'.repeat(1600), `{"a":${'['.repeat(8000)}`]) {
      expectCode(await send('POST', text), 413, 413);
    }
  });

  test('C11: a member named __proto__ is a name like any other', async () => {
    expect((await send('POST', `{${good},"__proto__":"x","constructor":1}`)).status).toBe(200);
    expectCode(await send('POST', `{${good},"__proto__":{"isAdmin":1}}`), 33333);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test('DEC-REQ-57, DEC-REQ-58: control characters in a value are illegal; null stands for not sent', async () => {
    expectCode(await send('POST', `{${good},"note":"a\\u0000b"}`), 700008);
    expectCode(await send('POST', `{${good},"note":"a\\nb"}`), 700008);
    expect((await send('POST', `{${good},"stpMode":null,"newClientOrderId":null}`)).status).toBe(200);
  });

  test('a body without a content type is read by what it begins with', async () => {
    expect((await send('POST', Buffer.from(`{${good}}`), null)).status).toBe(200);
    expect((await send('POST', Buffer.from(`  {${good}}`), null)).status).toBe(200);
  });
});

test('a DELETE may carry its parameters in its body, in either form', async () => {
  for (const type of [json, 'application/x-www-form-urlencoded']) {
    const placed = await send('POST', `{${good}}`);
    const { orderId } = placed.body;
    const body =
      type === json
        ? `{"symbol":"BTCUSDT","orderId":"${orderId}","timestamp":${now}}`
        : `symbol=BTCUSDT&orderId=${orderId}&timestamp=${now}`;
    const reply = await send('DELETE', body, type);
    expect([reply.status, reply.body.status]).toEqual([200, 'CANCELED']);
  }
});

test('G08: a ban outlives the gateway that made it', async () => {
  await gate.exchange.submit({ kind: 'banAddress', address: '198.51.100.1', until: (now + 5000) as never, times: 3 });
  const { exchange, gateway, wall } = gate;
  const restarted = await openRateLimits({ ...gateway.context, wall }, exchange.sequencer);
  expect(restarted.bans.bannedMs('198.51.100.1', now)).toBe(5000);
  expect(restarted.bans.bannedMs('198.51.100.2', now)).toBe(0);
});
