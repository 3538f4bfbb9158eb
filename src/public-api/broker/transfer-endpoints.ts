import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as key from '#public-api/declaration/key-fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { sides, universalTransferEntry, universalTransferFilter } from '#public-api/accounts/sub-account-endpoints.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { products } from '#model/rebate.ts';

const { broker: limits, wallet } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare', weight: { ip: 1 } } as const;

/** Endpoints of transfers of brokers. */
export const brokerTransferEndpoints = {
  brokerTransfer: endpoint.post('/api/v3/broker/sub-account/universalTransfer', {
    ...shared,
    spec: ['SPEC-BRK-09', 'DEC-REQ-22', 'DEC-REQ-27', 'DEC-SUB-11', 'DEC-SUB-17', 'DEC-SUB-51', 'DEC-SUB-54'],
    name: 'Customer transfer',
    summary: 'Moves an amount of an asset between wallets of the broker and of its sub-accounts.',
    notes: 'The same clientTranId with the same parameters answers the first transfer again, for 24 hours.',
    access: signed('SPOT_TRANSFER_READ', 'broker'),
    money: true,
    takesMoney: true,
    request: z.object({
      ...sides,
      asset: money.asset(),
      amount: money.amount(),
      clientTranId: field.optional(key.clientTranId("The caller's own id of the transfer.")),
    }),
    response: z.object({ tranId: z.string() }),
    errors: [
      'currencyRequired',
      'amountRequired',
      'parameterRequired',
      'unknownSubAccount',
      'subAccountForbidden',
      'subAccountNotOpened',
      'unknownCurrency',
      'amountNotPositive',
      'tooManyAmountDecimals',
      'invalidParameter',
      'accountTransferNotSupported',
      'currencyTransferNotSupported',
      'insufficientBalance',
      'transferDisabled',
      'withdrawalUnderRiskControl',
      'operationNotAllowed',
    ],
    example: {
      toAccount: 'customer001',
      fromAccountType: 'SPOT',
      toAccountType: 'SPOT',
      asset: 'USDT',
      amount: '10',
    },
  }),
  brokerTransfers: endpoint.get('/api/v3/broker/sub-account/universalTransfer', {
    ...shared,
    spec: ['SPEC-BRK-09', 'DEC-SUB-02', 'DEC-SUB-51'],
    name: 'Customer transfer history',
    summary: 'Transfers between the broker and its sub-accounts, newest first, by pages.',
    notes: 'The last 7 days unless a time is given; at most the last 183 days. The broker is named by its uid.',
    access: signed('SPOT_TRANSFER_READ', 'broker'),
    readsHistory: true,
    request: z.object(universalTransferFilter),
    rules: timesAscend,
    response: z.array(universalTransferEntry),
    errors: ['parameterRequired', 'invalidParameter', 'unknownSubAccount'],
    example: { fromAccountType: 'SPOT', toAccountType: 'SPOT' },
  }),
};

/** Endpoint of what brokers earn. */
export const brokerRebateEndpoints = {
  brokerRebates: endpoint.get('/api/v3/broker/rebate/taxQuery', {
    ...shared,
    spec: ['SPEC-BRK-11', 'DEC-SUB-14', 'DEC-SUB-58'],
    name: 'Broker rebates by day',
    summary: 'What the broker earned by day (UTC), customer and asset, the newest day first, by pages.',
    notes:
      'The last 365 days unless a time is given; a day counts as a whole, the running one as far as it has come. ' +
      'What waits for its settlement is told too, what was rejected is not.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    readsHistory: true,
    request: z.object({
      ...historyTimes,
      page: money.page(),
      pageSize: field.limit(limits.rebatesDefault, wallet.pageRowsMax),
    }),
    rules: timesAscend,
    response: z.object({
      page: answer.count(),
      totalRecords: answer.count(),
      totalPageNum: answer.count(),
      data: z.array(
        z.object({
          asset: z.string(),
          amount: answer.decimalText(),
          type: z.enum(products),
          uid: z.string(),
          time: z
            .string()
            .regex(/^\d{8}$/)
            .meta({ examples: ['20260131'] }),
        }),
      ),
    }),
    errors: ['invalidParameter'],
  }),
};
