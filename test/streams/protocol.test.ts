import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StreamClient } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

let harness: StreamHarness;
let client: StreamClient;
beforeAll(async () => {
  harness = await startStreamHarness();
  client = await harness.connect();
});
afterAll(() => harness.close());

const deals = 'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT';
const depth = 'spot@public.aggre.depth.v3.api.pb@100ms@BTCUSDT';
const orders = 'spot@private.orders.v3.api.pb';
const refusal = (...names: string[]) => `Not Subscribed successfully! [${names.join(',')}].  Reason： Blocked! `;

/** What is sent, and every member of the reply. */
const table: readonly (readonly [string, unknown, { id: number; code: number; msg: string }])[] = [
  ['one channel', { method: 'SUBSCRIPTION', params: [deals], id: 7 }, { id: 7, code: 0, msg: deals }],
  ['the same again', { method: 'SUBSCRIPTION', params: [deals], id: 8 }, { id: 8, code: 0, msg: deals }],
  ['no id', { method: 'SUBSCRIPTION', params: [deals] }, { id: 0, code: 0, msg: deals }],
  ['null as id', { method: 'PING', id: null }, { id: 0, code: 0, msg: 'PONG' }],
  [
    'two channels',
    { method: 'subscription', params: [deals, depth], id: 1 },
    { id: 1, code: 0, msg: `${deals},${depth}` },
  ],
  ['lower-case ping', { method: 'ping', id: 2 }, { id: 2, code: 0, msg: 'PONG' }],
  ['unsubscription', { method: 'UNSUBSCRIPTION', params: [depth], id: 3 }, { id: 3, code: 0, msg: depth }],
  ['unsubscription of nothing', { method: 'unsubscription', params: [depth], id: 4 }, { id: 4, code: 0, msg: depth }],
  [
    'unknown channel',
    { method: 'SUBSCRIPTION', params: ['spot@nothing'], id: 5 },
    { id: 5, code: 0, msg: refusal('spot@nothing') },
  ],
  [
    'lower-case symbol',
    { method: 'SUBSCRIPTION', params: [deals.replace('BTCUSDT', 'btcusdt')] },
    { id: 0, code: 0, msg: refusal(deals.replace('BTCUSDT', 'btcusdt')) },
  ],
  [
    'unlisted symbol',
    { method: 'SUBSCRIPTION', params: [deals.replace('BTCUSDT', 'ABCDEF')] },
    { id: 0, code: 0, msg: refusal(deals.replace('BTCUSDT', 'ABCDEF')) },
  ],
  [
    'old channel name',
    { method: 'SUBSCRIPTION', params: ['spot@public.deals.v3.api@BTCUSDT'] },
    { id: 0, code: 0, msg: refusal('spot@public.deals.v3.api@BTCUSDT') },
  ],
  [
    'unknown interval',
    { method: 'SUBSCRIPTION', params: ['spot@public.kline.v3.api.pb@BTCUSDT@Min3'] },
    { id: 0, code: 0, msg: refusal('spot@public.kline.v3.api.pb@BTCUSDT@Min3') },
  ],
  [
    'private without a key',
    { method: 'SUBSCRIPTION', params: [orders, deals], id: 6 },
    { id: 6, code: 0, msg: refusal(orders) },
  ],
  ['no JSON', 'hello', { id: 0, code: 1, msg: 'A message must be JSON.' }],
  [
    'a member named twice',
    '{"method":"PING","id":1,"\\u0069d":2}',
    { id: 0, code: 1, msg: 'A message must not name a member twice.' },
  ],
  [
    'a message nested too deep',
    `{"method":"PING","x":${'['.repeat(9)}${']'.repeat(9)}}`,
    { id: 0, code: 1, msg: 'A message must not be nested so deep.' },
  ],
  ['an id with an exponent', '{"method":"PING","id":12e1}', { id: 120, code: 0, msg: 'PONG' }],
  [
    'an id beyond 2^53',
    '{"method":"PING","id":9007199254740993}',
    { id: 0, code: 1, msg: "'id' must be an unsigned integer." },
  ],
  ['an array', '[]', { id: 0, code: 1, msg: 'A message must be a JSON object.' }],
  ['null', 'null', { id: 0, code: 1, msg: 'A message must be a JSON object.' }],
  [
    'unknown method',
    { method: 'LOGIN', id: 9 },
    { id: 9, code: 1, msg: "'method' must be SUBSCRIPTION, UNSUBSCRIPTION or PING." },
  ],
  [
    'mixed-case method',
    { method: 'Ping', id: 9 },
    { id: 9, code: 1, msg: "'method' must be SUBSCRIPTION, UNSUBSCRIPTION or PING." },
  ],
  [
    'no params',
    { method: 'SUBSCRIPTION', id: 10 },
    { id: 10, code: 1, msg: "'params' must be an array of 1 to 100 channel names." },
  ],
  [
    'empty params',
    { method: 'SUBSCRIPTION', params: [], id: 10 },
    { id: 10, code: 1, msg: "'params' must be an array of 1 to 100 channel names." },
  ],
  [
    'params of numbers',
    { method: 'SUBSCRIPTION', params: [1], id: 10 },
    { id: 10, code: 1, msg: "'params' must be an array of 1 to 100 channel names." },
  ],
  ['a word as id', { method: 'PING', id: 'a' }, { id: 0, code: 1, msg: "'id' must be an unsigned integer." }],
  ['a negative id', { method: 'PING', id: -1 }, { id: 0, code: 1, msg: "'id' must be an unsigned integer." }],
];

test.each(table)('DEC-STR-02, DEC-STR-15: the reply to %s is as decided', async (_name, message, reply) => {
  const before = client.replies.length;
  client.send(message);
  while (client.replies.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(client.replies[before]).toEqual(reply);
  harness.timers.time += 1000;
});

describe('DEC-STR-12: a request in a binary frame', () => {
  const answerTo = async (bytes: Buffer) => {
    const before = client.replies.length;
    client.socket.send(bytes, { binary: true });
    while (client.replies.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    return client.replies[before];
  };

  test('is answered as in a text frame, in text', async () => {
    const channel = 'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT';
    for (const method of ['SUBSCRIPTION', 'UNSUBSCRIPTION']) {
      const request = Buffer.from(JSON.stringify({ method, params: [channel], id: 7 }));
      expect(await answerTo(request)).toEqual({ id: 7, code: 0, msg: channel });
    }
    expect(await answerTo(Buffer.from('{"method":"PING","id":8}'))).toEqual({ id: 8, code: 0, msg: 'PONG' });
  });

  test('that is no JSON is malformed, not fatal', async () => {
    for (const bytes of [Buffer.from([0xff, 0x00, 0x80]), Buffer.alloc(0), Buffer.from('{"method":')]) {
      expect(await answerTo(bytes)).toEqual({ id: 0, code: 1, msg: 'A message must be JSON.' });
    }
  });
});

test('SPEC-STR-09, DEC-STR-08, G15: a connection has 30 channels; the 31st is refused and the others live', async () => {
  const full = await harness.connect();
  const intervals = ['Min1', 'Min5', 'Min15', 'Min30', 'Min60', 'Hour4', 'Hour8', 'Day1', 'Week1', 'Month1'];
  const names = ['BTCUSDT', 'TKNUSDT'].flatMap((symbol) =>
    intervals.map((interval) => `spot@public.kline.v3.api.pb@${symbol}@${interval}`),
  );
  const more = ['BTCUSDT', 'TKNUSDT'].flatMap((symbol) =>
    ['aggre.deals', 'aggre.depth', 'aggre.bookTicker'].flatMap((kind) =>
      ['10ms', '100ms'].map((speed) => `spot@public.${kind}.v3.api.pb@${speed}@${symbol}`),
    ),
  );
  expect((await full.subscribe(...names)).msg).toBe(names.join(','));
  const reply = await full.subscribe(...more);
  expect(reply.msg).toBe(refusal(...more.slice(10)));
  expect(harness.streams.counts().publicTopics).toBeGreaterThanOrEqual(30);
  await full.ask('UNSUBSCRIPTION', [names[0] as string]);
  expect((await full.subscribe(more[10] as string)).msg).toBe(more[10]);
  await full.leave();
});

test('a private channel is acknowledged with a listen key, before any push', async () => {
  const listener = await harness.listen(people.alice);
  const names = ['spot@private.account.v3.api.pb', 'spot@private.deals.v3.api.pb', orders];
  expect(await listener.subscribe(...names)).toEqual({ id: 1, code: 0, msg: names.join(',') });
  await harness.order(people.alice, { price: 100 as never, quantity: 10 as never });
  await listener.take(2);
  expect(listener.heard[0]).toMatchObject({ msg: names.join(',') });
  await listener.leave();
});
