import net from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { IngressLost, IngressRefused, OrderEntryStopped } from '#sequencer/command-ingress.ts';
import { expectCode } from './answer-shape.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
afterEach(() => gate.close());

const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' };
const place = () => gate.signed('POST', '/api/v3/order', limit);
const patience = { timeout: 20_000 };

/** A gateway whose exchange fails in one way while `failing` is set. */
async function startFailing(change: (context: GatewayContext) => Partial<GatewayContext>): Promise<void> {
  gate = await startTestGateway({
    settings: { rateLimits: false },
    context: (context) => ({ ...context, ...change(context) }),
  });
}
const submitThat = (fail: () => Promise<never>) => (context: GatewayContext) => ({
  ingress: { submit: fail, post: context.ingress.post.bind(context.ingress) },
});

describe('when the exchange cannot take or answer a command', () => {
  test('a refused hand-over is 503: nothing happened', async () => {
    await startFailing(submitThat(() => Promise.reject(new IngressRefused('full'))));
    expectCode(await place(), 503, 503);
  });

  test('order entry that waits for an operator is 503 and says so', async () => {
    const why = 'order entry is stopped until an operator confirms the clock';
    await startFailing(submitThat(() => Promise.reject(new OrderEntryStopped(why))));
    const answer = await place();
    expectCode(answer, 503, 503);
    expect(answer.body).toEqual({ code: 503, msg: `Service not available, retry: ${why}.` });
  });

  test('SPEC-CNV-17: a lost answer is 504: the outcome is unknown', async () => {
    await startFailing(submitThat(() => Promise.reject(new IngressLost('gone'))));
    expectCode(await place(), 504, 504);
  });

  test('DEC-LIM-11, B16: a request that waited too long before hand-over is 503 and changes nothing', async () => {
    await startFailing((context) => ({
      queries: {
        ...context.queries,
        account: async (account) => {
          gate.monotonic.time += 6000;
          return context.queries.account(account);
        },
      },
    }));
    const before = gate.digest();
    expectCode(await place(), 503, 503);
    expect(gate.digest()).toBe(before);
  });

  test('history that cannot answer is 503, and what needs no history goes on', async () => {
    await startFailing(() => ({ awaitHistory: () => Promise.reject(new HistoryUnavailable('disk')) }));
    expectCode(await gate.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }), 503, 503);
    expectCode(await gate.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' }), 503, 503);
    const placed = await place();
    expect(
      (await gate.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: placed.body.orderId })).status,
    ).toBe(200);
  });

  test('G23: what nobody expected is 500, logged with its stack, answered without', async () => {
    await startFailing(submitThat(() => Promise.reject(new TypeError('secret detail'))));
    const reply = await place();
    expectCode(reply, 500, 500);
    expect(reply.text).not.toContain('secret detail');
    expect(gate.logged.join()).toContain('secret detail');
  });
});

test('DEC-LIM-11: an account has at most 64 requests in the works, and gets its places back', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHolding = true;
  gate = await startTestGateway({
    context: (context) => ({
      ...context,
      queries: {
        ...context.queries,
        openOrders: async (account, symbol) => {
          if (isHolding) await held;
          return context.queries.openOrders(account, symbol);
        },
      },
    }),
  });
  const ask = () => gate.signed('GET', '/api/v3/openOrders');
  const first = Array.from({ length: 64 }, ask);
  await expect.poll(() => gate.gateway.endpointLimits.inFlight.countOf(gate.accounts.alice), patience).toBe(64);
  expectCode(await ask(), 429, 429);
  isHolding = false;
  release();
  for (const reply of await Promise.all(first)) expect(reply.status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect(gate.gateway.endpointLimits.inFlight.accounts).toBe(0);
});

describe('sockets', () => {
  const connect = (port: number): Promise<{ readonly socket: net.Socket; readonly isOpen: () => boolean }> =>
    new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      let isOpen = true;
      socket.on('error', () => {});
      socket.on('close', () => {
        isOpen = false;
      });
      socket.on('connect', () => resolve({ socket, isOpen: () => isOpen }));
    });

  test('DEC-LIM-10, G04: an address has so many connections and no more; closed ones make room', async () => {
    gate = await startTestGateway({ settings: { connectionsPerAddressMax: 3 } });
    const sockets: Awaited<ReturnType<typeof connect>>[] = [];
    for (let index = 0; index < 4; index += 1) sockets.push(await connect(gate.port));
    await expect.poll(() => sockets.map(({ isOpen }) => isOpen()), patience).toEqual([true, true, true, false]);
    for (const { socket } of sockets) socket.destroy();
    await expect
      .poll(async () => {
        const { socket } = await connect(gate.port);
        const isServed = new Promise<boolean>((resolve) => {
          socket.once('data', () => resolve(true));
          socket.once('close', () => resolve(false));
        });
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        return isServed.finally(() => socket.destroy());
      }, patience)
      .toBe(true);
  });

  test('DEC-LIM-10, G03: headers have 10 s, a request 15 s, an idle connection 65 s', async () => {
    gate = await startTestGateway();
    expect(gate.server.headersTimeout).toBe(10_000);
    expect(gate.server.requestTimeout).toBe(15_000);
    expect(gate.server.keepAliveTimeout).toBe(65_000);
  });
});

test('random requests are answered, never with a 500', async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
  const paths = [
    '/api/v3/order',
    '/api/v3/batchOrders',
    '/api/v3/klines',
    '/api/v3/depth',
    '/api/v3/exchangeInfo',
    '/api/v3/myTrades',
  ];
  const token = fc.oneof(
    fc.constantFrom(
      'symbol',
      'BTCUSDT',
      'timestamp',
      '1700000000000',
      'limit',
      '=',
      '&',
      '%',
      '%00',
      '{',
      '}',
      '"',
      ',',
      '[',
      '-1',
      '1e9',
      '\\u',
      '__proto__',
    ),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(token, { maxLength: 20 }).map((tokens) => tokens.join(''));
  const type = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    '',
    'text/plain',
    'application/json;a=b',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.constantFrom('GET', 'POST', 'DELETE'),
      text,
      text,
      type,
      async (path, method, query, body, contentType) => {
        const reply = await gate.send(method, `${path}?${query.replace(/[#\s\u0080-\uffff]/g, '')}`, {
          headers: {
            'X-SVC-APIKEY': 'mx0aliceAAAAAAAAAA',
            ...(contentType === '' ? {} : { 'Content-Type': contentType }),
          },
          ...(method === 'GET' ? {} : { body }),
        });
        expect(reply.status).toBeLessThan(500);
        expect(typeof reply.body.code === 'number' || reply.status === 200).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});
