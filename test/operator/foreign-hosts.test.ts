import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

interface Heard {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Asks with headers of one's choice, `Host` among them. */
function askWith(port: number, path: string, headers: Record<string, string>, method = 'GET'): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      const { statusCode = 0, headers: answered } = response;
      response.on('end', () => resolve({ status: statusCode, type: answered['content-type'] ?? '', text }));
    });
    sent.on('error', reject).end();
  });
}

/** Asks by a name, with the root token. */
const ask = (path: string, host: string, method = 'GET'): Promise<Heard> =>
  askWith(operator.port, path, { host, authorization: `Bearer ${rootToken}` }, method);

const foreign = [
  'rebound.example',
  'rebound.example:8081',
  '127.0.0.1.example:8081',
  'localhost.example',
  'localhost.',
  '127.1:8081',
  '0x7f000001',
  '2130706433:80',
  'ops.example.attacker.example',
  'ops.example:80:80',
  'ops.example:8081@rebound.example',
  '[::1',
  '::1',
];

describe('DEC-OPR-222: a name that an attacker lets resolve to this machine', () => {
  test.each(foreign)('%j reads and does nothing, whatever token it has', async (host) => {
    const before = operator.digest();
    const path = `/v1/accounts/${operator.alice.uid}/status`;
    const asked = [
      await ask('/', host),
      await ask('/metrics', host),
      await ask('/openapi.json', host),
      await ask('/v1/accounts', host),
      await ask('/v1/nothing', host),
      await ask(path, host, 'PUT'),
    ];
    for (const { status, type, text } of asked) {
      expect([status, type]).toEqual([421, expect.stringMatching(/^application\/problem\+json/)]);
      expect(JSON.parse(text)).toMatchObject({ code: 'foreignHost', detail: expect.stringContaining('operatorNames') });
    }
    expect(operator.digest()).toBe(before);
  });

  test.each(['/healthz', '/readyz', '/version'])('probes of %s go on by every name', async (path) => {
    expect((await ask(path, 'node-one.internal:8081')).status).toBe(200);
  });

  test.each([
    'localhost',
    'LOCALHOST:8081',
    '127.0.0.1',
    '[::1]:8081',
    '10.1.2.3:8081',
    'ops.example',
    'Ops.Example:1',
  ])('%s is its own: this machine, an address, or a name of the settings', async (host) => {
    expect([(await ask('/', host)).status, (await ask('/v1/accounts', host)).status]).toEqual([200, 200]);
    expect((await ask('/metrics', host)).text).toBe('bourse_up 1\n');
  });
});

test('DEC-WEB-52: nothing of the operator port may be framed', async () => {
  for (const path of ['/', '/docs/', '/metrics', '/openapi.json', '/v1/accounts', '/nothing']) {
    const { headers } = await operator.ask('GET', path);
    expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});

describe('DEC-WEB-53: the token of a sandbox', () => {
  const path = '/sandbox-token.json';
  let sandbox: TestOperator;
  beforeAll(async () => {
    sandbox = await startTestOperator({ hasChains: true });
  });
  afterAll(() => sandbox.close());
  const tokenFor = async (headers: Record<string, string>): Promise<unknown> => {
    const { status, text } = await askWith(sandbox.port, path, headers);
    return status === 200 ? JSON.parse(text).token : status;
  };

  test('is given to a page of this machine that asks from this machine', async () => {
    for (const host of ['localhost:8081', '127.0.0.1', '[::1]:8081'])
      expect(await tokenFor({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(rootToken);
    expect((await sandbox.ask('GET', path, undefined, { token: null })).headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port, by its site', { 'sec-fetch-site': 'same-site' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an address of the network', { host: '192.168.1.7:8081' }],
    ['any address', { host: '0.0.0.0:8081' }],
    ['a name of the settings', { host: 'ops.example' }],
    ['a client behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['a client behind a proxy of this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['a client behind a proxy that speaks RFC 7239', { forwarded: 'for=203.0.113.9' }],
  ])('is not given to %s', async (_, headers) => {
    expect(await tokenFor(headers)).toBeNull();
  });

  test('is not there by a foreign name, and not in production', async () => {
    expect(await tokenFor({ host: 'rebound.example' })).toBe(421);
    expect((await operator.ask('GET', path, undefined, { token: null })).status).toBe(404);
  });
});
