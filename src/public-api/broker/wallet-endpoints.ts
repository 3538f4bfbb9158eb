import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as key from '#public-api/declaration/key-fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { walletDepositEndpoints } from '#public-api/wallet/deposit-endpoints.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { walletWithdrawalEndpoints } from '#public-api/wallet/withdrawal-endpoints.ts';
import { wireLimits } from '#http/limits.ts';
import { depositStatusesOfName } from '#http/words.ts';

const { broker: limits, wallet } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare', weight: { ip: 1 } } as const;
const calledBySubAccount = "Called with a key of the sub-account; the broker's own key is refused with 730003.";
const subAddress = z.object({
  address: z.string(),
  coin: z.string(),
  network: z.string(),
  memo: z.string().nullable(),
});

const depositFilter = {
  coin: field.optional(money.asset()),
  status: field.optional(field.word(depositStatusesOfName, 'Number or name of a status.')),
  ...historyTimes,
  page: money.page(),
};
const depositEntry = {
  amount: answer.decimalText(),
  coin: z.string(),
  network: z.string(),
  status: z.number().int(),
  address: z.string(),
  txId: z.string(),
  unlockConfirm: z.string(),
  confirmTimes: z.string(),
};

/** Endpoints of deposits and withdrawals of sub-accounts of brokers. */
export const brokerWalletEndpoints = {
  createBrokerDepositAddress: endpoint.post('/api/v3/broker/capital/deposit/subAddress', {
    ...shared,
    spec: ['SPEC-BRK-05', 'DEC-SUB-15'],
    name: 'Create customer deposit address',
    summary: 'Gives the sub-account an address to receive an asset over a network; asked again, the same one.',
    notes: calledBySubAccount,
    access: signed('SPOT_DEPOSIT_WRITE', 'brokerSub'),
    request: z.object({ coin: money.asset(), network: money.network() }),
    response: subAddress,
    errors: ['unsupportedOperation', ...walletDepositEndpoints.createDepositAddress.errors],
    example: { coin: 'USDT', network: 'ETH' },
  }),
  brokerDepositAddresses: endpoint.get('/api/v3/broker/capital/deposit/subAddress', {
    ...shared,
    spec: ['SPEC-BRK-05', 'DEC-SUB-14', 'DEC-SUB-15'],
    name: 'Customer deposit addresses',
    summary: 'Addresses at which the sub-account receives an asset, of every network; none if it made none.',
    notes: calledBySubAccount,
    access: signed('SPOT_DEPOSIT_READ', 'brokerSub'),
    request: z.object({ coin: money.asset() }),
    response: z.array(subAddress),
    errors: ['unsupportedOperation', 'currencyRequired', 'unknownCurrency'],
    example: { coin: 'USDT' },
  }),
  brokerDeposits: endpoint.get('/api/v3/broker/capital/deposit/subHisrec', {
    ...shared,
    spec: ['SPEC-BRK-06', 'DEC-SUB-14', 'DEC-SUB-15', 'DEC-SUB-19', 'DEC-SUB-57'],
    name: 'Customer deposit history',
    summary: 'Deposits of the sub-account, newest first, by pages.',
    notes: `${calledBySubAccount} The last 10 days unless a time is given; at most the last 90 days.`,
    access: signed('SPOT_DEPOSIT_READ', 'brokerSub'),
    readsHistory: true,
    request: z.object({ ...depositFilter, limit: field.limit(limits.depositsDefault, wallet.pageRowsMax) }),
    rules: timesAscend,
    response: z.array(z.object({ ...depositEntry, addressTag: z.string().nullable() })),
    errors: ['unsupportedOperation', 'unknownCurrency', 'invalidParameter'],
  }),
  allBrokerDeposits: endpoint.get('/api/v3/broker/capital/deposit/subHisrec/getall', {
    ...shared,
    spec: ['SPEC-BRK-07', 'DEC-SUB-14', 'DEC-SUB-19', 'DEC-SUB-57'],
    name: 'Deposits of all customers',
    summary: 'Deposits of all sub-accounts of the broker within the last 3 days, newest first, by pages.',
    notes: 'A start before that counts as 3 days ago.',
    access: signed('SPOT_DEPOSIT_READ', 'broker'),
    readsHistory: true,
    request: z.object({ ...depositFilter, limit: field.limit(limits.allDepositsDefault, wallet.pageRowsMax) }),
    rules: timesAscend,
    response: z.array(z.object({ ...depositEntry, subAccount: z.string(), insertTime: answer.moment() })),
    errors: ['unknownCurrency', 'invalidParameter'],
  }),
  brokerWithdraw: endpoint.post('/api/v3/broker/capital/withdraw/apply', {
    ...shared,
    spec: ['SPEC-BRK-08', 'DEC-SUB-14', 'DEC-SUB-15', 'DEC-SUB-16', 'DEC-SUB-54', 'DEC-SUB-56'],
    name: 'Withdraw for customer',
    summary: 'Pays an amount of an asset of the sub-account to an address over a network.',
    notes:
      `${calledBySubAccount} network is a code or a label. The fee is inside amount. memo goes with addresses that ` +
      'need one. The same withdrawOrderId with the same parameters answers the first withdrawal again, for 24 hours.',
    access: signed('SPOT_TRANSFER_READ', 'brokerSub'),
    money: true,
    takesMoney: true,
    request: z.object({
      coin: money.asset(),
      network: money.network(),
      address: money.address(),
      amount: money.amount('What the account pays; the fee is inside.'),
      password: field.optional(key.password()),
      remark: field.optional(money.remark()),
      memo: field.optional(money.memo()),
      withdrawOrderId: field.optional(money.requestId("The caller's own id of the withdrawal.")),
    }),
    response: z.object({ id: z.string() }),
    errors: ['unsupportedOperation', 'riskControlAbnormal', ...walletWithdrawalEndpoints.withdraw.errors],
    example: {
      coin: 'USDT',
      network: 'ETH',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      amount: '50',
    },
  }),
};
