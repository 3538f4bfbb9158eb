import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

const deals = 'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT';
const mebibyte = 1024 * 1024;

let harness: StreamHarness;
beforeEach(async () => {
  harness = await startStreamHarness();
});
afterEach(() => harness.close());

/** A client that writes bytes as it likes. */
async function rawClient(query = ''): Promise<Socket> {
  const socket = connect(harness.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `GET /ws${query} HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(String(head)).toContain('101 Switching Protocols');
  expect(String(head)).not.toContain('permessage-deflate');
  return socket;
}

/** A client's frame: masked with zeros unless asked otherwise. */
function frame(
  opcode: number,
  payload: Buffer,
  options: { final?: boolean; masked?: boolean; rsv?: number } = {},
): Buffer {
  const { final = true, masked = true, rsv = 0 } = options;
  const first = (final ? 0x80 : 0) | rsv | opcode;
  const mask = masked ? 0x80 : 0;
  const head = payload.length < 126 ? Buffer.of(first, mask | payload.length) : Buffer.alloc(10);
  if (payload.length >= 126) {
    head[0] = first;
    head[1] = mask | 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

/** The close code that the server answers with, or null when it just hangs up. */
async function closeCode(socket: Socket): Promise<number | null> {
  let heard = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    heard = Buffer.concat([heard, data]);
  });
  socket.once('end', () => socket.destroy());
  await until('the server hangs up', () => socket.destroyed || heard.includes(0x88));
  const at = heard.indexOf(0x88);
  return at < 0 ? null : heard.readUInt16BE(at + 2);
}

const attacks: readonly (readonly [string, () => Buffer, number])[] = [
  ['a frame of 1 MiB', () => frame(1, Buffer.alloc(mebibyte, 0x20)), 1009],
  ['a message of 4,097 bytes', () => frame(1, Buffer.alloc(4097, 0x20)), 1009],
  [
    'a head that announces 2^40 bytes',
    () => {
      const head = Buffer.alloc(14);
      head[0] = 0x81;
      head[1] = 0xff;
      head.writeBigUInt64BE(2n ** 40n, 2);
      return head;
    },
    1009,
  ],
  [
    '100,000 fragments',
    () => {
      const first = frame(1, Buffer.from(' '), { final: false });
      const more = frame(0, Buffer.from(' '), { final: false });
      return Buffer.concat([first, ...Array.from({ length: 100_000 }, () => more)]);
    },
    1008,
  ],
  ['an unmasked frame', () => frame(1, Buffer.from('{"method":"PING"}'), { masked: false }), 1002],
  ['a compressed frame that was not agreed on', () => frame(1, Buffer.alloc(20), { rsv: 0x40 }), 1002],
  ['a reserved opcode', () => frame(3, Buffer.alloc(1)), 1002],
  ['a ping of 126 bytes', () => frame(9, Buffer.alloc(126)), 1002],
  ['bad UTF-8', () => frame(1, Buffer.of(0xff, 0xfe, 0xc0)), 1007],
];

test.each(attacks)('DEC-STR-16, G20: %s ends the connection that sent it and no other', async (_name, bytes, code) => {
  const bystander = await harness.connect();
  const attacker = await rawClient();
  attacker.write(bytes());
  expect(await closeCode(attacker)).toBe(code);
  attacker.destroy();
  expect((await bystander.ask('PING')).msg).toBe('PONG');
  await until('the attacker is gone', () => harness.streams.counts().connections === 1);
});

test('SPEC-STR-09, G16: 100 messages in a second are answered, the 101st disconnects; doing it again bans', async () => {
  const client = await harness.connect();
  for (let message = 1; message <= 100; message += 1) client.send({ method: 'PING', id: message });
  expect((await client.reply(100)).msg).toBe('PONG');
  harness.timers.time += 1000;
  for (let message = 101; message <= 200; message += 1) client.send({ method: 'PING', id: message });
  await client.reply(200);
  client.send({ method: 'PING', id: 201 });
  expect(await client.closed()).toEqual({ code: 1008, reason: 'too many messages' });
  expect(harness.banned).toEqual([]);
  const again = await harness.connect();
  for (let message = 1; message <= 101; message += 1) again.send({ method: 'PING', id: message });
  await again.closed();
  expect(harness.banned).toEqual(['127.0.0.1']);
});

test('DEC-STR-17, G20: 30 pings in a millisecond are answered, a flood of them disconnects', async () => {
  const client = await harness.connect();
  let pongs = 0;
  client.socket.on('pong', () => {
    pongs += 1;
  });
  for (let ping = 0; ping < 30; ping += 1) client.socket.ping();
  await until('30 pongs', () => pongs === 30);
  for (let ping = 0; ping < 100; ping += 1) client.socket.ping();
  expect(await client.closed()).toMatchObject({ code: 1008 });
});

test('G22: an origin that is not on the list is refused, where there is a list', async () => {
  const strict = await startStreamHarness({ settings: { allowedOrigins: ['https://desk.example'] } });
  const status = (origin: string | null) =>
    new Promise<string>((resolve) => {
      const socket = connect(strict.port, '127.0.0.1');
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          (origin === null ? '' : `Origin: ${origin}\r\n`) +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      socket.once('data', (data) => {
        resolve(String(data).slice(9, 12));
        socket.destroy();
      });
    });
  expect(await status('https://evil.example')).toBe('403');
  expect(await status('https://desk.example')).toBe('101');
  expect(await status(null)).toBe('101');
  await strict.close();
});

test('a handshake that is none leaves nothing behind', async () => {
  for (const lines of [
    'Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    'Sec-WebSocket-Version: 13\r\n',
  ]) {
    const socket = connect(harness.port, '127.0.0.1');
    socket.write(`GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${lines}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 4\d\d /);
    socket.destroy();
  }
  await until('no place is taken', () => harness.streams.counts().addresses === 0);
});

test('caps: one address, then all of them; lifted without rate limits', async () => {
  const capped = await startStreamHarness({ settings: { connectionsMax: 3, connectionsPerAddressMax: 2 } });
  await capped.connect();
  await capped.connect();
  await expect(capped.connect()).rejects.toThrow('429');
  await capped.close();
  const open = await startStreamHarness({
    settings: { connectionsMax: 1, connectionsPerAddressMax: 1, rateLimits: false },
  });
  for (let count = 0; count < 5; count += 1) await open.connect();
  expect(open.streams.counts().connections).toBe(5);
  await open.close();
});

test('a reader that falls behind is cut off before 1 MiB waits for it, and costs the others nothing', async () => {
  const channels = ['BTCUSDT', 'TKNUSDT'].flatMap((symbol) =>
    ['5', '10', '20'].map((levels) => `spot@public.limit.depth.v3.api.pb@${symbol}@${levels}`),
  );
  const good = await harness.connect('?encoding=json');
  await good.subscribe(...channels);
  const slow = await StreamClient.open(`${harness.url}?encoding=json`);
  await slow.subscribe(...channels);
  slow.socket.pause();
  let most = 0;
  for (let step = 0; step < 20_000 && harness.counted.slow === 0; step += 1) {
    await harness.order(people.alice, { side: 'sell', price: as(10_000 + (step % 25)), quantity: as(1 + step) });
    harness.timers.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, ...waitingBytes(harness));
    if (step % 400 === 399)
      await harness.exchange.submit({ kind: 'cancelOrders', account: people.alice, symbols: [as(0)] });
  }
  expect(harness.counted.slow).toBe(1);
  expect(most).toBeLessThanOrEqual(mebibyte);
  expect(good.closing).toBeNull();
  const before = good.pushes.length;
  expect(before).toBeGreaterThan(1000);
  expect(harness.streams.counts().connections).toBeGreaterThanOrEqual(1);
  slow.socket.resume();
  expect(await slow.closed()).toEqual({ code: 1013, reason: 'reader is too slow' });
}, 60_000);

/** What every socket of the server holds back. */
function waitingBytes({ sockets }: StreamHarness): number[] {
  return [...sockets].map((socket) => socket.writableLength);
}

test('a subscription survives a storm of nonsense before it', async () => {
  const client = await harness.connect();
  for (const text of ['', '{', '"', '{"method":1}', '{"method":"SUBSCRIPTION","params":{}}', '{"__proto__":1}', '[[]]'])
    client.send(text);
  expect((await client.subscribe(deals)).msg).toBe(deals);
  expect(client.replies.slice(0, -1).every(({ code }) => code === 1)).toBe(true);
});
