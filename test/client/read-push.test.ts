import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonPush, readProtobufPush } from '#client/read-push.ts';
import { channels } from '#websocket/channels.ts';
import type { Channel } from '#websocket/channel.ts';
import { headFields } from '#websocket/pushes/push.ts';
import { fieldsByNumber, type Message, neverSent, type ScalarType } from '#websocket/wire/message.ts';

/** What the exchange writes is what the client reads, in both encodings. */

/** Anything that the exchange may push in a message. */
function contentOf(message: Message): fc.Arbitrary<Record<string, unknown>> {
  const required: Record<string, fc.Arbitrary<unknown>> = {};
  const optional: Record<string, fc.Arbitrary<unknown>> = {};
  for (const { name, rule, type, description } of fieldsByNumber(message)) {
    if (description === neverSent) continue;
    const value: fc.Arbitrary<unknown> = typeof type === 'string' ? scalars[type] : contentOf(type);
    if (rule === 'optional') optional[name] = value;
    else required[name] = rule === 'repeated' ? fc.array(value, { maxLength: 3 }) : value;
  }
  const all = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
  return all as fc.Arbitrary<Record<string, unknown>>;
}
const scalars: Record<ScalarType, fc.Arbitrary<unknown>> = {
  string: fc.string({ unit: 'binary', maxLength: 20 }),
  int32: fc.nat(),
  int64: fc.maxSafeNat(),
  bool: fc.boolean(),
};
const head = contentOf({ name: 'head', description: '', fields: headFields });

test.each(Object.values<Channel>(channels))('DEC-KIT-88: pushes of $stem are read as they were written', ({ body }) => {
  fc.assert(
    fc.property(head, contentOf(body.message), (about, content) => {
      const push = { ...about, [body.name]: content };
      expect(readProtobufPush(body.encoder.protobuf(push))).toEqual({ head: about, content });
      expect(readJsonPush(JSON.parse(body.encoder.json(push)))).toEqual({ head: about, content });
    }),
    { numRuns: 50 },
  );
});

test('DEC-KIT-88: a push that is cut short is refused, and fields of later versions are passed over', () => {
  const { encoder, name } = channels.deals.body;
  const content = { ...{ price: '1', quantity: '2', amount: '2', tradeType: 1, isMaker: true, isSelfTrade: false } };
  const push = { channel: 'spot@private.deals.v3.api.pb', [name]: { ...content, tradeId: '77', time: 5 } };
  const bytes = encoder.protobuf(push);
  for (let size = 1; size < bytes.length - 1; size += 1) {
    if (size === 30) continue;
    expect(() => readProtobufPush(bytes.subarray(0, size)), `${size}`).toThrow(RangeError);
  }
  // Field 2000 as a number, text, 8 bytes and 4 bytes.
  const later = [
    0x80,
    0x7d,
    0x96,
    0x01,
    0x82,
    0x7d,
    0x01,
    0x41,
    0x81,
    0x7d,
    ...Array(8).fill(1),
    0x85,
    0x7d,
    1,
    1,
    1,
    1,
  ];
  expect(readProtobufPush(Uint8Array.from([...bytes, ...later]))).toEqual(readProtobufPush(bytes));
});
