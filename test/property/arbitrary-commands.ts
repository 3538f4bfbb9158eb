import fc from 'fast-check';
import { ClientOrderId } from '#model/client-order-id.ts';
import { contractStates, marginModes } from '#model/contract.ts';
import { products } from '#model/rebate.ts';
import { accountClasses, accountStatuses } from '#model/account.ts';
import type { Command, CommandKind } from '#model/command.ts';
import type { OrderRef, OrderRequest } from '#model/order.ts';
import { orderKinds, sides, stpModes } from '#model/order.ts';
import { profiles } from '#model/profile.ts';
import { lostPaymentBookings, paymentBookings } from '#model/safety.ts';
import { symbolStatuses, tradeSideTypes } from '#model/symbol.ts';
import { contactKinds, depositDecisions, walletKinds, withdrawalDecisions, withdrawalEvents } from '#model/wallet.ts';

/** Every value that the type allows, not only what an exchange would send: the codec must not care. */
const safe = fc.oneof({ maxDepth: 1 }, fc.nat(200), fc.nat(), fc.maxSafeNat());
const signed = fc.oneof(fc.integer(), fc.maxSafeInteger());
const unit = <Value extends number>(): fc.Arbitrary<Value> => safe as fc.Arbitrary<number> as fc.Arbitrary<Value>;
const maybe = <Value>(inner: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(inner, { nil: null });
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '€', 'x'.repeat(300)));
const usual = fc.string({ unit: fc.constantFrom(...'abzABZ019_-'), minLength: 1, maxLength: 32 });
const clientId = fc.oneof({ weight: 4, arbitrary: usual }, text);
const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) as fc.Arbitrary<bigint> as fc.Arbitrary<never>;

export const arbitraryOrder: fc.Arbitrary<OrderRequest> = fc.record({
  symbol: unit(),
  side: fc.constantFrom(...sides),
  kind: fc.constantFrom(...orderKinds),
  price: maybe(unit()),
  quantity: maybe(unit()),
  budget: maybe(unit()),
  clientOrderId: maybe(clientId.map((id) => ClientOrderId.of(id))),
  stpMode: fc.constantFrom(...stpModes),
}) as fc.Arbitrary<OrderRequest>;

const ref: fc.Arbitrary<OrderRef> = fc.oneof(
  fc.record({ order: unit() }),
  fc.record({ clientOrderId: clientId }),
) as fc.Arbitrary<OrderRef>;
const orders = fc.array(arbitraryOrder, { maxLength: 8 });
const units = fc.array(unit(), { maxLength: 8 });
const signedOrNull = maybe(signed);

const symbolListing = fc.record({
  name: text,
  base: unit(),
  quote: unit(),
  priceDecimals: safe,
  quantityDecimals: safe,
  status: fc.constantFrom(...symbolStatuses),
  tradeSideType: fc.constantFrom(...tradeSideTypes),
  orderKinds: fc.array(fc.constantFrom(...orderKinds), { maxLength: 5 }),
  apiTradingAllowed: fc.boolean(),
  minLots: unit(),
  minNotional: unit(),
  minNotionalMarket: unit(),
  maxNotional: unit(),
  maxNotionalMarket: unit(),
  makerFeePpm: signed,
  takerFeePpm: signed,
  bidMultiplierUpPpm: signedOrNull,
  askMultiplierDownPpm: signedOrNull,
  collarPpm: signed,
  fullName: text,
  contractAddress: text,
  specialTreatment: fc.boolean(),
});
const assetListing = fc.record({ code: text, fullName: text, scale: safe, cap: amount, coinId: text });

const contractTerms = fc.record({
  name: text,
  base: unit(),
  settle: unit(),
  size: safe,
  sizeDecimals: safe,
  priceDecimals: safe,
  state: fc.constantFrom(...contractStates),
  minLots: unit(),
  maxLots: unit(),
  makerFeePpm: safe,
  takerFeePpm: safe,
  bidLimitPpm: safe,
  fairLimitPpm: safe,
  askLimitPpm: safe,
  collarPpm: safe,
  minFundingPpm: safe,
  maxFundingPpm: safe,
  fundingHours: safe,
  liquidationFeePpm: safe,
  tiers: fc.array(fc.record({ maxLots: unit(), maintenancePpm: safe, initialPpm: safe, maxLeverage: safe }), {
    maxLength: 6,
  }),
});

const sight = maybe(fc.record({ forks: safe, block: fc.record({ height: safe, hash: text }), confirmations: safe }));

type Bodies = Record<Exclude<CommandKind, 'operate'>, Record<string, fc.Arbitrary<unknown>>>;
const bodies: Bodies = {
  placeOrder: { account: unit(), order: arbitraryOrder },
  placeOrders: { account: unit(), orders },
  requote: { account: unit(), symbol: unit(), cancel: units, place: orders },
  cancelOrder: { account: unit(), symbol: unit(), ref },
  cancelOrders: { account: unit(), symbols: units },
  configureAsset: { asset: assetListing },
  configureSymbol: { symbol: symbolListing },
  configureFeeToken: { token: unit(), valuedIn: unit(), discountPpm: safe },
  openAccount: {
    uid: unit(),
    name: text,
    master: maybe(unit()),
    class: fc.constantFrom(...accountClasses),
    kycLevel: safe,
    simulated: fc.boolean(),
  },
  setAccountStatus: { account: unit(), status: fc.constantFrom(...accountStatuses) },
  setAccountTerms: { account: unit(), makerFeePpm: signedOrNull, takerFeePpm: signedOrNull, openOrdersMax: safe },
  setFeeDeduction: { account: unit(), enabled: fc.boolean() },
  createApiKey: {
    account: unit(),
    accessKey: text,
    sealedSecret: text,
    note: text,
    permissions: safe,
    ips: fc.array(text, { maxLength: 4 }),
    unboundLifeMs: fc.option(safe),
  },
  endApiKeys: {},
  cancelFrozenOrders: {},
  deleteApiKey: { account: unit(), accessKey: text },
  creditFunds: { account: unit(), asset: unit(), amount },
  createStpGroup: { master: unit(), name: text },
  deleteStpGroup: { master: unit(), group: safe },
  addToStpGroup: { master: unit(), group: safe, members: units },
  removeFromStpGroup: { master: unit(), group: safe, members: units },
  createListenKey: { account: unit(), accessKey: text, keyHash: text, sealedKey: text },
  renewListenKey: { account: unit(), keyHash: text },
  deleteListenKey: { account: unit(), keyHash: text },
  banAddress: { address: text, until: unit(), times: safe },
  advanceClock: {},
  activateRules: { version: unit() },
  recordUnknownPayment: {
    network: text,
    nonce: maybe(safe),
    txId: maybe(text),
    asset: maybe(unit()),
    amount,
    address: maybe(text),
    memo: maybe(text),
    networkFee: amount,
  },
  bookUnknownPayment: {
    network: text,
    payment: text,
    booking: fc.constantFrom(...paymentBookings),
    withdrawal: maybe(safe),
    account: maybe(unit()),
    asset: maybe(unit()),
    amount,
  },
  recordLostPayment: { withdrawal: safe, by: text },
  bookLostPayment: { withdrawal: safe, booking: fc.constantFrom(...lostPaymentBookings) },
  recordIdKey: { sealedKey: text },
  recordProfile: { profile: fc.constantFrom(...profiles) },
  recordQuarantine: { seq: unit(), lastSeq: unit(), account: maybe(unit()), commandKind: text, invariant: text },
  assertDigest: { at: unit(), digest: text },
  configureWallet: {
    rules: fc.record({
      valuedIn: unit(),
      largeDeposit: amount,
      dailyCaps: fc.array(amount, { maxLength: 5 }),
      riskHoldAbove: maybe(amount),
      fourEyesAbove: maybe(amount),
      newAddressDelayMs: safe,
      waitMs: safe,
      transferable: units,
      dustBelow: amount,
      dustCallMax: amount,
      dustFeePpm: safe,
    }),
  },
  configureAssetNetwork: {
    network: fc.record({
      asset: unit(),
      network: text,
      label: text,
      contract: maybe(text),
      scale: safe,
      depositEnabled: fc.boolean(),
      withdrawEnabled: fc.boolean(),
      minConfirm: safe,
      depositMin: amount,
      withdrawFee: amount,
      withdrawMin: amount,
      withdrawMax: amount,
      withdrawStep: amount,
      sharesAddress: fc.boolean(),
      depositDesc: maybe(text),
      depositTips: maybe(text),
      withdrawTips: maybe(text),
    }),
  },
  assignDepositAddress: { account: unit(), network: text, index: safe, address: text, memo: maybe(text) },
  recordChainPosition: { network: text, position: maybe(text), height: maybe(safe), sweepPosition: maybe(text) },
  recordFork: { network: text, height: safe },
  creditSmallDeposits: { network: text, forks: safe, height: safe, deposits: fc.array(safe, { maxLength: 4 }) },
  reportDeposit: {
    network: text,
    txId: text,
    output: safe,
    asset: unit(),
    address: text,
    memo: maybe(text),
    amount,
    sight,
  },
  removeDeposit: { network: text, txId: text, output: safe, forks: safe },
  reviewDeposit: { deposit: safe, decision: fc.constantFrom(...depositDecisions), account: maybe(unit()), sight },
  requestWithdrawal: {
    account: unit(),
    asset: unit(),
    network: text,
    address: text,
    memo: maybe(text),
    amount,
    withdrawOrderId: maybe(text),
    remark: maybe(text),
  },
  cancelWithdrawal: { account: unit(), withdrawal: safe },
  advanceWithdrawal: {
    withdrawal: safe,
    event: fc.constantFrom(...withdrawalEvents),
    transaction: maybe(fc.record({ txId: text, raw: text, nonce: maybe(safe) })),
    confirmations: safe,
    networkFee: amount,
  },
  reviewWithdrawal: { withdrawal: safe, decision: fc.constantFrom(...withdrawalDecisions) },
  recordSweep: { network: text, txId: text, networkFee: amount },
  saveAddress: { account: unit(), asset: unit(), network: text, address: text, memo: maybe(text), tag: text },
  removeSavedAddress: { account: unit(), asset: unit(), network: text, address: text, memo: maybe(text) },
  setAllowList: { account: unit(), enabled: fc.boolean() },
  transferFunds: {
    account: unit(),
    from: fc.constantFrom(...walletKinds),
    to: fc.constantFrom(...walletKinds),
    asset: unit(),
    amount,
    clientTranId: maybe(text),
  },
  sendFunds: {
    account: unit(),
    targetKind: fc.constantFrom(...contactKinds),
    target: text,
    asset: unit(),
    amount,
    clientTranId: maybe(text),
  },
  convertDust: { account: unit(), assets: units },
  setReferencePrice: { asset: unit(), digits: amount, decimals: safe, validMs: safe, reason: text },
  approveProposal: { proposal: safe },
  cancelProposal: { proposal: safe },
  setAlone: { enabled: fc.boolean() },
  endProposals: {},
  removeReferencePrice: { asset: unit(), reason: text },
  setContact: { account: unit(), email: maybe(text), mobile: maybe(text) },
  setKycLevel: { account: unit(), kycLevel: safe },
  createOperatorToken: {
    tokenHash: text,
    actor: text,
    scopes: fc.array(text, { maxLength: 4 }),
    expiresAt: unit(),
  },
  deleteOperatorToken: { tokenHash: text },
  registerAccount: {
    uid: maybe(unit()),
    name: text,
    class: fc.constantFrom(...accountClasses),
    kycLevel: safe,
    simulated: fc.boolean(),
    email: maybe(text),
    mobile: maybe(text),
    inviteCode: maybe(text),
  },
  openSubAccount: { master: unit(), name: text, note: text, passwordHash: maybe(text), atMost: safe },
  enableFutures: { master: unit(), account: unit() },
  makeUniversalTransfer: {
    master: unit(),
    from: unit(),
    fromWallet: fc.constantFrom(...walletKinds),
    to: unit(),
    toWallet: fc.constantFrom(...walletKinds),
    asset: unit(),
    amount,
    clientTranId: maybe(text),
  },
  setAccountClass: { account: unit(), class: fc.constantFrom(...accountClasses) },
  createInviteCode: { owner: unit(), code: text, campaign: maybe(text) },
  setRebateRates: {
    inviter: unit(),
    product: fc.constantFrom(...products),
    referralPpm: safe,
    subAffiliatePpm: safe,
    thirdPpm: safe,
    kickbackPpm: safe,
  },
  recordClicks: { code: text, minute: safe, count: safe },
  settleRebates: { day: safe },
  configureContract: { contract: contractTerms },
  setContractState: { contract: unit(), state: fc.constantFrom(...contractStates) },
  fundInsurance: { contract: unit(), amount },
  updateIndices: { prices: fc.array(fc.record({ contract: unit(), price: maybe(safe) }), { maxLength: 4 }) },
  reducePosition: { account: unit(), order: arbitraryOrder },
  setLeverage: { account: unit(), contract: unit(), mode: fc.constantFrom(...marginModes), leverage: safe },
  rejectRebates: { beneficiary: unit(), source: maybe(unit()), day: safe },
};

type PlainKind = keyof Bodies;
const plainKinds = Object.keys(bodies) as PlainKind[];
const arbitraryPlain = (kind: PlainKind): fc.Arbitrary<Command> =>
  fc.record({ kind: fc.constant(kind), ...bodies[kind] }) as unknown as fc.Arbitrary<Command>;

/** Commands of one kind with any content that its type allows. */
export const arbitraryCommandOf = (kind: CommandKind): fc.Arbitrary<Command> =>
  kind !== 'operate'
    ? arbitraryPlain(kind)
    : (fc.record({
        kind: fc.constant(kind),
        actor: text,
        idempotencyKey: maybe(text),
        command: fc.oneof(...plainKinds.map(arbitraryPlain)),
      }) as unknown as fc.Arbitrary<Command>);

export const commandKinds: readonly CommandKind[] = [...plainKinds, 'operate'];

/** Commands of every kind. */
export const arbitraryCommand: fc.Arbitrary<Command> = fc.oneof(...commandKinds.map(arbitraryCommandOf));
