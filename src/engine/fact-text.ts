import { canonicalText } from '#base/canonical-text.ts';
import type { PostingKind } from '#domain/account.ts';
import type { Fact } from '#domain/events.ts';
import type { AccountId, Amount, AssetId } from '#domain/units.ts';

/** Members of a record that count in a digest: `true` for a whole value, or the members of a nested record. */
type Counted<Shape> = { readonly [Name in keyof Shape]?: true | Counted<Shape[Name]> };

/** Members that count, by kind of fact. */
type CountedFacts = { readonly [Kind in Fact['kind']]: Counted<Omit<Extract<Fact, { kind: Kind }>, 'kind'>> };

const asset = { id: true, code: true, fullName: true, scale: true, cap: true, coinId: true } as const;
const symbol = {
  id: true,
  name: true,
  base: true,
  quote: true,
  priceDecimals: true,
  quantityDecimals: true,
  status: true,
  tradeSideType: true,
  orderKinds: true,
  apiTradingAllowed: true,
  minLots: true,
  minNotional: true,
  minNotionalMarket: true,
  maxNotional: true,
  maxNotionalMarket: true,
  makerFeePpm: true,
  takerFeePpm: true,
  bidMultiplierUpPpm: true,
  askMultiplierDownPpm: true,
  collarPpm: true,
  fullName: true,
  contractAddress: true,
  specialTreatment: true,
} as const;
const account = {
  account: true,
  uid: true,
  name: true,
  master: true,
  class: true,
  status: true,
  kycLevel: true,
  simulated: true,
  feeDeduction: true,
  makerFeePpm: true,
  takerFeePpm: true,
  openOrdersMax: true,
  openedAt: true,
} as const;
const apiKey = {
  accessKey: true,
  account: true,
  note: true,
  permissions: true,
  ips: true,
  sealedSecret: true,
  createdAt: true,
} as const;
const listenKey = {
  keyHash: true,
  account: true,
  accessKey: true,
  sealedKey: true,
  createdAt: true,
  expiresAt: true,
} as const;
const stpGroup = {
  group: true,
  master: true,
  name: true,
  members: true,
  memberUids: true,
  createdAt: true,
  updatedAt: true,
} as const;

const deposit = {
  deposit: true,
  account: true,
  asset: true,
  network: true,
  address: true,
  memo: true,
  txId: true,
  output: true,
  amount: true,
  status: true,
  confirmations: true,
  minConfirm: true,
  isInside: true,
  block: true,
  vouchers: true,
  insertedAt: true,
  updatedAt: true,
} as const;
const withdrawal = {
  withdrawal: true,
  account: true,
  asset: true,
  network: true,
  address: true,
  memo: true,
  amount: true,
  fee: true,
  value: true,
  status: true,
  isInside: true,
  transaction: true,
  confirmations: true,
  withdrawOrderId: true,
  remark: true,
  approvals: true,
  requestedAt: true,
  updatedAt: true,
} as const;
const assetNetwork = {
  asset: true,
  network: true,
  label: true,
  contract: true,
  scale: true,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: true,
  depositMin: true,
  withdrawFee: true,
  withdrawMin: true,
  withdrawMax: true,
  withdrawStep: true,
  sharesAddress: true,
  depositDesc: true,
  depositTips: true,
  withdrawTips: true,
} as const;
const walletRules = {
  valuedIn: true,
  largeDeposit: true,
  dailyCaps: true,
  riskHoldAbove: true,
  fourEyesAbove: true,
  newAddressDelayMs: true,
  waitMs: true,
  transferable: true,
  dustBelow: true,
  dustCallMax: true,
  dustFeePpm: true,
} as const;
const savedAddress = {
  account: true,
  asset: true,
  network: true,
  address: true,
  memo: true,
  tag: true,
  savedAt: true,
} as const;
const transfer = {
  transfer: true,
  account: true,
  asset: true,
  amount: true,
  from: true,
  to: true,
  clientTranId: true,
  at: true,
} as const;
const send = {
  send: true,
  from: true,
  to: true,
  asset: true,
  amount: true,
  targetKind: true,
  target: true,
  clientTranId: true,
  at: true,
} as const;
const universalTransfer = {
  transfer: true,
  master: true,
  from: true,
  fromWallet: true,
  to: true,
  toWallet: true,
  asset: true,
  amount: true,
  clientTranId: true,
  at: true,
} as const;
const depositAddress = { account: true, network: true, index: true, address: true, memo: true } as const;

/**
 * The members of each fact that count in the digest of events. Journals contain digests of their past. A new member of
 * a record must therefore count only for facts of a later rules version; otherwise old journals would not replay.
 */
const counted: CountedFacts = {
  assetConfigured: { asset },
  symbolConfigured: { symbol },
  feeTokenConfigured: { token: true, valuedIn: true, discountPpm: true },
  accountOpened: { account },
  accountChanged: { account },
  apiKeyCreated: { key: apiKey },
  apiKeyDeleted: { account: true, accessKey: true },
  listenKeyValid: { key: listenKey },
  listenKeyClosed: { account: true, keyHash: true },
  stpGroupChanged: { group: stpGroup },
  stpGroupDeleted: { master: true, group: true },
  addressBanned: { address: true, until: true, times: true },
  clockAdvanced: {},
  rulesActivated: { version: true },
  tailQuarantined: { seq: true, lastSeq: true, account: true, commandKind: true, invariant: true },
  profileRecorded: { profile: true },
  idKeyRecorded: { sealedKey: true },
  walletConfigured: { rules: walletRules },
  assetNetworkConfigured: { network: assetNetwork },
  depositAddressAssigned: { address: depositAddress },
  chainFollowed: {
    chain: {
      network: true,
      position: true,
      sweepPosition: true,
      addressCount: true,
      height: true,
      forks: true,
      nextNonce: true,
    },
  },
  networkForked: { network: true, height: true, forks: true, doubted: true },
  depositChanged: { deposit },
  depositLost: { deposit, fromAccount: true, fromHouse: true },
  withdrawalChanged: { withdrawal },
  withdrawalRepeated: { withdrawal },
  unknownPaymentChanged: {
    payment: {
      ...{ network: true, payment: true, nonce: true, txId: true, asset: true, amount: true, address: true },
      ...{ memo: true, networkFee: true, searchFrom: true, foundAt: true, booking: true, bookedTo: true },
      bookedAt: true,
    },
  },
  paidWithdrawalLost: {
    paid: {
      ...{ withdrawal: true, account: true, network: true, asset: true, amount: true, paidAt: true },
      ...{ lostBy: true, lostAt: true, booking: true, transaction: { txId: true, raw: true, nonce: true } },
    },
  },
  sweepRecorded: { network: true, txId: true, asset: true, networkFee: true },
  addressSaved: { address: savedAddress },
  savedAddressRemoved: { address: savedAddress },
  allowListChanged: { account: true, enabled: true },
  fundsTransferred: { transfer },
  transferRepeated: { transfer },
  fundsSent: { send },
  sendRepeated: { send },
  dustConverted: { conversion: true, refused: true },
  contactChanged: { contact: { account: true, email: true, mobile: true } },
  operatorActed: { actor: true, idempotencyKey: true, commandKind: true },
  operationRepeated: { actor: true, idempotencyKey: true, refusal: true },
  operatorTokenCreated: {
    token: { tokenHash: true, actor: true, scopes: true, createdAt: true, expiresAt: true },
  },
  operatorTokenDeleted: { tokenHash: true, actor: true },
  proposalChanged: { proposal: true },
  aloneChanged: { enabled: true },
  referencePriceSet: { price: true },
  referencePriceRemoved: { asset: true, reason: true },
  subAccountChanged: { subAccount: true },
  universalTransferMade: { transfer: universalTransfer },
  universalTransferRepeated: { transfer: universalTransfer },
  inviteCodeCreated: { code: { code: true, owner: true, campaign: true, createdAt: true } },
  accountInvited: { invitation: { account: true, inviter: true, code: true, invitedAt: true } },
  rebateRatesSet: { terms: true },
  clicksRecorded: { code: true, owner: true, minute: true, count: true },
  inviteeMoved: { move: true },
  rebatesSettled: { day: true, payouts: true, isDone: true },
  rebatesRejected: { beneficiary: true, source: true, day: true, amounts: true },
  contractConfigured: { contract: true },
  markUpdated: { mark: true },
  fundingSettled: { funding: true },
  positionTaken: { takeover: true },
  fundSnapshot: { contract: true, available: true, at: true },
  commandRefused: { reason: true },
};

/** A fact as the text that is folded into the digest of events. */
export const factText = (fact: Fact): string =>
  canonicalText({ kind: fact.kind, ...countedPart(fact, counted[fact.kind] as Counted<object>) });

/** A posting that is folded into the digest as text. */
export interface TextPosting {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly free: Amount;
  readonly held: Amount;
  readonly why: PostingKind;
}

/**
 * Text of a posting that belongs to no order, or whose amounts exceed a safe integer, for the digest of events. The
 * text has the kind `fundsMoved`, because such postings were facts of that kind in earlier journals.
 */
export const postingText = ({ account, asset, free, held, why }: TextPosting): string =>
  canonicalText({ kind: 'fundsMoved', account, asset, free: BigInt(free), held: BigInt(held), why });

function countedPart(value: object, members: Counted<object>): object {
  const part: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(members) as [string, true | Counted<object>][]) {
    const member = (value as Record<string, unknown>)[name];
    part[name] = inner === true ? member : countedPart(member as object, inner);
  }
  return part;
}
