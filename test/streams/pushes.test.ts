import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Channel } from '#websocket/channel.ts';
import { channels } from '#websocket/channels.ts';
import { frameOf } from '#websocket/connections/frame.ts';
import { bodies, messages, pushProto } from '#websocket/documents/push-schema.ts';
import { createPush } from '#websocket/pushes/push.ts';
import { createEncoder } from '#websocket/wire/encode.ts';
import { declareMessage, field, fieldsByNumber, optional, repeated } from '#websocket/wire/message.ts';
import { readProto } from './proto-messages.ts';
import { readBinary, readText } from './push-reader.ts';
import { samplePushes } from './push-samples.ts';

interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly size: number;
  readonly body: string;
  readonly head: object;
  readonly content: object;
}

/** Encoded by hand from the field numbers of the schema. DEC-STR-03. */
const vectors: readonly Vector[] = [
  {
    name: 'a deal',
    size: 153,
    hex:
      '0a1c73706f7440707269766174652e6465616c732e76332e6170692e70621a064d585553445430dc8095d4c4329213690a06332e' +
      '363936321201311a06332e3639363220023a1435303539373930313734333930303236323458314a1a4330325f5f353035393739' +
      '3031373433393030323632343131355215302e303030333939383337373336393639383137315a024d5860a88095d4c432',
    body: 'privateDeals',
    head: {
      channel: 'spot@private.deals.v3.api.pb',
      symbol: 'MXUSDT',
      sendTime: 1736417034332,
    },
    content: {
      price: '3.6962',
      quantity: '1',
      amount: '3.6962',
      tradeType: 2,
      tradeId: '505979017439002624X1',
      orderId: 'C02__505979017439002624115',
      feeAmount: '0.0003998377369698171',
      feeCurrency: 'MX',
      time: 1736417034280,
    },
  },
  {
    name: 'a change of a balance',
    size: 144,
    hex:
      '0a1e73706f7440707269766174652e6163636f756e742e76332e6170692e706228c18095d4c43230c38095d4c4329a135f0a0455' +
      '534454122031323866353839323731636234393531623033653731653633323365623762651a1132312e39343231303335363030' +
      '34333834220231302a01303201303a11434f4e54524143545f5452414e5346455240b0b58dd4c432',
    body: 'privateAccount',
    head: {
      channel: 'spot@private.account.v3.api.pb',
      createTime: 1736417034305,
      sendTime: 1736417034307,
    },
    content: {
      vcoinName: 'USDT',
      coinId: '128f589271cb4951b03e71e6323eb7be',
      balanceAmount: '21.94210356004384',
      balanceAmountChange: '10',
      frozenAmount: '0',
      frozenAmountChange: '0',
      type: 'CONTRACT_TRANSFER',
      time: 1736416910000,
    },
  },
  {
    name: 'best prices',
    size: 112,
    hex:
      '0a3473706f74407075626c69632e61676772652e626f6f6b5469636b65722e76332e6170692e7062403130306d73404254435553' +
      '44541a07425443555344543091b0e7d1c432da13270a0839333338372e32381207332e37333438351a0839333338372e32392208' +
      '372e363639383735',
    body: 'publicAggreBookTicker',
    head: {
      channel: 'spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT',
      symbol: 'BTCUSDT',
      sendTime: 1736412092433,
    },
    content: { bidPrice: '93387.28', bidQuantity: '3.73485', askPrice: '93387.29', askQuantity: '7.669875' },
  },
];

const everyChannel: readonly Channel[] = Object.values(channels);
const bodyOf = (name: string) => everyChannel.find(({ body }) => body.name === name)!.body;
/** Times are big integers where they are read, numbers where they are written. */
const withBigTimes = (content: object): object =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      typeof value === 'number' && value > 1e9 ? BigInt(value) : value,
    ]),
  );

test.each(vectors)('DEC-STR-03: $name is written and read as the wire vector, byte for byte', (vector) => {
  const bytes = Buffer.from(vector.hex, 'hex');
  const { encoder, name } = bodyOf(vector.body);
  expect(bytes).toHaveLength(vector.size);
  expect(Buffer.from(encoder.protobuf({ ...vector.head, [name]: vector.content })).toString('hex')).toBe(vector.hex);
  const { body, ...head } = readBinary(bytes);
  expect(head).toMatchObject(withBigTimes(vector.head));
  expect(body).toMatchObject({ case: name, value: withBigTimes(vector.content) });
});

const goldenBytes: Record<string, { protobuf: string; json: string }> = JSON.parse(
  readFileSync(new URL('../golden/push-bytes.json', import.meta.url), 'utf8'),
);
const summary = (bytes: Buffer): string =>
  `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;

test.each([...samplePushes()])('DEC-STR-03: a push of $name has the bytes that a library writes', ({ name, push }) => {
  const protobuf = push.payload('protobuf');
  const json = push.payload('json');
  expect(readBinary(protobuf)).toEqual(readText(json.toString()));
  if (goldenBytes[name] === undefined) return;
  expect(
    protobuf.length > 2000
      ? { protobuf: summary(protobuf), json: summary(json) }
      : { protobuf: protobuf.toString('hex'), json: json.toString() },
  ).toEqual(goldenBytes[name]);
});

test('nothing that a library wrote is no longer compared', () => {
  expect([...samplePushes()].map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(goldenBytes)));
  expect(Object.keys(goldenBytes)).toHaveLength(33);
});

const dealsOfOne = { channel: 'spot@private.deals.v3.api.pb', symbol: 'BTCUSDT', createTime: 1, sendTime: 2 };
const push = () =>
  createPush(dealsOfOne, channels.deals.body, {
    price: '1',
    quantity: '',
    amount: '',
    tradeType: 0,
    isMaker: false,
    isSelfTrade: false,
    tradeId: '',
    clientOrderId: '',
    orderId: '',
    feeAmount: '',
    feeCurrency: '',
    time: 0,
  });

test('a push is framed once, however many receive it', () => {
  const one = push();
  expect(one.frame('protobuf')).toBe(one.frame('protobuf'));
  expect(one.frame('json')).toBe(one.frame('json'));
});

test('DEC-STR-07: JSON has the same members and shows default values, protobuf leaves them out', () => {
  const json = JSON.parse(push().frame('json').subarray(4).toString()) as Record<string, unknown>;
  expect(json).toMatchObject({
    channel: 'spot@private.deals.v3.api.pb',
    symbol: 'BTCUSDT',
    createTime: '1',
    sendTime: '2',
    privateDeals: { price: '1', quantity: '', isMaker: false, tradeType: 0 },
  });
  const payload = push().frame('protobuf').subarray(2);
  expect(readBinary(payload).body.value).toMatchObject({ price: '1', isMaker: false });
  expect(payload.toString('hex')).toMatch(/9213030a0131$/);
});

test('a number that is not whole, negative or too great is refused, and the next push is whole', () => {
  const encoder = createEncoder(declareMessage('One', '', { before: field(1, 'string'), at: field(2, 'int64') }));
  for (const at of [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => encoder.protobuf({ before: 'a', at })).toThrow(RangeError);
  }
  expect(Buffer.from(encoder.protobuf({ before: 'a', at: 300 })).toString('hex')).toBe('0a016110ac02');
});

test('an optional field without text is there, an absent one is not', () => {
  const inner = declareMessage('Inner', '', { price: field(1, 'string') });
  const encoder = createEncoder(
    declareMessage('Outer', '', { list: repeated(3, inner), name: optional(1, 'string'), other: optional(2, 'int32') }),
  );
  expect(Buffer.from(encoder.protobuf({ name: '', list: [{ price: '' }] })).toString('hex')).toBe('0a001a00');
  expect(encoder.json({ name: '', list: [{ price: '' }] })).toBe('{"name":"","list":[{"price":""}]}');
  expect(encoder.json({ list: [] })).toBe('{"list":[]}');
});

test('a number is given to one field of a message only', () => {
  expect(() => declareMessage('Twice', '', { one: field(1, 'string'), other: field(1, 'int32') })).toThrow(/Twice/);
});

test('the schema for download has every declared message and field, and each message once', () => {
  const served = readProto(pushProto);
  const [wrapper, ...rest] = served;
  expect(wrapper?.fields.filter(({ rule }) => rule === 'oneof')).toEqual(
    bodies.map(({ name, number, message, description }) => ({
      name,
      number,
      description,
      type: message.name,
      rule: 'oneof',
    })),
  );
  expect(rest).toEqual(
    messages.map((message) => ({
      name: message.name,
      description: message.description,
      fields: fieldsByNumber(message).map((each) => ({
        ...each,
        type: typeof each.type === 'string' ? each.type : each.type.name,
      })),
    })),
  );
  expect(new Set(rest.map(({ name }) => name)).size).toBe(rest.length);
  expect(new Set(bodies.map(({ number }) => number)).size).toBe(bodies.length);
  expect(pushProto).toContain('package bourse.push;');
});

test('the reader finds every message and field of the schema', () => {
  const messages = readProto(pushProto);
  const count = (pattern: RegExp): number => pushProto.match(pattern)?.length ?? 0;
  expect(messages).toHaveLength(count(/^message /gm));
  expect(messages.flatMap(({ fields }) => fields)).toHaveLength(count(/ = \d+;$/gm));
  expect(messages[0]?.fields.filter(({ rule }) => rule === 'oneof')).toHaveLength(count(/^ {4}\w+ \w+ = \d+;$/gm));
  expect(messages[0]?.fields[1]).toMatchObject({ name: 'symbol', number: 3, rule: 'optional', type: 'string' });
});

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])('a frame of %i bytes says its length', (length) => {
  const frame = frameOf('binary', Buffer.alloc(length, 7));
  expect(frame[0]).toBe(0x82);
  const short = frame[1] as number;
  const stated = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  expect(stated).toBe(length);
  expect(frame).toHaveLength(length + (length < 126 ? 2 : length < 65_536 ? 4 : 10));
  expect(frame.subarray(frame.length - length).every((byte) => byte === 7)).toBe(true);
});
