/** Every bound of the engine, with its number and where it comes from. Bounds of the wire stand in `http/limits.ts`. */
export const engineLimits = {
  /** DEC-LIM-06; an account may have its own. */
  openOrdersPerAccount: 500,
  /** The most that an account's own cap may be. */
  openOrdersLimitMax: 1_000_000,
  /** SPEC-ORD-06. */
  ordersPerBatch: 20,
  /** A market maker's ladder in one command. */
  ordersPerRequote: 1000,
  /** SPEC-ORD-11. */
  symbolsPerCancelAll: 5,
  /** Orders that one entry cancels: DEC-SUB-102, DEC-OPR-161; of the owner, where he has more: DEC-ORD-30. */
  cancelledOrdersPerEntry: 500,
  clientOrderIdLength: 32,
  /** How long a closed order keeps its client id. DEC-REQ-26. */
  clientOrderIdKeptMs: 60_000,
  /** SPEC-CNV-27. */
  keysPerAccount: 30,
  /** The longest that a key without addresses may live, and keys that one entry ends. DEC-REQ-147. */
  keyLifeMsMax: 3650 * 86_400_000,
  keysEndedPerEntry: 100,
  /** SPEC-STP-08. */
  stpGroupsPerMaster: 10,
  /** SPEC-LKEY-05. */
  listenKeysPerAccount: 60,
  listenKeyLifeMs: 3_600_000,
  /** Fee tiers, accounts that one entry gives theirs, and accounts whose volume is counted. DEC-OPR-210. */
  feeTiers: 20,
  feeTiersPerEntry: 1000,
  tradeVolumeAccounts: 1_000_000,
  assets: 4096,
  symbols: 65_536,
  assetScale: 12,
  /** Greatest number of bans; the one that ends first is evicted. */
  bans: 100_000,
  /** Bans that operators made, those that are over included. DEC-OPR-175. */
  operatorBans: 5000,
  /** Rate limits that operators set, those that are over included, and the most that one may allow. DEC-OPR-179. */
  operatorRateLimits: 5000,
  rateWeightMax: 1_000_000,
  rateCallsMax: 100_000,
  /** Tails of the journal put aside within this time because of one account that make it unusable. */
  tailsPerAccount: 3,
  tailsWindowMs: 3_600_000,
  /** Such tails that are remembered at a time. */
  tailsKept: 1000,
  /** Networks of all assets together. */
  assetNetworks: 16_384,
  /** Withdrawals of one account that are not final. */
  withdrawalsInProgress: 1000,
  /** Withdrawals that one account may ask for within 24 hours, cancelled and failed ones included. DEC-WAL-56. */
  withdrawalsPerDay: 10_000,
  withdrawOrderIdLength: 64,
  addressLength: 128,
  /** Characters of a signed transaction. */
  rawTransactionLength: 8192,
  /** Hot-wallet nonces of a network that were signed for nothing and wait to be used. */
  freeNonces: 10_000,
  /** How long a sweep is remembered so that it is recorded once, and a payment without nonce; how many are. */
  transactionKeptMs: 30 * 86_400_000,
  transactionsKept: 1_000_000,
  /** Payments of a network that the journal does not know and that wait for a booking; all that are remembered. */
  unknownPaymentsOpen: 1000,
  unknownPaymentsKept: 100_000,
  /** How long what a hot wallet paid counts towards its limit, and up to a minute more. DEC-WAL-48. */
  hotWalletLimitWindowMs: 3_600_000,
  /** How long a paid withdrawal is followed: a reorganisation may drop it. DEC-WAL-126. */
  paidWithdrawalFollowedMs: 86_400_000,
  /** Paid withdrawals whose payment was lost that are remembered; those that nobody booked are never forgotten. */
  lostPaymentsKept: 10_000,
  /** Characters of a saved address's name. */
  addressTagLength: 64,
  /** SPEC-WAL-12: addresses that one account may save. */
  savedAddresses: 1000,
  /** Confirmations that may be asked for. */
  minConfirmMax: 100_000,
  /** How long `withdrawOrderId` and `clientTranId` are remembered. DEC-REQ-27. */
  requestIdKeptMs: 86_400_000,
  clientTranIdLength: 32,
  /** Ids of transfers that are remembered at a time, of one account and of all. DEC-WAL-61. */
  transferIdsPerAccount: 10_000,
  transferIds: 10_000_000,
  /** Sends that are valued for the withdrawal limit within 24 hours, of one account and of all. DEC-WAL-152. */
  sendsPerDay: 10_000,
  sendsValued: 10_000_000,
  /** The window of withdrawal limits. DEC-WAL-27. */
  withdrawalLimitWindowMs: 86_400_000,
  /** Characters of a transaction's id, and of a memo, on any chain. */
  txIdLength: 128,
  /** The name of a backup. */
  backupNameLength: 64,
  /** The sealed key of wallet ids, base64. */
  sealedIdKeyLength: 256,
  memoLength: 128,
  /** Small deposits that one command credits. */
  smallDepositsPerCredit: 10_000,
  /** Characters of a block's hash on any chain. */
  blockHashLength: 128,
  /** How long a credited deposit is watched for reorganisations. DEC-WAL-17. */
  creditedDepositWatchedMs: 3 * 86_400_000,
  /** Characters of a remark. DEC-WAL-26. */
  remarkLength: 64,
  /** SPEC-WAL-17. */
  assetsPerConversion: 15,
  /** Within 24 hours. DEC-WAL-07. */
  conversionsPerDay: 10,
  conversionWindowMs: 86_400_000,
  /** DEC-SUB-01: sub-accounts of one master. */
  subAccountsPerMaster: 30,
  subAccountsPerBroker: 10_000,
  /** The most that either may be set to. */
  subAccountsMax: 1_000_000,
  /** Characters of a sub-account's note. DEC-SUB-30. */
  subAccountNoteLength: 64,
  /** Invite codes of one account besides its refer code. */
  inviteCodesPerAccount: 1000,
  /** Characters of a campaign's name. */
  campaignNameLength: 64,
  /** Clicks that one minute may tell. */
  clicksPerMinuteMax: 1_000_000_000,
  /** Records that one `settleRebates` takes up. */
  rebatesPerSettlement: 2000,
  /** Characters of an operator's reason, and of what an adjustment refers to. */
  reasonLength: 500,
  referenceLength: 128,
  /** Characters of a note about an account, and notes about one account. DEC-OPR-237. */
  noteLength: 2000,
  notesPerAccount: 1000,
  /** Webhooks at a time, characters of a url and of a sealed secret. DEC-OPR-238. */
  webhooks: 20,
  webhookUrlLength: 2000,
  webhookSecretLength: 500,
  /** How long adjustments are remembered and count together for four eyes, and how many are. DEC-OPR-183. */
  adjustmentsKeptMs: 86_400_000,
  adjustmentsKept: 10_000,
  /** How long a reference price may count at most: a hundred years. */
  referencePriceMs: 36_525 * 86_400_000,
  /** Tokens of operators at a time. */
  operatorTokens: 1000,
  /** Idempotency keys of operators that are remembered at a time, and how long. */
  idempotencyKeys: 10_000,
  idempotencyKeptMs: 86_400_000,
  /** Changes that wait for a second operator, those that are remembered, and how long one waits. DEC-OPR-142. */
  proposalsOpen: 100,
  proposalsKept: 1000,
  proposalLifeMs: 86_400_000,
  /** Entries between two recorded digests, see `assertDigest`. */
  digestInterval: 4096,
} as const;

/**
 * How full the largest tables may be before a command that adds to them is refused. A table holds 2^32 bytes; an
 * eighth of it is left for the commands that were let in and wait for their turn, whose bytes are bounded.
 */
export const tableBounds = {
  /** Of 33.5 million records: open orders, and closed ones whose client ids are kept. */
  orders: 29_000_000,
  /** Of 8.4 million blocks of price levels. */
  priceBlocks: 7_300_000,
  /** Of 134 million. */
  balances: 117_000_000,
  /** Of 134 million. */
  holds: 117_000_000,
  /** Of 16.7 million, which is what a `Map` by uid can hold. */
  accounts: 14_000_000,
  /** Of 268 million payments that are remembered as final. */
  deposits: 58_000_000,
  /** Of 16.7 million records of deposits that wait, or became final lately. */
  liveDeposits: 8_000_000,
  /** Of 16.7 million withdrawals that are not final, or of the last day. */
  withdrawals: 12_000_000,
  /** Saved addresses of all accounts. */
  savedAddresses: 12_000_000,
  /** Of 16.7 million invitations. */
  invitations: 12_000_000,
  /** Of 16.7 million invite codes of all accounts, and of 16.7 million codes that were clicked. */
  inviteCodes: 12_000_000,
  clickedCodes: 12_000_000,
  /**
   * Records of what accrued and is not settled: each is owed to at most four, of 16.7 million that may be owed.
   * DEC-SUB-43.
   */
  rebateAccruals: 4_000_000,
  /** Of 16.7 million positions and settings of contracts. */
  positions: 12_000_000,
} as const;
