import { expect, test } from 'vitest';
import { channels } from '#websocket/channels.ts';
import { readPush } from '#web/data/streams/push-reader.ts';

const head = { channel: 'c', symbol: 'BTCUSDT', createTime: 1_700_000_000_000, sendTime: 1_700_000_000_001 };
const bytesOf = (id: keyof typeof channels, body: object): Uint8Array => {
  const { encoder, name } = channels[id].body;
  return Uint8Array.from(encoder.protobuf({ ...head, [name]: body }));
};

test('DEC-WEB-07: pushes are read as the exchange writes them', () => {
  const level = { price: '30000.5', quantity: '0.25' };
  const depth = {
    asks: [level, level],
    bids: [],
    eventType: 'e',
    fromVersion: '1',
    toVersion: '2',
    lastOrderCreateTime: 5,
  };
  expect(readPush(bytesOf('aggreDepth', depth))).toMatchObject({
    channel: 'c',
    symbol: 'BTCUSDT',
    createTime: head.createTime,
    depth: { asks: [level, level], bids: [], fromVersion: '1', toVersion: '2' },
  });
  const deal = { price: '1', quantity: '2', tradeType: 2, time: 3, tradeId: '4' };
  expect(readPush(bytesOf('aggreDeals', { deals: [deal], eventType: 'e' }))).toMatchObject({
    deals: { items: [deal] },
  });
});

test('DEC-WEB-07: a frame that ends early is refused', () => {
  const whole = bytesOf('aggreDeals', { deals: [], eventType: 'some text' });
  for (let length = 1; length < whole.length; length += 1) {
    try {
      readPush(whole.subarray(0, length));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
  expect(() => readPush(whole.subarray(0, whole.length - 1))).toThrow(RangeError);
});
