import { engineLimits } from '#model/limits.ts';

/** Details of a refusal: the parameter at fault and the reason, a clause without a full stop. */
export interface Fault {
  readonly parameter?: string;
  readonly why?: string;
}

/** What is wrong: nothing has that name, the state is against it, the request itself, or rights are missing. */
export type RefusalKind = 'unknown' | 'conflict' | 'impossible' | 'forbidden';

/** A reason why the engine refuses a command, and what people are told of it. */
export interface RefusalSpec<Code extends string = string> {
  /** In digests of events: a number once given stays, a new reason takes the next one. */
  readonly number: number;
  readonly kind: RefusalKind;
  /** A sentence for operators. */
  readonly title: string;
  /** Name of the public error, which has the code and the text. */
  readonly error: Code;
  /** What the public error adds where several reasons share one. The gateway adds the bounds it knows. */
  readonly fault: Fault;
}

const ofKind =
  (kind: RefusalKind) =>
  <const Code extends string>(number: number, title: string, error: Code, fault: Fault = {}): RefusalSpec<Code> => ({
    number,
    kind,
    title,
    error,
    fault,
  });
const unknown = ofKind('unknown');
const conflict = ofKind('conflict');
const cannot = ofKind('impossible');
const forbidden = ofKind('forbidden');

/**
 * Why the engine refuses a command: number, sentence for operators, public error, and what that adds. Those of orders
 * stand in order of precedence: the first that applies is answered (DEC-ORD-04). `http/errors.ts` has the codes of the
 * public errors, and asks for each that is named here; the problems of operators follow. DEC-OPR-05.
 */
export const refusals = {
  unknownSymbol: unknown(0, 'The symbol is not listed.', 'invalidSymbol'),
  tradingSuspended: conflict(1, 'Trading is suspended for this symbol.', 'tradingSuspended'),
  apiTradingOff: conflict(2, 'Trading by API is off for this symbol.', 'tradingDisabled'),
  sideNotAllowed: cannot(3, 'This side is not allowed on this symbol.', 'sideNotAllowed'),
  kindNotAllowed: cannot(4, 'This kind of order is not allowed on this symbol.', 'orderTypeNotAllowed'),
  marketNotAllowed: cannot(5, 'Market orders are not allowed on this symbol.', 'marketOrderDisabled'),
  malformedOrder: cannot(6, 'The order is malformed.', 'invalidParameter', {
    why: 'price, quantity and amount do not fit the order type',
  }),
  belowMinimumQuantity: cannot(7, 'The quantity is below the minimum.', 'belowMinimum'),
  belowMinimumAmount: cannot(8, 'The amount is below the minimum.', 'belowMinimum'),
  aboveMaximumAmount: cannot(9, 'The amount is above the maximum.', 'aboveMaximum'),
  priceOutsideBand: cannot(10, 'The price is outside what the symbol allows.', 'noValidPrice', {
    parameter: 'price',
    why: 'it is too far from the last price',
  }),
  tooManyOpenOrders: conflict(11, 'The account has too many open orders.', 'tooManyOpenOrders'),
  clientOrderIdInUse: conflict(12, 'The client order id is in use.', 'invalidParameter', {
    parameter: 'newClientOrderId',
    why: 'it belongs to an order with other parameters',
  }),
  wouldTakeLiquidity: conflict(13, 'The order would trade at once.', 'orderTypeNotAllowed', {
    why: 'it would trade at once',
  }),
  noOpposingOrder: conflict(14, 'There is no order to trade with.', 'noOpposingOrder'),
  notEnoughQuote: conflict(15, 'There is not enough of the quote asset.', 'insufficientPosition', {
    why: 'too little of the quote asset is free',
  }),
  notEnoughBase: conflict(16, 'There is not enough of the base asset.', 'oversold', {
    why: 'too little of the base asset is free',
  }),
  unknownOrder: unknown(17, 'There is no such order.', 'unknownOrder'),
  unknownAccount: unknown(18, 'There is no such account.', 'unknownUser'),
  accountNotUsable: conflict(
    19,
    'The account may not do this: it is frozen, or it is that of an insurance fund.',
    'accountAbnormal',
  ),
  tradingOffForAccount: conflict(140, 'Trading is switched off for the account.', 'tradingDisabled', {
    why: 'it is switched off for this account',
  }),
  withdrawalsOffForAccount: conflict(
    141,
    'Withdrawals are switched off for the account.',
    'withdrawalUnderRiskControl',
    { why: 'withdrawals and transfers to others are switched off for this account' },
  ),
  depositInDoubt: conflict(
    131,
    'A deposit of the account is being checked, because its chain changed.',
    'accountAbnormal',
    { why: 'a deposit of it is being checked, because its chain changed; try again in a few seconds' },
  ),
  unknownAsset: unknown(20, 'The asset is not listed.', 'unknownCurrency'),
  notEnoughFunds: conflict(21, 'The account does not have that much.', 'insufficientBalance', {
    parameter: 'amount',
    why: 'too little is free',
  }),
  aboveAssetCap: conflict(22, 'More of the asset would exist than its cap allows.', 'wrongAmount'),
  uidInUse: conflict(23, 'The uid is in use.', 'invalidParameter', { parameter: 'uid', why: 'it is in use' }),
  accessKeyInUse: conflict(24, 'The access key is in use.', 'invalidParameter', {
    parameter: 'apiKey',
    why: 'it is in use',
  }),
  unknownKey: unknown(25, 'There is no such API key.', 'unknownApiKey', { parameter: 'apiKey' }),
  tooManyKeys: conflict(26, 'The account has too many API keys.', 'tooManyApiKeys'),
  listenKeyInUse: conflict(27, 'The listen key is in use.', 'invalidParameter', {
    parameter: 'listenKey',
    why: 'it is in use',
  }),
  unknownListenKey: unknown(28, 'There is no such listen key.', 'invalidParameter', {
    parameter: 'listenKey',
    why: 'it is not a valid key of this account',
  }),
  tooManyListenKeys: conflict(29, 'The account has too many listen keys.', 'unsupportedOperation', {
    why: `an account holds at most ${engineLimits.listenKeysPerAccount} valid listen keys`,
  }),
  groupNameInUse: conflict(30, 'The name of the group is in use.', 'invalidParameter', {
    parameter: 'tradeGroupName',
    why: 'a group of this name exists',
  }),
  tooManyGroups: conflict(31, 'The account has too many groups.', 'operationNotAllowed', {
    why: `a master holds at most ${engineLimits.stpGroupsPerMaster} groups`,
  }),
  unknownGroup: unknown(32, 'There is no such group.', 'recordNotFound', { parameter: 'tradeGroupId' }),
  notOfThisMaster: conflict(33, 'The account does not belong to this master.', 'unknownSubAccount', {
    parameter: 'uid',
  }),
  invalidConfiguration: cannot(34, 'The exchange does not accept this configuration.', 'invalidParameter', {
    why: 'the configuration contradicts itself',
  }),
  digestMismatch: conflict(35, 'The digest of the replay differs.', 'internalError'),
  walletNotConfigured: conflict(36, 'The wallet has no rules yet: configure them first.', 'transferDisabled', {
    why: 'the wallet is not set up',
  }),
  unknownNetwork: unknown(37, 'The asset is not on this network.', 'invalidParameter', {
    parameter: 'network',
    why: 'the asset is not on it',
  }),
  depositsOff: conflict(38, 'Deposits are switched off.', 'transferDisabled', {
    parameter: 'network',
    why: 'deposits of the asset are switched off there',
  }),
  withdrawalsOff: conflict(39, 'Withdrawals are switched off.', 'transferDisabled', {
    parameter: 'network',
    why: 'withdrawals of the asset are switched off there',
  }),
  wrongAmount: cannot(40, 'The amount is not one that can be moved.', 'wrongAmount', { parameter: 'amount' }),
  dailyCapExceeded: conflict(41, 'The account would withdraw more than its daily cap.', 'withdrawalUnderRiskControl', {
    parameter: 'amount',
    why: 'more than the account may withdraw within 24 hours',
  }),
  addressNotAllowed: cannot(42, 'The address cannot be paid.', 'addressNotCommonlyUsed', { parameter: 'address' }),
  ownAddress: cannot(43, 'The address is of the account itself.', 'transferForbidden', {
    parameter: 'address',
    why: 'it is an address of this account',
  }),
  unknownMemo: cannot(44, 'The memo is of nobody.', 'invalidParameter', {
    parameter: 'memo',
    why: 'nobody here has it',
  }),
  unknownWithdrawal: unknown(45, 'There is no such withdrawal.', 'recordNotFound', { parameter: 'id' }),
  notCancellable: conflict(46, 'The withdrawal can no longer be cancelled.', 'operationNotAllowed', {
    parameter: 'id',
    why: 'the withdrawal is being processed, or over',
  }),
  requestIdInUse: conflict(47, 'The id of the request is in use.', 'invalidParameter', {
    parameter: 'withdrawOrderId',
    why: 'it belongs to a request with other parameters',
  }),
  wrongState: conflict(48, 'This cannot be done in its present state.', 'operationNotAllowed'),
  notYet: conflict(49, 'This cannot be done yet.', 'operationNotAllowed'),
  subAccountNameInUse: conflict(74, 'The name of the sub-account is in use.', 'userNameTaken', {
    parameter: 'subAccount',
  }),
  tooManySubAccounts: conflict(75, 'The account has too many sub-accounts.', 'operationNotAllowed', {
    why: 'the account has as many sub-accounts as it may have',
  }),
  futuresNotEnabled: conflict(76, 'Futures are not enabled for the sub-account.', 'subAccountNotOpened'),
  unknownInviteCode: cannot(77, 'There is no such invite code.', 'invalidParameter'),
  inviteCodeInUse: conflict(78, 'The invite code is in use.', 'invalidParameter'),
  tooManyInviteCodes: conflict(79, 'The account has too many invite codes.', 'operationNotAllowed'),
  unknownContract: unknown(81, 'There is no such contract.', 'badSymbol'),
  contractNotTradable: conflict(82, 'The contract cannot be traded in its present state.', 'tradingSuspended'),
  notEnoughMargin: conflict(83, 'The account has too little free margin.', 'insufficientBalance'),
  noPosition: conflict(84, 'There is no position that the order could reduce.', 'recordNotFound'),
  aboveRiskLimit: conflict(85, 'The position would exceed the risk limit.', 'maximumPositionExceeded'),
  hasPosition: conflict(86, 'The account has a position or open orders of the contract.', 'operationNotAllowed'),
  wrongLeverage: cannot(87, 'The leverage is not one that the contract allows.', 'invalidParameter'),
  nothingPending: conflict(80, 'There is nothing pending that could be rejected.', 'recordNotFound'),
  unknownDeposit: unknown(50, 'There is no such deposit.', 'recordNotFound'),
  notConfirmed: conflict(51, 'The deposit is not confirmed yet.', 'operationNotAllowed'),
  addressIndexTaken: conflict(52, 'The index of the address is taken.', 'noAddressAvailable'),
  addressInUse: conflict(53, 'The address is in use.', 'noAddressAvailable'),
  unknownTarget: unknown(54, 'The receiver does not exist.', 'unknownUser', { parameter: 'toAccount' }),
  targetNotUsable: conflict(72, 'The receiver cannot receive now.', 'accountAbnormal'),
  targetForbidden: conflict(73, 'The receiver may not receive.', 'subAccountForbidden'),
  sameAccount: cannot(55, 'Sender and receiver are the same account.', 'transferForbidden', {
    parameter: 'toAccount',
    why: 'it is this account',
  }),
  sameWallet: cannot(56, 'Both wallets are the same.', 'accountTransferNotSupported', {
    parameter: 'toAccountType',
    why: "it equals 'fromAccountType'",
  }),
  notTransferable: cannot(57, 'The asset cannot be moved between wallets.', 'currencyTransferNotSupported', {
    parameter: 'asset',
  }),
  notConvertible: cannot(58, 'The asset cannot be converted.', 'currencyTransferNotSupported', {
    parameter: 'asset',
    why: 'it cannot be converted',
  }),
  nothingLeft: cannot(59, 'Nothing is left after the fee.', 'wrongAmount', {
    parameter: 'asset',
    why: 'nothing is left after the fee',
  }),
  tooManyConversions: conflict(60, 'The account has converted too often today.', 'operationNotAllowed', {
    why: `at most ${engineLimits.conversionsPerDay} conversions within 24 hours`,
  }),
  tooMuchDust: cannot(61, 'That is worth more than one conversion may be.', 'wrongAmount', {
    parameter: 'asset',
    why: 'together it is worth more than one conversion may be',
  }),
  contactInUse: conflict(62, 'The mail or mobile number belongs to another account.', 'invalidParameter'),
  tooManySavedAddresses: conflict(63, 'The account has saved too many addresses.', 'operationNotAllowed'),
  unknownSavedAddress: unknown(64, 'The account has not saved this address.', 'recordNotFound'),
  sameOperator: conflict(65, 'Another operator has to decide this.', 'operationNotAllowed'),
  unknownOperatorToken: unknown(66, 'There is no such token.', 'recordNotFound'),
  operatorTokenInUse: conflict(67, 'The token exists already.', 'invalidParameter'),
  tooManyOperatorTokens: conflict(68, 'There are too many tokens: revoke some.', 'operationNotAllowed'),
  idempotencyKeyInUse: cannot(69, 'The idempotency key was used for another request.', 'invalidParameter'),
  tooManyInProgress: conflict(70, 'The account has too many withdrawals in progress.', 'operationNotAllowed', {
    why: 'too many requests of this account are in progress',
  }),
  unknownReferencePrice: unknown(130, 'No reference price of the asset was set.', 'invalidParameter'),
  houseHasTooLittle: conflict(71, 'The house account does not have that much.', 'insufficientBalance', {
    parameter: 'asset',
    why: 'the house has too little of the platform token',
  }),
  networkHeld: conflict(88, 'Withdrawals of the network are held: see GET /v1/safety.', 'operationNotAllowed'),
  unknownPayment: unknown(89, 'There is no such payment.', 'recordNotFound'),
  paymentDiffers: cannot(90, 'The payment was another one.', 'invalidParameter'),
  mayMakeTokens: forbidden(95, 'Who may make tokens may not approve.', 'operationNotAllowed'),
  unknownProposal: unknown(96, 'There is no such proposal.', 'recordNotFound'),
  proposalExpired: conflict(97, 'The proposal has expired.', 'operationNotAllowed'),
  proposalStale: conflict(98, 'What the proposal would change was changed since it was made.', 'operationNotAllowed'),
  onlyInSandbox: conflict(
    110,
    'Money from nothing exists in sandboxes only: use an adjustment.',
    'operationNotAllowed',
  ),
  pairNotOffline: conflict(
    160,
    'The pair is not offline, or its orders are still being cancelled: take it offline first.',
    'operationNotAllowed',
  ),
  pairMakesIndex: conflict(161, 'A contract takes its index price from the pair.', 'operationNotAllowed'),
  pairValuesCommission: conflict(
    162,
    'The pair tells what commission in the platform token is worth.',
    'operationNotAllowed',
  ),
  pairDelisted: conflict(
    163,
    'The pair was delisted: nothing of it changes, and its name is not given again.',
    'operationNotAllowed',
  ),
  assetHasContract: conflict(164, 'A contract is in the asset.', 'operationNotAllowed'),
  assetPaysCommission: conflict(165, 'Commission is paid or valued in the asset.', 'operationNotAllowed'),
  assetOfWalletRules: conflict(166, 'The rules of the wallet name the asset.', 'operationNotAllowed'),
  assetHasPair: conflict(167, 'A pair is in the asset.', 'operationNotAllowed'),
  assetPaysNetwork: conflict(168, 'The asset pays the fees of a network that others are on.', 'operationNotAllowed'),
  assetInTransit: conflict(
    169,
    'A payment of the asset is on its way, can still be taken back by its chain, or is not booked.',
    'operationNotAllowed',
  ),
  assetHeld: conflict(170, 'Somebody has or owes the asset.', 'operationNotAllowed'),
  assetDelisted: conflict(171, 'The asset was delisted.', 'operationNotAllowed'),
  accountClosed: conflict(125, 'The account, or its master, is closed: reopen it first.', 'accountAbnormal'),
  accountNotEmpty: conflict(126, 'The account still has something: it cannot be closed.', 'operationNotAllowed'),
  tooManyNotes: conflict(127, 'The account has as many notes as it may have.', 'operationNotAllowed'),
  unknownWebhook: unknown(128, 'There is no such webhook.', 'recordNotFound'),
  tooManyWebhooks: conflict(129, 'There are too many webhooks: remove some.', 'operationNotAllowed'),
  tooManyProposals: conflict(99, 'There are too many open proposals: cancel some.', 'operationNotAllowed'),
  unknownBan: unknown(172, 'There is no such ban.', 'recordNotFound'),
  tooManyBans: conflict(173, 'There are too many bans: lift some.', 'operationNotAllowed'),
  unknownRateLimit: unknown(174, 'Operators set no such rate limit.', 'recordNotFound'),
  tooManyRateLimits: conflict(175, 'There are too many rate limits of operators: lift some.', 'operationNotAllowed'),
} as const satisfies Record<string, RefusalSpec>;
/** Name of a reason. */
export type RejectReason = keyof typeof refusals;

/** Every reason. */
export const rejectReasons = Object.keys(refusals) as readonly RejectReason[];
