import type { BannedTarget } from '#model/ban.ts';
import type { ClientKind } from '#model/client-target.ts';
import type { LimitedTarget } from '#model/operator-rate-limit.ts';
import { accountOfTarget } from '#engine/state/accounts/client-table.ts';
import { futuresWalletOf, houseNames } from '#model/account.ts';
import type { ActTarget, TargetKind } from '#model/act.ts';
import type { CommandOf, PlainKind } from '#model/command.ts';
import { tokenIdOf } from '#model/person.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import {
  accountRecord,
  apiKeyRecord,
  assetRecord,
  balanceRecord,
  contractRecord,
  orderRecord,
  pairRecord,
  pendingRecord,
  proposalRecord,
  tradingRecord,
} from '#engine/acts/act-records.ts';
import { uidWords } from '#engine/acts/act-words.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What a command is about: asked before and after it is applied. */
export interface ActSubject {
  readonly kind: TargetKind;
  /** Known before a command that opens something is applied only where that names it. */
  readonly id: () => ActTarget['id'];
  /** The record that the command changes, as it is now; `null`: there is none. */
  readonly record: () => object | null;
}

type SubjectOf<Kind extends PlainKind> = (state: EngineState, command: CommandOf<Kind>) => ActSubject;

const nothing = (): null => null;

const subject = (kind: TargetKind, id: string | null, record: () => object | null = nothing): ActSubject => ({
  kind,
  id: () => id,
  record,
});

const ofExchange = (): ActSubject => subject('exchange', null);

/** Something about an account or about one of the house; without `record` that of the account itself. */
function ofAccount(state: EngineState, account: AccountId, record?: () => object | null): ActSubject {
  const isKnown = houseNames.has(account) || state.accounts.get(account) !== null;
  const id = isKnown ? String(uidWords(state, account)) : null;
  const kind = houseNames.has(account) ? 'houseAccount' : 'account';
  return subject(kind, id, record ?? (() => accountRecord(state, account)));
}

/** The account that a command opens: the newest one, if there is one more than before. */
function ofOpened(state: EngineState): ActSubject {
  const before = state.accounts.size;
  const opened = () => (state.accounts.size > before ? state.accounts.records.at(-1)! : null);
  return {
    kind: 'account',
    id: () => opened()?.uid.toString() ?? null,
    record: () => {
      const account = opened();
      return account === null ? null : accountRecord(state, account.account);
    },
  };
}

type OfAccount = { readonly account: AccountId };
type OfMaster = { readonly master: AccountId };
const account = (state: EngineState, command: OfAccount): ActSubject => ofAccount(state, command.account);
const master = (state: EngineState, command: OfMaster): ActSubject => ofAccount(state, command.master);

/** What somebody trades. */
const trading = (state: EngineState, { account: trader, symbol = null }: OfAccount & { symbol?: SymbolId | null }) =>
  ofAccount(state, trader, () => tradingRecord(state, trader, symbol));

/** What an account owns of an asset. */
const balance = (state: EngineState, { account: owner, asset }: OfAccount & { readonly asset: AssetId }): ActSubject =>
  ofAccount(state, owner, () => balanceRecord(state, owner, asset));

/** What an adjustment changes, and how many there were. */
const adjusted = (state: EngineState, { account: owner, wallet, asset }: CommandOf<'adjustBalance'>): ActSubject =>
  ofAccount(state, owner, () => ({
    ...balanceRecord(state, wallet === 'futures' ? futuresWalletOf(owner) : owner, asset),
    adjustment: state.adjustments.lastAdjustment,
  }));

const apiKey = (state: EngineState, { account: owner, accessKey }: OfAccount & { readonly accessKey: string }) =>
  ofAccount(state, owner, () => apiKeyRecord(state, owner, accessKey));

const savedAddress = (state: EngineState, command: CommandOf<'removeSavedAddress'> | CommandOf<'saveAddress'>) =>
  ofAccount(state, command.account, () => state.savedAddresses.find(command));

const network = (state: EngineState, { network: code }: { readonly network: string }): ActSubject =>
  subject('network', code, () => state.chains.get(code) ?? null);

const deposit = (state: EngineState, command: { readonly deposit: number }): ActSubject =>
  subject('deposit', String(command.deposit), () => state.deposits.get(command.deposit));

/** The deposit of a payment, which may not be known before. */
const depositOf = (state: EngineState, payment: Parameters<EngineState['deposits']['find']>[0]): ActSubject => {
  const found = () => state.deposits.find(payment, state.at);
  return { kind: 'deposit', id: () => found()?.deposit.toString() ?? null, record: found };
};

const withdrawal = (state: EngineState, command: { readonly withdrawal: number }): ActSubject =>
  subject('withdrawal', String(command.withdrawal), () => state.withdrawals.get(command.withdrawal));

const lostPayment = (state: EngineState, command: { readonly withdrawal: number }): ActSubject =>
  subject('withdrawal', String(command.withdrawal), () => state.paidWithdrawals.get(command.withdrawal));

const payment = (state: EngineState, code: string, name: string): ActSubject =>
  subject('payment', `${code}/${name}`, () => state.unknownPayments.get(code, name));

const token = (state: EngineState, { tokenHash }: { readonly tokenHash: string }): ActSubject =>
  subject('token', tokenIdOf(tokenHash), () => state.operatorTokens.find(tokenHash));

const webhook = (state: EngineState, { webhook: id }: { readonly webhook: string }): ActSubject =>
  subject('webhook', id, () => state.webhooks.find(id));

const referencePrice = (state: EngineState, { asset }: { readonly asset: AssetId }): ActSubject =>
  subject('referencePrice', state.assets.known(asset)?.code ?? null, () => state.referencePrices.find(asset));

/** An address, or an account: that of a key. */
function ofClient(state: EngineState, kind: ClientKind, target: string, record: ActSubject['record']): ActSubject {
  if (kind === 'address') return subject('address', target, record);
  const owner = accountOfTarget(state, kind, target);
  return owner === null ? subject('account', null, record) : ofAccount(state, owner, record);
}

const ofBan = (state: EngineState, { banned, target }: BannedTarget): ActSubject =>
  ofClient(state, banned, target, () => {
    const automatic = banned === 'address' ? state.bans.find(target) : null;
    const ban = state.operatorBans.find({ banned, target });
    return automatic === null && ban === null ? null : { ban, automatic };
  });

const ofRateLimit = (state: EngineState, { limited, target }: LimitedTarget): ActSubject =>
  ofClient(state, limited, target, () => {
    const rateLimit = state.operatorRateLimits.find({ limited, target });
    return rateLimit === null ? null : { rateLimit };
  });

const contract = (state: EngineState, name: string): ActSubject =>
  subject('contract', name, () => contractRecord(state, name));
const contractOf = (state: EngineState, command: { readonly contract: SymbolId }): ActSubject => {
  const known = state.contracts.get(command.contract);
  return known === null ? subject('contract', null) : contract(state, known.rules.name);
};

const proposal = (state: EngineState, command: { readonly proposal: number }): ActSubject =>
  subject('proposal', String(command.proposal), () =>
    proposalRecord(state.operators.find(command.proposal), (proposed) => subjectOf(state, proposed).record()),
  );

/** What each kind of command is about: a new one does not compile until it is listed. DEC-OPR-192. */
const subjects: { readonly [Kind in PlainKind]: SubjectOf<Kind> } = {
  placeOrder: (state, { account: trader, order }) => trading(state, { account: trader, symbol: order.symbol }),
  placeOrders: trading,
  requote: trading,
  cancelOrder: (state, { account: trader, symbol, ref }) =>
    ofAccount(state, trader, () => orderRecord(state, trader, symbol, ref)),
  cancelOrders: trading,
  cancelSomeOrders: trading,
  configureAsset: (state, { asset: { code } }) => subject('asset', code, () => assetRecord(state, code)),
  configureSymbol: (state, { symbol: { name } }) => subject('pair', name, () => pairRecord(state, name)),
  cancelOfflineOrders: ofExchange,
  delistAsset: (state, { asset }) => {
    const code = state.assets.known(asset)?.code ?? null;
    return subject('asset', code, () => (code === null ? null : assetRecord(state, code)));
  },
  delistSymbol: (state, { symbol }) => {
    const name = state.books[symbol]?.rules.name ?? null;
    return subject('pair', name, () => (name === null ? null : pairRecord(state, name)));
  },
  configureFeeToken: (state) => subject('platformToken', null, () => state.feeToken.value),
  setFeeTiers: (state) => subject('feeTiers', null, () => state.feeTiers.table),
  assignFeeTiers: ofExchange,
  setReferencePrice: referencePrice,
  removeReferencePrice: referencePrice,
  openAccount: ofOpened,
  registerAccount: ofOpened,
  openSubAccount: ofOpened,
  enableFutures: account,
  setAccountClass: account,
  setAccountStatus: account,
  setAccountSwitches: account,
  setAccountClosed: account,
  createWebhook: webhook,
  changeWebhook: webhook,
  deleteWebhook: webhook,
  recordWebhookProgress: webhook,
  giveUpWebhook: webhook,
  addAccountNote: (state, { account: owner }) =>
    ofAccount(state, owner, () => ({ notes: state.accountNotes.countOf(owner) })),
  cancelFrozenOrders: ofExchange,
  setTradingRules: account,
  setFeeDeduction: account,
  setKycLevel: account,
  setContact: account,
  creditFunds: balance,
  adjustBalance: adjusted,
  makeUniversalTransfer: master,
  createApiKey: apiKey,
  endApiKeys: ofExchange,
  deleteApiKey: apiKey,
  createListenKey: account,
  renewListenKey: account,
  deleteListenKey: account,
  createStpGroup: master,
  deleteStpGroup: master,
  addToStpGroup: master,
  removeFromStpGroup: master,
  banAddress: (state, { address }) => subject('address', address, () => state.bans.find(address)),
  setBan: ofBan,
  liftBan: ofBan,
  setRateLimit: ofRateLimit,
  liftRateLimit: ofRateLimit,
  advanceClock: ofExchange,
  assertDigest: ofExchange,
  activateRules: ofExchange,
  recordQuarantine: ofExchange,
  recordProfile: ofExchange,
  recordIdKey: ofExchange,
  recordBackup: ofExchange,
  raiseNumbers: ofExchange,
  createOperatorToken: token,
  deleteOperatorToken: token,
  setTrading: (state) => subject('exchange', null, () => state.trading.status),
  setAlone: (state) => subject('exchange', null, () => ({ alone: state.operators.isAlone })),
  approveProposal: proposal,
  cancelProposal: proposal,
  endProposals: ofExchange,
  configureWallet: (state) => subject('walletRules', null, () => state.walletRules.value),
  configureAssetNetwork: (state, { network: { asset, network: code } }) =>
    subject('assetNetwork', `${state.assets.known(asset)?.code ?? asset}/${code}`, () =>
      state.assetNetworks.get(asset, code),
    ),
  assignDepositAddress: (state, { account: owner, network: code }) =>
    ofAccount(state, owner, () => state.depositAddresses.of(owner, code)),
  recordChainPosition: network,
  recordFork: network,
  reportDeposit: depositOf,
  creditSmallDeposits: network,
  removeDeposit: depositOf,
  reviewDeposit: deposit,
  payBackDeposit: deposit,
  cancelRefund: deposit,
  requestWithdrawal: balance,
  cancelWithdrawal: withdrawal,
  advanceWithdrawal: withdrawal,
  reviewWithdrawal: withdrawal,
  recordSweep: network,
  saveAddress: savedAddress,
  removeSavedAddress: savedAddress,
  setAllowList: account,
  transferFunds: balance,
  sendFunds: balance,
  convertDust: account,
  recordUnknownPayment: (state, { network: code, nonce, txId }) =>
    payment(state, code, nonce === null ? (txId ?? '') : String(nonce)),
  bookUnknownPayment: (state, command) => payment(state, command.network, command.payment),
  recordLostPayment: lostPayment,
  bookLostPayment: lostPayment,
  createInviteCode: (state, { owner, code }) => ofAccount(state, owner, () => state.inviteCodes.find(code)),
  setRebateRates: (state, { inviter, product }) =>
    ofAccount(state, inviter, () => state.rebateRates.of(inviter, product)),
  recordClicks: (state, { code }) => subject('inviteCode', code, () => state.inviteClicks.of(code)),
  settleRebates: ofExchange,
  rejectRebates: (state, command) => ofAccount(state, command.beneficiary, () => pendingRecord(state, command)),
  configureContract: (state, { contract: { name } }) => contract(state, name),
  setContractState: contractOf,
  fundInsurance: (state, command) => {
    const known = state.contracts.get(command.contract);
    if (known === null) return contractOf(state, command);
    const { name, settle } = known.rules;
    return subject('contract', name, () => balanceRecord(state, futuresWalletOf(known.insurer), settle));
  },
  updateIndices: ofExchange,
  reducePosition: (state, { account: trader, order }) => trading(state, { account: trader, symbol: order.symbol }),
  setLeverage: (state, { account: trader, contract: symbol }) => trading(state, { account: trader, symbol }),
};

/** What a command is about. */
export const subjectOf = <Kind extends PlainKind>(state: EngineState, command: CommandOf<Kind>): ActSubject =>
  (subjects[command.kind as Kind] as SubjectOf<Kind>)(state, command);
