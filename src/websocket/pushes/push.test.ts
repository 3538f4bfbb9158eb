import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { frameOf } from '#websocket/connections/frame.ts';
import { Push, type PushBody } from '#websocket/pushes/push.ts';
import { PushDataV3ApiWrapperSchema } from '#websocket/wire/push_pb.ts';

/** Encoded by hand from the field numbers of the schema. DEC-STR-03. */
const vectors: readonly { name: string; hex: string; size: number; message: Parameters<typeof created>[0] }[] = [
  {
    name: 'a deal',
    size: 153,
    hex:
      '0a1c73706f7440707269766174652e6465616c732e76332e6170692e70621a064d585553445430dc8095d4c4329213690a06332e' +
      '363936321201311a06332e3639363220023a1435303539373930313734333930303236323458314a1a4330325f5f353035393739' +
      '3031373433393030323632343131355215302e303030333939383337373336393639383137315a024d5860a88095d4c432',
    message: {
      channel: 'spot@private.deals.v3.api.pb',
      symbol: 'MXUSDT',
      sendTime: 1736417034332n,
      body: {
        case: 'privateDeals',
        value: {
          price: '3.6962',
          quantity: '1',
          amount: '3.6962',
          tradeType: 2,
          tradeId: '505979017439002624X1',
          orderId: 'C02__505979017439002624115',
          feeAmount: '0.0003998377369698171',
          feeCurrency: 'MX',
          time: 1736417034280n,
        },
      },
    },
  },
  {
    name: 'a change of a balance',
    size: 144,
    hex:
      '0a1e73706f7440707269766174652e6163636f756e742e76332e6170692e706228c18095d4c43230c38095d4c4329a135f0a0455' +
      '534454122031323866353839323731636234393531623033653731653633323365623762651a1132312e39343231303335363030' +
      '34333834220231302a01303201303a11434f4e54524143545f5452414e5346455240b0b58dd4c432',
    message: {
      channel: 'spot@private.account.v3.api.pb',
      createTime: 1736417034305n,
      sendTime: 1736417034307n,
      body: {
        case: 'privateAccount',
        value: {
          vcoinName: 'USDT',
          coinId: '128f589271cb4951b03e71e6323eb7be',
          balanceAmount: '21.94210356004384',
          balanceAmountChange: '10',
          frozenAmount: '0',
          frozenAmountChange: '0',
          type: 'CONTRACT_TRANSFER',
          time: 1736416910000n,
        },
      },
    },
  },
  {
    name: 'best prices',
    size: 112,
    hex:
      '0a3473706f74407075626c69632e61676772652e626f6f6b5469636b65722e76332e6170692e7062403130306d73404254435553' +
      '44541a07425443555344543091b0e7d1c432da13270a0839333338372e32381207332e37333438351a0839333338372e32392208' +
      '372e363639383735',
    message: {
      channel: 'spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT',
      symbol: 'BTCUSDT',
      sendTime: 1736412092433n,
      body: {
        case: 'publicAggreBookTicker',
        value: { bidPrice: '93387.28', bidQuantity: '3.73485', askPrice: '93387.29', askQuantity: '7.669875' },
      },
    },
  },
];

function created(message: { channel: string; symbol?: string; createTime?: bigint; sendTime: bigint; body: PushBody }) {
  return create(PushDataV3ApiWrapperSchema, message);
}

test.each(vectors)(
  'DEC-STR-03: $name is written and read as the wire vector, byte for byte',
  ({ hex, size, message }) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(bytes).toHaveLength(size);
    expect(Buffer.from(toBinary(PushDataV3ApiWrapperSchema, created(message))).toString('hex')).toBe(hex);
    expect(fromBinary(PushDataV3ApiWrapperSchema, bytes)).toEqual(created(message));
  },
);

const push = () =>
  new Push(
    { channel: 'spot@private.deals.v3.api.pb', symbol: 'BTCUSDT', createTime: 1, sendTime: 2 },
    { case: 'privateDeals', value: { price: '1', isMaker: false } },
  );

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
  expect(fromBinary(PushDataV3ApiWrapperSchema, payload).body.value).toMatchObject({ price: '1', isMaker: false });
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
