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

/** An amount of a balance. */
const b = (value: number): Balance => as<Balance>(BigInt(value));

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
  operate: {
    kind: 'operate',
    actor: 'ops',
    idempotencyKey: 'k-1',
    command: { kind: 'setAccountStatus', account: n(9), status: 'normal' },
  },
  configureWallet: {
    kind: 'configureWallet',
    rules: {
      valuedIn: n(0),
      largeDeposit: b(100_000),
      dailyCaps: [b(1), b(2), b(3), b(4)],
      riskHoldAbove: null,
      fourEyesAbove: b(10_000),
      newAddressDelayMs: 86_400_000,
      waitMs: 5000,
      transferable: [n(0), n(300)],
      dustBelow: b(5),
      dustCallMax: b(50),
      dustFeePpm: 2000,
    },
  },
  configureAssetNetwork: {
    kind: 'configureAssetNetwork',
    network: {
      asset: n(1),
      network: 'ETH',
      label: 'Ethereum(ERC20)',
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      scale: 6,
      depositEnabled: true,
      withdrawEnabled: false,
      minConfirm: 12,
      depositMin: b(3),
      withdrawFee: b(3),
      withdrawMin: b(10),
      withdrawMax: b(2 ** 53),
      withdrawStep: b(1),
      sharesAddress: false,
      depositDesc: null,
      depositTips: 'Play money',
      withdrawTips: null,
    },
  },
  assignDepositAddress: {
    kind: 'assignDepositAddress',
    account: n(9),
    network: 'XRP',
    index: 7,
    address: 'rSomewhere',
    memo: '100000007',
  },
  recordChainPosition: { kind: 'recordChainPosition', network: 'ETH', position: '17:0xab', sweepPosition: null },
  reportDeposit: {
    kind: 'reportDeposit',
    network: 'ETH',
    txId: '0xabc',
    output: 3,
    asset: n(1),
    address: '0x1',
    memo: null,
    amount: b(2 ** 55),
    confirmations: 2,
  },
  removeDeposit: { kind: 'removeDeposit', network: 'ETH', txId: '0xabc', output: 3 },
  reviewDeposit: { kind: 'reviewDeposit', deposit: 300, decision: 'refund', account: n(9) },
  requestWithdrawal: {
    kind: 'requestWithdrawal',
    account: n(9),
    asset: n(1),
    network: 'ETH',
    address: '0x2',
    memo: null,
    amount: b(77),
    withdrawOrderId: 'w-1',
    remark: 'für später',
  },
  cancelWithdrawal: { kind: 'cancelWithdrawal', account: n(9), withdrawal: 300 },
  advanceWithdrawal: {
    kind: 'advanceWithdrawal',
    withdrawal: 300,
    event: 'sign',
    transaction: { txId: '0xdef', raw: '0x02', nonce: 17 },
    confirmations: 0,
    networkFee: b(21_000),
  },
  reviewWithdrawal: { kind: 'reviewWithdrawal', withdrawal: 300, decision: 'manual' },
  recordSweep: { kind: 'recordSweep', network: 'ETH', txId: '0xaaa', networkFee: b(21_000) },
  saveAddress: {
    kind: 'saveAddress',
    account: n(9),
    asset: n(1),
    network: 'XRP',
    address: 'rElsewhere',
    memo: '42',
    tag: 'home',
  },
  removeSavedAddress: {
    kind: 'removeSavedAddress',
    account: n(9),
    asset: n(1),
    network: 'XRP',
    address: 'rElsewhere',
    memo: null,
  },
  setAllowList: { kind: 'setAllowList', account: n(9), enabled: true },
  transferFunds: {
    kind: 'transferFunds',
    account: n(9),
    from: 'spot',
    to: 'futures',
    asset: n(0),
    amount: b(5),
    clientTranId: 'c'.repeat(32),
  },
  sendFunds: {
    kind: 'sendFunds',
    account: n(9),
    targetKind: 'mobile',
    target: '44 7700900123',
    asset: n(0),
    amount: b(5),
  },
  convertDust: { kind: 'convertDust', account: n(9), assets: [n(1), n(2)] },
  setContact: { kind: 'setContact', account: n(9), email: 'A@example.org', mobile: null },
  setKycLevel: { kind: 'setKycLevel', account: n(9), kycLevel: 2 },
  createOperatorToken: {
    kind: 'createOperatorToken',
    tokenHash: 'e'.repeat(64),
    actor: 'ops',
    scopes: ['assets:read'],
    expiresAt: n(1_800_000_000_000),
  },
  deleteOperatorToken: { kind: 'deleteOperatorToken', tokenHash: 'e'.repeat(64) },
  registerAccount: {
    kind: 'registerAccount',
    uid: null,
    name: 'dave',
    class: 'affiliate',
    kycLevel: 2,
    simulated: false,
    email: 'dave@example.com',
    mobile: '44 7700900123',
    inviteCode: 'in3jd',
  },
  openSubAccount: {
    kind: 'openSubAccount',
    master: n(5),
    name: 'desk0001',
    note: 'first desk',
    passwordHash: 'scrypt$abc',
    atMost: 30,
  },
  enableFutures: { kind: 'enableFutures', master: n(5), account: n(6) },
  makeUniversalTransfer: {
    kind: 'makeUniversalTransfer',
    master: n(5),
    from: n(5),
    fromWallet: 'spot',
    to: n(6),
    toWallet: 'futures',
    asset: n(1),
    amount: as<Balance>(2n ** 40n),
    clientTranId: 'a'.repeat(32),
  },
  setAccountClass: { kind: 'setAccountClass', account: n(6), class: 'broker' },
  createInviteCode: { kind: 'createInviteCode', owner: n(6), code: 'svc-12345', campaign: 'Spring' },
  setRebateRates: {
    kind: 'setRebateRates',
    inviter: n(6),
    product: 'futures',
    referralPpm: 300_000,
    subAffiliatePpm: 50_000,
    thirdPpm: 20_000,
    kickbackPpm: 100_000,
  },
  recordClicks: { kind: 'recordClicks', code: 'svc-12345', minute: n(1_700_000_040_000), count: 17 },
  settleRebates: { kind: 'settleRebates', day: n(1_699_920_000_000) },
  rejectRebates: { kind: 'rejectRebates', beneficiary: n(6), source: n(7), day: n(1_699_920_000_000) },
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
