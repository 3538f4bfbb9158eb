import { afterEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys, sign, startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway-harness.ts';

/* What a browser is told about pages of other origins. */

let gate: TestGateway;
const start = async (settings: TestGatewayOptions['settings'] = {}): Promise<void> => {
  gate = await startTestGateway({ settings });
};
afterEach(() => gate.close());

const stranger = 'https://stranger.example';
const desk = 'https://desk.example';
const local = ['http://localhost:3000', 'http://127.0.0.1', 'http://127.0.0.1:5173', 'http://[::1]:8080'];
const publicPath = '/api/v3/time';

const allowed = (headers: Headers) => headers.get('access-control-allow-origin');
const from = (origin: string, path: string) => gate.send('GET', path, { headers: { Origin: origin } });
const signedFrom = (origin: string, key: string = keys.alice) =>
  gate.signed('GET', '/api/v3/uid', {}, { key, headers: { Origin: origin } });
const ask = (origin: string, path: string, method: string, headers: Record<string, string> = {}) =>
  gate.send('OPTIONS', path, { headers: { Origin: origin, 'Access-Control-Request-Method': method, ...headers } });

describe('DEC-REQ-49: in the sandbox without configured origins', () => {
  test('public answers, refusals and the pages about the API may be read by any page', async () => {
    await start();
    for (const path of [publicPath, '/api/v3/depth', '/api/v1/contract/ping', '/api/v3/nothing', '/openapi.json']) {
      const { headers } = await from(stranger, path);
      expect([path, allowed(headers)]).toEqual([path, '*']);
      const exposed = 'Retry-After, X-SVC-USED-WEIGHT, X-Bourse-Signed-Text, X-Bourse-Fault';
      expect(headers.get('access-control-expose-headers')).toBe(exposed);
    }
    expect(allowed((await gate.get(publicPath)).headers)).toBeNull();
    expect(allowed((await from(stranger, '/metrics')).headers)).toBeNull();
  });

  test('signed answers may be read by pages of this machine only', async () => {
    await start();
    for (const origin of local) {
      const { status, headers } = await signedFrom(origin);
      expect([status, allowed(headers), headers.get('vary')]).toEqual([200, origin, 'origin']);
    }
    const refused = await gate.signed('GET', '/api/v3/uid', {}, { secret: 'x', headers: { Origin: local[0]! } });
    expectCode(refused, 700002);
    expect(allowed(refused.headers)).toBe(local[0]);
    expect(refused.headers.get('x-bourse-signed-text')).not.toBeNull();
    const others = [stranger, 'null', 'http://localhost.example', 'http://127.0.0.1.example', 'http://1270.0.0.1'];
    for (const origin of others) {
      const { headers } = await signedFrom(origin);
      expect([origin, allowed(headers), headers.get('vary')]).toEqual([origin, null, 'origin']);
    }
  });
});

test('DEC-REQ-49: configured origins are the only ones, for public endpoints too', async () => {
  await start({ allowedOrigins: ['https://Desk.example'], profile: 'production' });
  for (const answer of [await from(desk, publicPath), await signedFrom(desk)]) {
    expect([allowed(answer.headers), answer.headers.get('vary')]).toEqual([desk, 'origin']);
  }
  for (const origin of [stranger, ...local]) {
    for (const answer of [await from(origin, publicPath), await signedFrom(origin)]) {
      expect([origin, answer.status, allowed(answer.headers)]).toEqual([origin, 200, null]);
    }
  }
});

test('DEC-REQ-49: in production without configured origins no page may read signed answers', async () => {
  await start({ profile: 'production' });
  expect(allowed((await from(stranger, publicPath)).headers)).toBe('*');
  for (const origin of [stranger, ...local]) expect(allowed((await signedFrom(origin)).headers)).toBeNull();
});

describe('DEC-REQ-50: OPTIONS of a known path', () => {
  test('answers 204 with what may be sent, for ten minutes', async () => {
    await start();
    const { status, text, headers } = await ask(local[0]!, '/api/v3/order', 'POST');
    expect([status, text, allowed(headers)]).toEqual([204, '', local[0]]);
    expect(headers.get('access-control-allow-methods')).toBe('POST, DELETE, GET');
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type, X-SVC-APIKEY, X-MEXC-APIKEY');
    expect(headers.get('access-control-max-age')).toBe('600');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(allowed((await ask(stranger, '/api/v3/order', 'POST')).headers)).toBeNull();
    expect(allowed((await ask(stranger, publicPath, 'GET')).headers)).toBe('*');
    const bare = await gate.send('OPTIONS', publicPath);
    expect([bare.status, bare.headers.get('allow')]).toEqual([204, 'GET']);
    expect((await ask(stranger, '/api/v3/nothing', 'GET')).status).toBe(404);
  });

  test('costs nothing and changes nothing', async () => {
    await start({ trustedProxies: ['127.0.0.1'] });
    const address = { 'X-Forwarded-For': '198.51.100.1' };
    const before = gate.digest();
    for (let call = 0; call < 600; call += 1) {
      expect((await ask(stranger, '/api/v3/order', 'DELETE', address)).status).toBe(204);
    }
    const { headers } = await gate.send('GET', publicPath, { headers: address });
    expect(headers.get('x-svc-used-weight')).toBe('1');
    expect(gate.digest()).toBe(before);
  });

  test('is not answered to whoever is denied, and leaves the connection usable', async () => {
    await start({ trustedProxies: ['127.0.0.1'], deniedAddresses: ['198.51.100.9'] });
    const denied = await ask(stranger, publicPath, 'GET', { 'X-Forwarded-For': '198.51.100.9' });
    expectCode(denied, 403, 403);
    expect(allowed(denied.headers)).toBe('*');
    const text = `timestamp=${gate.exchange.clock.time}`;
    const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.001&price=20000&';
    await ask(local[0]!, '/api/v3/order', 'POST');
    const placed = await gate.send('POST', `/api/v3/order?${order}${text}&signature=${sign(order + text)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice, Origin: local[0]! },
    });
    expect([placed.status, allowed(placed.headers)]).toEqual([200, local[0]]);
  });
});
