import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as key from '#public-api/declaration/key-fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import type { ErrorName } from '#http/errors.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { contactKindOfWord, contactKindWord, transferStatuses, walletKindOfWord, walletKindWord } from '#http/words.ts';

const { wallet: limits } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare' } as const;
const tranId = z.object({ tranId: z.string() });
const wallets = {
  fromAccountType: field.word(walletKindOfWord, 'Wallet that the money leaves.'),
  toAccountType: field.word(walletKindOfWord, 'Wallet that the money goes to.'),
};
const moneyErrors: readonly ErrorName[] = [
  'currencyRequired',
  'amountRequired',
  'parameterRequired',
  'unknownCurrency',
  'amountNotPositive',
  'tooManyAmountDecimals',
  'invalidParameter',
];

const transferRecord = {
  tranId: z.string(),
  clientTranId: z.string().nullable(),
  asset: z.string(),
  amount: answer.decimalText(),
  fromAccountType: z.enum(walletKindWord),
  toAccountType: z.enum(walletKindWord),
  symbol: answer.unused(),
  status: z.enum(transferStatuses),
  timestamp: answer.moment(),
};

/** Endpoints of transfers between the wallets of an account. */
export const walletTransferEndpoints = {
  transfer: endpoint.post('/api/v3/capital/transfer', {
    ...shared,
    spec: ['SPEC-WAL-13', 'DEC-WAL-05', 'DEC-WAL-70', 'DEC-WAL-73', 'DEC-REQ-22', 'DEC-REQ-27'],
    name: 'Transfer between own wallets',
    summary: 'Moves an amount of an asset between the spot and the futures wallet of the account.',
    notes:
      'The same clientTranId with the same parameters answers the first transfer again, for 24 hours. With the ' +
      'setting modelHabits the answer is the object without the array around it, as stock clients read it.',
    access: signed('SPOT_TRANSFER_WRITE'),
    money: true,
    takesMoney: true,
    weight: { ip: 1 },
    request: z.object({
      ...wallets,
      asset: money.asset(),
      amount: money.amount(),
      clientTranId: field.optional(money.requestId("The caller's own id of the transfer.")),
    }),
    response: z.union([z.array(tranId), tranId]),
    errors: [
      ...moneyErrors,
      'illegalCharacters',
      'accountTransferNotSupported',
      'currencyTransferNotSupported',
      'insufficientBalance',
      'transferDisabled',
      'operationNotAllowed',
    ],
    example: { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '10' },
  }),
  transfers: endpoint.get('/api/v3/capital/transfer', {
    ...shared,
    spec: ['SPEC-WAL-14', 'SPEC-WAL-26', 'DEC-WAL-31', 'DEC-WAL-32'],
    name: 'Transfer history',
    summary: 'Transfers from one wallet to the other, newest first, by pages.',
    notes: 'The last 7 days unless a time is given; at most the last 183 days.',
    access: signed('SPOT_TRANSFER_READ'),
    weight: { ip: 1 },
    readsHistory: true,
    request: z.object({
      ...wallets,
      ...historyTimes,
      page: money.page(),
      size: field.limit(limits.transfersDefault, limits.transfersMax),
    }),
    rules: timesAscend,
    response: z.object({
      rows: z.array(z.object({ ...transferRecord, fromSymbol: answer.unused(), toSymbol: answer.unused() })),
      total: answer.count(),
    }),
    errors: ['parameterRequired', 'invalidParameter'],
    example: { fromAccountType: 'SPOT', toAccountType: 'FUTURES' },
  }),
  transferById: endpoint.get('/api/v3/capital/transfer/tranId', {
    ...shared,
    spec: ['SPEC-WAL-15', 'SPEC-WAL-26', 'DEC-WAL-32'],
    name: 'Query transfer',
    summary: 'One transfer of the last 183 days.',
    access: signed('SPOT_TRANSFER_READ'),
    weight: { ip: 1 },
    request: z.object({ tranId: money.walletId("The exchange's id of the transfer.") }),
    response: z.object(transferRecord),
    errors: ['parameterRequired', 'recordNotFound'],
    example: { tranId: 'a'.repeat(32) },
  }),
};

/** Endpoints of money that accounts send to one another. */
export const walletSendEndpoints = {
  send: endpoint.post('/api/v3/capital/transfer/internal', {
    ...shared,
    spec: ['SPEC-WAL-19', 'DEC-WAL-33', 'DEC-WAL-152', 'DEC-REQ-22', 'DEC-REQ-27'],
    name: 'Transfer to another user',
    summary: 'Moves an amount of an asset to another account of this exchange, free of charge.',
    notes:
      'MOBILE needs areaCode. The same clientTranId with the same parameters answers the first transfer again, for ' +
      '24 hours. Counts towards the daily cap of withdrawals.',
    access: signed('SPOT_WITHDRAW_WRITE'),
    money: true,
    takesMoney: true,
    weight: { ip: 1 },
    request: z.object({
      toAccountType: field.word(contactKindOfWord, 'By what the receiver is named.'),
      toAccount: money.contact(),
      areaCode: field.optional(money.areaCode()),
      asset: money.asset(),
      amount: money.amount(),
      clientTranId: field.optional(key.clientTranId("The caller's own id of the transfer.")),
    }),
    rules: [{ kind: 'requiredWhen', parameter: 'toAccountType', values: ['mobile'], parameters: ['areaCode'] }],
    response: tranId,
    errors: [
      'subAccountParameterError',
      ...moneyErrors,
      'unknownUser',
      'transferForbidden',
      'riskControlAbnormal',
      'insufficientBalance',
      'withdrawalUnderRiskControl',
      'operationNotAllowed',
      'transferDisabled',
    ],
    example: { toAccountType: 'UID', toAccount: '10000001', asset: 'USDT', amount: '10' },
  }),
  sends: endpoint.get('/api/v3/capital/transfer/internal', {
    ...shared,
    spec: ['SPEC-WAL-20', 'SPEC-WAL-21', 'SPEC-WAL-23', 'DEC-WAL-34'],
    name: 'User transfer history',
    summary: 'What the account sent to other users and got from them, newest first, by pages.',
    notes: 'The last 7 days unless a time is given; at most the last 183 days. A receiver sees the sender masked.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 1 },
    readsHistory: true,
    request: z.object({
      ...historyTimes,
      page: money.page(),
      limit: field.limit(limits.sendsDefault, limits.pageRowsMax),
      tranId: field.optional(money.walletId("The exchange's id of the transfer.")),
    }),
    rules: timesAscend,
    response: z.object({
      page: answer.count(),
      totalRecords: answer.count(),
      totalPageNum: answer.count(),
      data: z.array(
        z.object({
          tranId: z.string(),
          asset: z.string(),
          amount: answer.decimalText(),
          toAccountType: z.enum(contactKindWord),
          toAccount: z.string(),
          fromAccount: z.string(),
          status: z.enum(transferStatuses),
          timestamp: answer.moment(),
        }),
      ),
    }),
    errors: ['invalidParameter', 'recordNotFound'],
  }),
};
