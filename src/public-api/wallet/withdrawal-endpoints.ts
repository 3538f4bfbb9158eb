import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { withdrawalStatusOfName } from '#http/words.ts';

const { wallet: limits } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare' } as const;
const idAnswer = z.object({ id: z.string() });

const terms = {
  coin: money.asset(),
  withdrawOrderId: field.optional(money.requestId("The caller's own id of the withdrawal.")),
};
const destination = {
  address: money.address(),
  memo: field.optional(money.memo()),
  amount: money.amount('What the account pays; the fee is inside.'),
  remark: field.optional(money.remark()),
};
const example = {
  coin: 'USDT',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amount: '50',
} as const;

const withdraw = endpoint.post('/api/v3/capital/withdraw', {
  ...shared,
  spec: ['SPEC-WAL-03', 'SPEC-WAL-04', 'DEC-WAL-12', 'DEC-WAL-26', 'DEC-WAL-75', 'DEC-REQ-22', 'DEC-REQ-27'],
  name: 'Withdraw',
  summary: 'Pays an amount of an asset to an address over a network.',
  notes:
    'netWork is the code or the label of a network, and may be left out where the asset has one. The fee is inside ' +
    'amount. The same withdrawOrderId with the same parameters answers the first withdrawal again, for 24 hours.',
  access: signed('SPOT_WITHDRAW_WRITE'),
  money: true,
  takesMoney: true,
  weight: { ip: 1 },
  request: z.object({
    ...terms,
    netWork: field.optional(money.network()),
    contractAddress: field.optional(money.contractAddress()),
    ...destination,
  }),
  response: idAnswer,
  errors: [
    'subAccountParameterError',
    'currencyRequired',
    'amountRequired',
    'parameterRequired',
    'unknownCurrency',
    'amountNotPositive',
    'tooManyAmountDecimals',
    'invalidParameter',
    'remarkTooLong',
    'illegalCharacters',
    'transferDisabled',
    'wrongAmount',
    'addressNotCommonlyUsed',
    'transferForbidden',
    'withdrawalUnderRiskControl',
    'insufficientBalance',
    'operationNotAllowed',
  ],
  example: { ...example, netWork: 'ETH' },
});

/** Endpoints of withdrawals and of the addresses that an account pays. */
export const walletWithdrawalEndpoints = {
  withdraw,
  withdrawApply: endpoint.post('/api/v3/capital/withdraw/apply', {
    ...withdraw,
    spec: ['SPEC-WAL-06'],
    name: 'Withdraw, previous form',
    summary: 'As POST withdraw, with network instead of netWork; answers an array.',
    notes: 'Existing clients use it; new ones take POST withdraw.',
    request: z.object({ ...terms, network: field.optional(money.network()), ...destination }),
    response: z.array(idAnswer),
    example: { ...example, network: 'Ethereum(ERC20)' },
  }),
  cancelWithdrawal: endpoint.delete('/api/v3/capital/withdraw', {
    ...shared,
    spec: ['SPEC-WAL-05', 'DEC-WAL-24'],
    name: 'Cancel withdrawal',
    summary: 'Cancels a withdrawal that is not processed yet, and gives the money back.',
    notes: 'Possible in the statuses 1, 2, 3 and 10.',
    access: signed('SPOT_WITHDRAW_WRITE'),
    mayBeFrozen: true,
    money: true,
    weight: { ip: 1 },
    request: z.object({ id: money.walletId("The exchange's id of the withdrawal.") }),
    response: idAnswer,
    errors: ['parameterRequired', 'recordNotFound', 'operationNotAllowed'],
    example: { id: 'a'.repeat(32) },
  }),
  withdrawals: endpoint.get('/api/v3/capital/withdraw/history', {
    ...shared,
    spec: ['SPEC-WAL-08', 'SPEC-WAL-09', 'SPEC-WAL-22', 'SPEC-WAL-25', 'DEC-WAL-02'],
    name: 'Withdrawal history',
    summary: 'Withdrawals of the account, newest first.',
    notes: 'The last 7 days unless a time is given; at most the last 90 days. transferType: 0 outside, 1 inside.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 1 },
    readsHistory: true,
    request: z.object({
      coin: field.optional(money.asset()),
      status: field.optional(field.word(withdrawalStatusOfName, 'Number or name of a status.')),
      limit: field.limit(limits.historyDefault, limits.historyMax),
      ...historyTimes,
    }),
    rules: timesAscend,
    response: z.array(
      z.object({
        id: z.string(),
        withdrawOrderId: z.string().nullable(),
        txId: z.string().nullable(),
        coin: z.string(),
        network: z.string(),
        address: z.string(),
        amount: answer.decimalText(),
        transferType: z.union([z.literal(0), z.literal(1)]),
        status: z.number().int(),
        transactionFee: answer.decimalText(),
        confirmNo: answer.count().nullable(),
        applyTime: answer.moment(),
        updateTime: answer.moment(),
        remark: z.string().nullable(),
        memo: z.string().nullable(),
        transHash: z.string().nullable(),
        coinId: z.string(),
        vcoinId: z.string(),
      }),
    ),
    errors: ['unknownCurrency', 'invalidParameter'],
  }),
  savedAddresses: endpoint.get('/api/v3/capital/withdraw/address', {
    ...shared,
    spec: ['SPEC-WAL-12', 'DEC-WAL-29', 'DEC-WAL-73'],
    name: 'Saved withdrawal addresses',
    summary: 'Addresses that the account paid or that were saved for it, newest first.',
    notes: 'Pages of 20 unless a limit is given.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 10 },
    request: z.object({
      coin: field.optional(money.asset()),
      page: money.page(),
      limit: field.optional(field.integer({ min: 1, max: limits.pageRowsMax }, 'Rows of a page.')),
    }),
    response: z.object({
      data: z.array(
        z.object({
          coin: z.string(),
          network: z.string(),
          netWork: z.string(),
          address: z.string(),
          addressTag: z.string().nullable(),
          memo: z.string().nullable(),
        }),
      ),
      totalRecords: answer.count(),
      page: answer.count(),
      totalPageNum: answer.count(),
    }),
    errors: ['unknownCurrency', 'invalidParameter'],
  }),
};
