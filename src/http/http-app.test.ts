import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { BanView } from '#model/ban.ts';
import { ApiError } from '#http/errors.ts';
import { AnswerCounts } from '#http/answer-counts.ts';
import { chargeAddress } from '#http/charge-address.ts';
import { createHttpApp, httpServerOf } from '#http/http-app.ts';
import type { HttpSettings } from '#http/http-settings.ts';
import { RateLimits } from '#http/rate-limits.ts';
import { metricsCost } from '#http/shared-page.ts';
import type { RequestContext } from '#http/request-context.ts';

/* An application as another floor builds it: its own routes and its own authorisation, everything else from here. */

const settings: HttpSettings = {
  trustedProxies: ['127.0.0.1'],
  deniedAddresses: ['203.0.113.9'],
  rateLimits: true,
  connectionsMax: 100,
  connectionsPerAddressMax: 100,
  banAfter: 3,
  banFirstSeconds: 120,
  banMostSeconds: 3600,
  banMemoryHours: 1,
  banLoopback: false,
  faultsPerWindow: 10,
};

const clock = { time: 1000, now: () => clock.time };
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

interface RunningApp {
  readonly port: number;
  readonly limits: RateLimits;
  readonly stored: BanView[];
  readonly logged: string[];
  readonly counts: AnswerCounts;
}

async function startApp(shared?: RateLimits): Promise<RunningApp> {
  const stored: BanView[] = [];
  const logged: string[] = [];
  const note = (fields: object, text: string): void => void logged.push(`${text} ${JSON.stringify(fields)}`);
  const log = { debug: note, info: note, warn: note, error: note };
  const storeBan = async (ban: BanView): Promise<void> => void stored.push(ban);
  const limits = shared ?? new RateLimits({ settings, monotonic: clock, wall: clock, log, storeBan });
  const counts = new AnswerCounts();
  const app = createHttpApp({ limits, log, counts, skipsAddressCheck: (path) => path === '/healthz' });
  app.addHook('onRequest', async (request) => {
    const { url, headers, requestContext } = request;
    if (url === '/healthz') return;
    const cost = { budget: limits.addressBudget, key: 'app ', cost: 100, own: null };
    chargeAddress(requestContext as RequestContext, limits, cost);
    if (headers.authorization !== 'Bearer right') throw new ApiError('accessDenied');
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/metrics', { config: { cost: metricsCost } }, () => ({}));
  app.get('/broken', () => {
    throw new Error('a secret of the server');
  });
  app.post('/echo', ({ body }) => ({ body }));
  const server = httpServerOf(app);
  const port = await server.listen('127.0.0.1', 0);
  closings.push(server.close);
  return { port, limits, stored, logged, counts };
}

let addresses = 0;
const someAddress = (): string => `198.51.100.${(addresses += 1)}`;

async function ask(
  running: RunningApp,
  path: string,
  options: { body?: string; type?: string; from?: string; token?: string },
) {
  const { body, type = 'application/json', from = someAddress(), token = 'right' } = options;
  const response = await fetch(`http://127.0.0.1:${running.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'X-Forwarded-For': from,
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as { code?: number } };
}

test('routes answer as the application says, with the security headers of every answer', async () => {
  const running = await startApp();
  const reply = await ask(running, '/echo', { body: '{"a":1}' });
  expect([reply.status, reply.body]).toEqual([200, { body: { a: 1 } }]);
  for (const { headers } of [reply, await ask(running, '/none', {})]) {
    expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
  }
});

test('DEC-CLU-22: pages about the process are charged to a budget that nodes of a cluster do not share', async () => {
  const running = await startApp();
  const pending = running.limits.addressBudget.share();
  expect((await ask(running, '/metrics', { from: '198.51.100.200' })).status).toBe(200);
  const told = pending.at(clock.time).map(({ key }) => key);
  expect(told).toEqual(['app 198.51.100.200']);
  expect(running.limits.healthBudget.spent('metrics 198.51.100.200', clock.time)?.used).toBe(10);
});

test('every failure has the shape of an error of the exchange', async () => {
  const running = await startApp();
  const denied = { code: 403, msg: 'Access denied.' };
  const cases = [
    ['/echo', { token: 'wrong', body: '{}' }, 403],
    ['/none', {}, 404],
    ['/none', { body: 'x', type: 'text/strange' }, 404],
    ['/%zz', {}, 404],
    ['/echo', { body: '{"a":' }, 400],
    ['/echo', { body: 'x', type: 'text/strange' }, 415],
    ['/echo', { body: `"${'x'.repeat(9000)}"` }, 413],
    ['/broken', {}, 500],
  ] as const;
  for (const [path, options, status] of cases) {
    const reply = await ask(running, path, options);
    expect([path, options, reply.status, reply.body.code]).toEqual([path, options, status, status]);
    expect(Object.keys(reply.body)).toEqual(Object.keys(denied));
    expect(reply.headers.get('cache-control')).toBe('no-store');
  }
  expect(running.counts.total).toBe(cases.length);
  expect(running.logged).toHaveLength(1);
  expect(running.logged[0]).toContain('a request failed unexpectedly {"err":{},"route":"/broken"}');
});

test('what the transport does not allow never reaches a route', async () => {
  const { port, counts } = await startApp();
  const statusOf = (head: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (data) => resolve(Number(data.toString().slice(9, 12))));
      socket.on('error', reject);
    });
  expect(await statusOf('GET /healthz\r\n\r\n')).toBe(400);
  expect(await statusOf('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toBe(400);
  expect(await statusOf(`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)).toBe(431);
  expect(await statusOf(`GET /healthz?${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe(414);
  expect(counts.byStatus).toEqual(
    new Map([
      [400, 2],
      [431, 1],
      [414, 1],
    ]),
  );
});

test('DEC-LIM-08: budgets and bans count over all applications that share their limits', async () => {
  const first = await startApp();
  const second = await startApp(first.limits);
  const from = someAddress();
  for (const running of [first, second, first, second, first]) {
    expect((await ask(running, '/broken', { from })).status).toBe(500);
  }
  const waits = await ask(second, '/broken', { from });
  expect([waits.status, waits.headers.get('retry-after')]).toEqual([429, '10']);
  for (const running of [first, second]) expect((await ask(running, '/broken', { from })).status).toBe(429);
  const banned = await ask(first, '/broken', { from });
  expect([banned.status, banned.body.code, banned.headers.get('retry-after')]).toEqual([418, 418, '120']);
  expect(first.stored).toEqual([{ address: from, until: 121_000, times: 1 }]);
  for (const running of [first, second]) {
    expect((await ask(running, '/none', { from })).status).toBe(418);
    expect((await ask(running, '/healthz', { from })).status).toBe(200);
  }
});

test('the firewall denies addresses of its list, and those that send nonsense', async () => {
  const running = await startApp();
  expect((await ask(running, '/none', { from: '203.0.113.9' })).status).toBe(403);
  const from = someAddress();
  for (let fault = 0; fault < 11; fault += 1) expect((await ask(running, '/%zz', { from })).status).toBe(404);
  const shutOut = await ask(running, '/none', { from });
  expect([shutOut.status, shutOut.headers.get('retry-after')]).toEqual([403, '10']);
});
