import { beforeAll, describe, expect, test } from 'vitest';
import { type ChannelId, channels, parseChannel } from '#websocket/channels.ts';
import { pushProto } from '#websocket/documents/push-schema.ts';
import {
  makeStreamExamples,
  type PushExample,
  type StreamExamples,
} from '../../tools/stream-documents/stream-examples.ts';
import { readProto } from './proto-messages.ts';
import { ProtoReader } from './proto-reader.ts';
import { readBinary, readText } from './push-reader.ts';
import { startStreamHarness } from './stream-harness.ts';

let examples: StreamExamples;
beforeAll(async () => {
  examples = await makeStreamExamples();
});

const ids = Object.keys(channels) as ChannelId[];
const messages = readProto(pushProto);
const neverSent = 'Never sent.';

// biome-ignore lint/suspicious/noExplicitAny: pushes are looked at, member by member
const bodyOf = (id: ChannelId, { json }: PushExample): any => JSON.parse(json)[channels[id].body.name];

describe.each(ids)('the examples of %s', (id) => {
  test('DEC-STR-27: are pushes of that channel', () => {
    expect(examples.pushes[id].length).toBeGreaterThan(0);
    for (const example of examples.pushes[id]) {
      expect(parseChannel(JSON.parse(example.json).channel)?.id).toBe(id);
      expect(bodyOf(id, example)).toBeTypeOf('object');
      expect(example.occasion).toMatch(/^[\dA-Z].*\.$/);
    }
  });

  test('DEC-STR-27: have the same content in both encodings', () => {
    for (const { json, protobuf } of examples.pushes[id]) {
      expect(readBinary(protobuf)).toEqual(readText(json));
    }
  });

  test('DEC-STR-03: are read with the schema for download to what JSON says, 64-bit numbers as text', () => {
    const reader = new ProtoReader(pushProto);
    for (const { json, protobuf } of examples.pushes[id]) {
      expect(reader.read('PushDataV3ApiWrapper', protobuf)).toEqual(JSON.parse(json));
    }
  });

  test('are sent as the document prints them', () => {
    for (const { json } of examples.pushes[id]) expect(JSON.stringify(JSON.parse(json))).toBe(json);
  });
});

test('the examples are the same at every call', async () => {
  expect(await makeStreamExamples()).toEqual(examples);
});

const privateBodies: readonly (readonly [ChannelId, string])[] = [
  ['account', 'PrivateAccountV3Api'],
  ['deals', 'PrivateDealsV3Api'],
  ['orders', 'PrivateOrdersV3Api'],
];

test.each(privateBodies)(
  'every field of the channel %s is explained, and shown unless it is never sent',
  (id, name) => {
    const fields = messages.find((message) => message.name === name)?.fields ?? [];
    const shown = new Set(examples.pushes[id].flatMap((example) => Object.keys(bodyOf(id, example))));
    expect(fields.length).toBeGreaterThan(7);
    for (const field of fields) {
      expect([field.name, field.description.length >= neverSent.length]).toEqual([field.name, true]);
      expect([field.name, shown.has(field.name)]).toEqual([field.name, field.description !== neverSent]);
    }
  },
);

test('every field of the outer message is explained, and only bodies of channels are sent', () => {
  const stems = new Map<string, string>(ids.map((id) => [channels[id].body.name, channels[id].stem]));
  for (const { name, rule, description } of messages[0]?.fields ?? []) {
    const stem = stems.get(name);
    if (rule !== 'oneof') expect([name, description.length >= neverSent.length]).toEqual([name, true]);
    else expect([name, description]).toEqual([name, stem === undefined ? neverSent : `Of spot@${stem}.`]);
  }
});

test('SPEC-STR-03: account pushes add up, and their types are explained', () => {
  const balances = new Map<string, { free: number; held: number }>();
  const explained = messages
    .find(({ name }) => name === 'PrivateAccountV3Api')
    ?.fields.find(({ name }) => name === 'type');
  const types = new Set<string>();
  for (const example of examples.pushes.account) {
    const { vcoinName, type, ...amounts } = bodyOf('account', example);
    const after = { free: Number(amounts.balanceAmount), held: Number(amounts.frozenAmount) };
    const before = balances.get(vcoinName);
    if (before !== undefined) {
      expect(before.free + Number(amounts.balanceAmountChange)).toBeCloseTo(after.free, 9);
      expect(before.held + Number(amounts.frozenAmountChange)).toBeCloseTo(after.held, 9);
    }
    balances.set(vcoinName, after);
    types.add(type);
    expect(explained?.description).toMatch(new RegExp(`\\b${type}\\b`));
  }
  expect([...types]).toEqual(['ENTRUST_PLACE', 'ENTRUST', 'ENTRUST_CANCEL', 'TRADE_FEE', 'DEPOSIT']);
});

test('SPEC-STR-06: order pushes tell the life of a limit order and of a market order', () => {
  const bodies = examples.pushes.orders.map((example) => bodyOf('orders', example));
  const limit = { orderType: 1, tradeType: 1, clientId: 'my-order-1', price: '50000', quantity: '0.02' };
  expect(bodies).toMatchObject([
    { ...limit, status: 1, cumulativeQuantity: '0', remainQuantity: '0.02' },
    { ...limit, status: 3, cumulativeQuantity: '0.005', remainQuantity: '0.015', lastDealQuantity: '0.005' },
    { ...limit, status: 5, cumulativeQuantity: '0.005', remainQuantity: '0.015' },
    { orderType: 5, tradeType: 1, amount: '100', status: 1 },
    { orderType: 5, tradeType: 1, amount: '100', status: 2, remainAmount: '0' },
  ]);
  expect(bodies[4].clientId).toBe(bodies[4].id);
});

test('DEC-STR-20: depth pushes follow each other without a gap, and one removes a level', () => {
  const bodies = examples.pushes.aggreDepth.map((example) => bodyOf('aggreDepth', example));
  for (const [index, { fromVersion, toVersion }] of bodies.entries()) {
    expect(Number(toVersion)).toBeGreaterThanOrEqual(Number(fromVersion));
    if (index > 0) expect(Number(fromVersion)).toBe(Number(bodies[index - 1].toVersion) + 1);
  }
  expect(bodies.at(-1)).toMatchObject({ bids: [{ price: '50000', quantity: '0' }] });
});

test('DEC-STR-02: a connection without a listen key gets the replies of the examples', async () => {
  const harness = await startStreamHarness();
  const client = await harness.connect();
  for (const { request, reply } of examples.replies) {
    client.send(request);
    expect(await client.reply(JSON.parse(reply).id)).toEqual(JSON.parse(reply));
  }
  expect(examples.replies.some(({ reply }) => /Not Subscribed successfully! \[.*NOSUCH/.test(reply))).toBe(true);
  expect(harness.counted.subscriptions).toBe(2);
  client.socket.close();
  await harness.close();
});
