import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

/** Asks with a `Host` of one's choice, and the root token. */
function ask(path: string, host: string, method = 'GET'): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${rootToken}` };
    const sent = httpRequest({ host: '127.0.0.1', port: operator.port, path, method, headers }, (response) => {
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
