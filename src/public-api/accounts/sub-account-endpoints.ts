import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as key from '#public-api/declaration/key-fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { transferStatuses, walletKindOfWord, walletKindWord } from '#http/words.ts';

const { subAccounts: limits } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare', weight: { ip: 1 } } as const;
const reads = signed('SPOT_ACCOUNT_READ', 'master');

const keyShape = {
  subAccount: z.string(),
  note: z.string(),
  apiKey: z.string(),
  permissions: z.string().meta({ examples: ['SPOT_DEAL_READ,SPOT_DEAL_WRITE'] }),
  ip: z.string().meta({ examples: ['203.0.113.7', ''] }),
  creatTime: answer.moment(),
};
/** When a key ends by itself. DEC-REQ-147. */
const endTime = answer.moment().nullable();
const keys = { ...shared, access: reads } as const;

/** The two wallets of a transfer; this account is the master, or the broker. */
export const sides = {
  fromAccount: field.optional(key.subAccountName('Sub-account that the money leaves; this account unless sent.')),
  toAccount: field.optional(key.subAccountName('Sub-account that the money goes to; this account unless sent.')),
  fromAccountType: field.word(walletKindOfWord, 'Wallet that the money leaves.'),
  toAccountType: field.word(walletKindOfWord, 'Wallet that the money goes to.'),
};

/** Which universal transfers a history tells. */
export const universalTransferFilter = {
  fromAccount: field.optional(key.subAccountName('Only from this sub-account.')),
  toAccount: field.optional(key.subAccountName('Only to this sub-account.')),
  fromAccountType: sides.fromAccountType,
  toAccountType: sides.toAccountType,
  ...historyTimes,
  page: money.page(),
  limit: field.limit(limits.transfersDefault, limits.transfersMax),
};

/** A transfer as its master, or its broker, sees it. */
export const universalTransferEntry = z.object({
  tranId: z.string(),
  fromAccount: z.string(),
  toAccount: z.string(),
  clientTranId: z.string().nullable(),
  asset: z.string(),
  amount: answer.decimalText(),
  fromAccountType: z.enum(walletKindWord),
  toAccountType: z.enum(walletKindWord),
  fromSymbol: answer.unused(),
  toSymbol: answer.unused(),
  status: z.enum(transferStatuses),
  timestamp: answer.moment(),
});

/** Endpoints of sub-accounts and their keys. */
export const subAccountEndpoints = {
  openSubAccount: endpoint.post('/api/v3/sub-account/virtualSubAccount', {
    ...shared,
    spec: ['SPEC-SUB-01', 'SPEC-SUB-10', 'DEC-SUB-01', 'DEC-SUB-09'],
    name: 'Create sub-account',
    summary: 'Opens a sub-account of this account.',
    notes: 'Its name is 8 to 32 letters and digits and unique among your sub-accounts.',
    access: reads,
    request: z.object({ subAccount: key.newSubAccountName(), note: key.note('subAccountNoteRequired') }),
    response: z.object({ subAccount: z.string(), note: z.string() }),
    errors: [
      'subAccountNameRequired',
      'subAccountNameMalformed',
      'subAccountNoteRequired',
      'userNameTaken',
      'operationNotAllowed',
    ],
    example: { subAccount: 'marketmaker1', note: 'first desk' },
  }),
  subAccounts: endpoint.get('/api/v3/sub-account/list', {
    ...shared,
    spec: ['SPEC-SUB-02', 'SPEC-SUB-10'],
    name: 'Sub-account list',
    summary: 'Sub-accounts of this account, in the order in which they were opened, by pages.',
    access: reads,
    request: z.object({
      subAccount: field.optional(key.subAccountName('Only the one with this name.')),
      isFreeze: field.optional(field.flag('Only frozen ones, or only others.')),
      page: money.page(),
      limit: field.limit(limits.listDefault, limits.listMax),
    }),
    response: z.object({
      subAccounts: z.array(
        z.object({ subAccount: z.string(), isFreeze: z.boolean(), createTime: answer.moment(), uid: z.string() }),
      ),
    }),
    errors: ['invalidParameter'],
  }),
  createSubAccountKey: endpoint.post('/api/v3/sub-account/apiKey', {
    ...keys,
    spec: ['SPEC-SUB-03', 'SPEC-SUB-04', 'SPEC-SUB-10', 'SPEC-CNV-27', 'DEC-SUB-10', 'DEC-SUB-12'],
    name: 'Create sub-account key',
    summary: 'Makes an API key of a sub-account. Its secret is answered once, here.',
    notes: 'Each call makes another key, at most 30 of an account. A lost secret is replaced by deleting its key.',
    money: true,
    jsonLists: ['permissions', 'ip'],
    request: z.object({
      subAccount: key.subAccountName(),
      note: key.note('apiKeyNoteRequired'),
      permissions: key.permissionList(key.subAccountPermissions),
      ip: field.optional(key.boundAddresses(limits.addressesPerKey)),
    }),
    response: z.object({ ...keyShape, secretKey: z.string() }),
    errors: [
      'subAccountNameRequired',
      'unknownSubAccount',
      'subAccountForbidden',
      'apiKeyNoteRequired',
      'apiKeyPermissionRequired',
      'unknownPermission',
      'tooManyBoundAddresses',
      'boundAddressMalformed',
      'tooManyApiKeys',
    ],
    example: { subAccount: 'marketmaker1', note: 'trading bot', permissions: 'SPOT_DEAL_READ,SPOT_DEAL_WRITE' },
  }),
  subAccountKeys: endpoint.get('/api/v3/sub-account/apiKey', {
    ...keys,
    spec: ['SPEC-SUB-05', 'SPEC-SUB-10', 'DEC-SUB-10'],
    name: 'Sub-account keys',
    summary: 'API keys of a sub-account, without their secrets.',
    request: z.object({ subAccount: key.subAccountName() }),
    response: z.object({ subAccount: z.array(z.object({ ...keyShape, endTime })) }),
    errors: ['subAccountNameRequired', 'unknownSubAccount'],
    example: { subAccount: 'marketmaker1' },
  }),
  deleteSubAccountKey: endpoint.delete('/api/v3/sub-account/apiKey', {
    ...keys,
    spec: ['SPEC-SUB-06', 'SPEC-SUB-10', 'DEC-SUB-07', 'DEC-SUB-10'],
    name: 'Delete sub-account key',
    summary: 'Ends an API key of a sub-account; its next request is refused.',
    mayBeFrozen: true,
    money: true,
    request: z.object({ subAccount: key.subAccountName(), apiKey: key.accessKey() }),
    response: z.object({ subAccount: z.string() }),
    errors: ['subAccountNameRequired', 'unknownSubAccount', 'accessKeyRequired', 'unknownApiKey'],
    example: { subAccount: 'marketmaker1', apiKey: 'mx0vglBqhzhnd7hVQM' },
  }),
  subAccountAssets: endpoint.get('/api/v3/sub-account/asset', {
    ...shared,
    spec: ['SPEC-SUB-09', 'SPEC-SUB-10', 'DEC-SUB-11'],
    name: 'Sub-account balances',
    summary: 'What the spot wallet of a sub-account holds.',
    access: signed('SPOT_TRANSFER_READ', 'master'),
    request: z.object({
      subAccount: key.subAccountName(),
      accountType: field.word(walletKindOfWord, 'Wallet; only SPOT is supported.'),
    }),
    response: z.object({
      balances: z.array(z.object({ asset: z.string(), free: answer.decimalText(), locked: answer.decimalText() })),
    }),
    errors: ['subAccountNameRequired', 'unknownSubAccount', 'parameterRequired', 'subsystemNotSupported'],
    example: { subAccount: 'marketmaker1', accountType: 'SPOT' },
  }),
};

/** Endpoints of transfers between a master and its sub-accounts. */
export const universalTransferEndpoints = {
  universalTransfer: endpoint.post('/api/v3/capital/sub-account/universalTransfer', {
    ...shared,
    spec: ['SPEC-SUB-07', 'SPEC-SUB-10', 'DEC-REQ-22', 'DEC-REQ-27', 'DEC-SUB-11', 'DEC-SUB-51'],
    name: 'Universal transfer',
    summary: 'Moves an amount of an asset between wallets of this account and of its sub-accounts.',
    notes: 'The same clientTranId with the same parameters answers the first transfer again, for 24 hours.',
    access: signed('SPOT_TRANSFER_WRITE', 'master'),
    money: true,
    takesMoney: true,
    request: z.object({
      clientTranId: field.optional(key.clientTranId("The caller's own id of the transfer.")),
      ...sides,
      asset: money.asset(),
      amount: money.amount(),
    }),
    response: z.object({ tranId: z.string() }),
    errors: [
      'currencyRequired',
      'amountRequired',
      'parameterRequired',
      'unknownSubAccount',
      'subAccountForbidden',
      'unknownCurrency',
      'amountNotPositive',
      'tooManyAmountDecimals',
      'accountTransferNotSupported',
      'currencyTransferNotSupported',
      'subAccountNotOpened',
      'insufficientBalance',
      'transferDisabled',
      'withdrawalUnderRiskControl',
      'operationNotAllowed',
    ],
    example: {
      toAccount: 'marketmaker1',
      fromAccountType: 'SPOT',
      toAccountType: 'SPOT',
      asset: 'USDT',
      amount: '10',
    },
  }),
  universalTransfers: endpoint.get('/api/v3/capital/sub-account/universalTransfer', {
    ...shared,
    spec: ['SPEC-SUB-08', 'SPEC-SUB-10', 'DEC-SUB-02', 'DEC-SUB-51', 'DEC-SUB-52'],
    name: 'Universal transfer history',
    summary: 'Transfers between this account and its sub-accounts, newest first, by pages.',
    notes:
      'The last 7 days unless a time is given; at most the last 183 days. This account is named by its uid, which ' +
      'fromAccount and toAccount take too.',
    access: signed('SPOT_TRANSFER_READ', 'master'),
    readsHistory: true,
    request: z.object({
      clientTranId: field.optional(key.clientTranId('Only the transfer with this id of the caller.')),
      ...universalTransferFilter,
    }),
    rules: timesAscend,
    response: z.array(universalTransferEntry),
    errors: ['parameterRequired', 'invalidParameter', 'unknownSubAccount'],
    example: { fromAccountType: 'SPOT', toAccountType: 'SPOT' },
  }),
};
