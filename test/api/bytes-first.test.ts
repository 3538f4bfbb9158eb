import net from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys, now, type Reply, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeEach(async () => {
  gate = await startTestGateway();
});
afterEach(() => gate.close());

const order = `"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.5","price":"30000","timestamp":${now}`;
const wrongSignature = '0'.repeat(64);

/** Sends a body to an endpoint, signed rightly unless a signature is given. */
function post(body: string, options: { path?: string; signature?: string; type?: string } = {}): Promise<Reply> {
  const { path = '/api/v3/order', signature = sign(body), type = 'application/json' } = options;
  const headers = { 'X-SVC-APIKEY': keys.alice, 'Content-Type': type };
  return gate.send('POST', `${path}?signature=${signature}`, { headers, body });
}

const padded = (bytes: number, rest = order): string => {
  const start = `{${rest},"note":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
};
const crowded = (members: number): string =>
  `{${order},${Array.from({ length: members - 6 }, (_, at) => `"m${at}":"\\u0041"`).join(',')}}`;
const batchOf = (orders: number, rest = ''): string => {
  const one = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.5","price":"30000"}';
  return `{"batchOrders":[${Array.from({ length: orders }, () => one).join(',')}],"timestamp":${now}${rest}}`;
};
const usedWeight = (reply: Reply): number => Number(reply.headers.get('x-svc-used-weight'));

test('DEC-REQ-40: a body of 8 KiB is read, a byte more is 413 and changes nothing', async () => {
  expect((await post(padded(8192))).status).toBe(200);
  const before = gate.digest();
  expectCode(await post(padded(8193)), 413, 413);
  expect(gate.digest()).toBe(before);
});

test('DEC-REQ-40: 64 members are read, 65 are 413, as JSON and as a form', async () => {
  expect((await post(crowded(64))).status).toBe(200);
  expectCode(await post(crowded(65)), 413, 413);
  const form = (pairs: number): string =>
    `symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.5&price=30000&timestamp=${now}` +
    Array.from({ length: pairs - 6 }, (_, at) => `&m${at}=${at}`).join('');
  const type = 'application/x-www-form-urlencoded';
  expect((await post(form(64), { type })).status).toBe(200);
  expectCode(await post(form(65), { type }), 413, 413);
});

test('DEC-REQ-40: a batch may have 32 KiB and 20 orders, and no other endpoint may', async () => {
  const path = '/api/v3/batchOrders';
  expect((await post(batchOf(20), { path })).body).toHaveLength(20);
  gate.monotonic.time += 1000;
  const filler = `,"note":"${'x'.repeat(20_000)}"`;
  expect((await post(batchOf(20, filler), { path })).status).toBe(200);
  gate.monotonic.time += 1000;
  expectCode(await post(batchOf(21), { path }), 413, 413);
  expectCode(await post(batchOf(20, filler + filler), { path }), 413, 413);
  expectCode(await post(batchOf(20, filler)), 413, 413);
});

test('the order of checks stays: an unknown key is told first, the signature last', async () => {
  const headers = { 'X-SVC-APIKEY': 'mx0nobodyNNNNNNNN', 'Content-Type': 'application/json' };
  const body = padded(9000);
  expectCode(await gate.send('POST', '/api/v3/order?signature=x', { headers, body }), 10072);
  expectCode(await post(crowded(65), { signature: wrongSignature }), 413, 413);
  expectCode(await post(crowded(64), { signature: wrongSignature }), 700002);
});

test('DEC-REQ-41: a refused request costs its address one weight more for each started KiB beyond the first', async () => {
  const address = `/api/v3/order?signature=${wrongSignature}`.length - 1;
  const refused = async (bytes: number): Promise<number> => {
    gate.monotonic.time += 10_000;
    const reply = await post(padded(bytes - address), { signature: wrongSignature });
    expectCode(reply, 700002);
    return usedWeight(reply);
  };
  expect(await refused(1024)).toBe(1);
  expect(await refused(1025)).toBe(2);
  expect(await refused(2048)).toBe(2);
  expect(await refused(8192)).toBe(8);
  gate.monotonic.time += 10_000;
  const malformed = await post(padded(3000), { signature: 'short' });
  expectCode(malformed, 602);
  expect(usedWeight(malformed)).toBe(3);
});

test('DEC-REQ-41: what is accepted costs its weight only, and the address of a request counts like its body', async () => {
  const accepted = await post(padded(8000));
  expect([accepted.status, usedWeight(accepted)]).toEqual([200, 1]);
  const long = await gate.send('GET', `/api/v3/depth?symbol=NONE&pad=${'x'.repeat(5000)}`);
  expect(long.status).toBe(400);
  expect(usedWeight(long)).toBe(1 + 4);
});

test('DEC-REQ-41: bytes that were only announced count, and never more than the whole budget', async () => {
  const reply = await post(padded(200_000), { signature: wrongSignature });
  expectCode(reply, 413, 413);
  expect(usedWeight(reply)).toBe(
    1 + Math.ceil((200_000 + `/api/v3/order?signature=${wrongSignature}`.length - 1) / 1024) - 1,
  );
  const large = await post(padded(4_000_000), { signature: wrongSignature }).catch(() => null);
  if (large !== null) expect(usedWeight(large)).toBe(500);
  const next = await post(`{${order}}`);
  expectCode(next, 429, 429);
  expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0);
  gate.monotonic.time += 10_000;
  expect((await post(`{${order}}`)).status).toBe(200);
});

test('a body beyond the bound is not read: whoever goes on sending is hung up on', async () => {
  const socket = net.connect(gate.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  socket.write(
    `POST /api/v3/order HTTP/1.1\r\nHost: x\r\nX-SVC-APIKEY: ${keys.alice}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `1000\r\n${'a'.repeat(0x1000)}\r\n`;
  let sent = 0;
  while (!socket.destroyed && sent < 2000) {
    socket.write(chunk);
    sent += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  expect(sent).toBeLessThan(2000);
  if (heard !== '') expect(heard).toMatch(/^HTTP\/1\.1 413 /);
});
