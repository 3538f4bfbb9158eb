import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { ClientOrderId } from '#domain/client-order-id.ts';
import type { Command, CommandKind } from '#domain/command.ts';
import { decodeCommand, encodeCommand } from '#domain/command-codec.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { Balance, Digest } from '#domain/units.ts';
import { as } from '#domain/units.ts';

/** A plain value under whichever unit the field has. */
const n = <Value extends number>(value: number): Value => value as Value;

const order: OrderRequest = {
  symbol: n(300),
  side: 'sell',
  kind: 'limit',
  price: n(6_512_345),
  quantity: n(2 ** 40),
  budget: null,
  clientOrderId: ClientOrderId.of('My-order_42'),
  stpMode: 'cancelBoth',
};
const ladder = [1, 2, 3].map((step): OrderRequest => ({ ...order, clientOrderId: null, price: n(6_512_345 - step) }));
const market: OrderRequest = { ...order, side: 'buy', kind: 'market', price: null, quantity: null, budget: n(77) };

/** One command of each kind, with every shape of its fields. */
const samples: Record<CommandKind, Command> = {
  placeOrder: { kind: 'placeOrder', account: n(1234), order },
  placeOrders: { kind: 'placeOrders', account: n(5), orders: [order, market, ...ladder] },
  requote: {
    kind: 'requote',
    account: n(6),
    symbol: n(300),
    cancel: [n(1_000_000), n(1_000_003), n(999_999)],
    place: ladder,
  },
  cancelOrder: { kind: 'cancelOrder', account: n(7), symbol: n(3), ref: { clientOrderId: 'abc' } },
  cancelOrders: { kind: 'cancelOrders', account: n(8), symbols: [n(1), n(200)] },
  configureAsset: {
    kind: 'configureAsset',
    asset: { code: 'BTC', fullName: 'Bitcoin ₿', scale: 8, cap: as<Balance>(2n ** 60n), coinId: 'f'.repeat(32) },
  },
  configureSymbol: {
    kind: 'configureSymbol',
    symbol: {
      name: 'BTCUSDT',
      base: n(1),
      quote: n(0),
      priceDecimals: 2,
      quantityDecimals: 6,
      status: 'online',
      tradeSideType: 'all',
      orderKinds: ['limit', 'market', 'postOnly'],
      apiTradingAllowed: true,
      minLots: n(1),
      minNotional: n(5_000_000),
      minNotionalMarket: n(1),
      maxNotional: n(2 ** 50),
      maxNotionalMarket: n(2 ** 49),
      makerFeePpm: -100,
      takerFeePpm: 500,
      bidMultiplierUpPpm: 1_100_000,
      askMultiplierDownPpm: null,
      collarPpm: 50_000,
      fullName: 'Bitcoin',
      contractAddress: '',
      specialTreatment: false,
    },
  },
  configureFeeToken: { kind: 'configureFeeToken', token: n(4), valuedIn: n(0), discountPpm: 200_000 },
  openAccount: {
    kind: 'openAccount',
    uid: n(10_000_001),
    name: 'alice',
    master: null,
    class: 'broker',
    kycLevel: 3,
    simulated: false,
  },
  setAccountStatus: { kind: 'setAccountStatus', account: n(9), status: 'frozen' },
  setAccountTerms: { kind: 'setAccountTerms', account: n(9), makerFeePpm: null, takerFeePpm: 10, openOrdersMax: 500 },
  setFeeDeduction: { kind: 'setFeeDeduction', account: n(9), enabled: true },
  createApiKey: {
    kind: 'createApiKey',
    account: n(9),
    accessKey: 'k1',
    sealedSecret: 'c2VhbGVk',
    note: 'é',
    permissions: 16_383,
    ips: ['10.0.0.0/8', '::1'],
  },
  deleteApiKey: { kind: 'deleteApiKey', account: n(9), accessKey: 'k1' },
  creditFunds: { kind: 'creditFunds', account: n(9), asset: n(1), amount: as<Balance>(123_456_789_012_345_678n) },
  createStpGroup: { kind: 'createStpGroup', master: n(9), name: 'desk' },
  deleteStpGroup: { kind: 'deleteStpGroup', master: n(9), group: 2 },
  addToStpGroup: { kind: 'addToStpGroup', master: n(9), group: 2, members: [n(9), n(10)] },
  removeFromStpGroup: { kind: 'removeFromStpGroup', master: n(9), group: 2, members: [] },
  banAddress: { kind: 'banAddress', address: '203.0.113.7', until: n(1_700_000_120_000), times: 3 },
  createListenKey: { kind: 'createListenKey', account: n(9), keyHash: 'ab12', sealedKey: 'c2VhbGVk' },
  renewListenKey: { kind: 'renewListenKey', account: n(9), keyHash: 'ab12' },
  deleteListenKey: { kind: 'deleteListenKey', account: n(9), keyHash: 'ab12' },
  advanceClock: { kind: 'advanceClock' },
  activateRules: { kind: 'activateRules', version: 2 },
  recordQuarantine: {
    kind: 'recordQuarantine',
    seq: n(4711),
    lastSeq: n(4720),
    account: n(9),
    commandKind: 'placeOrder',
    invariant: 'free balance stays above zero',
  },
  assertDigest: { kind: 'assertDigest', at: n(4096), digest: as<Digest>('0123456789abcdef0123456789abcdef') },
};

const bytesOfKind = JSON.parse(readFileSync(new URL('command-bytes.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const kinds = Object.keys(samples) as CommandKind[];

test.each(kinds)('the bytes of %s in journals that exist stay readable, and are written the same', (kind) => {
  const recorded = bytesOfKind[kind];
  const writer = new ByteWriter();
  encodeCommand(writer, samples[kind]);
  expect(Buffer.from(writer.take()).toString('hex')).toBe(recorded);
  expect(decodeCommand(new ByteReader(Buffer.from(recorded as string, 'hex')))).toEqual(samples[kind]);
});
