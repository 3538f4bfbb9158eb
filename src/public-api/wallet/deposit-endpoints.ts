import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { depositStatusesOfName } from '#http/words.ts';

const { wallet: limits } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare' } as const;

const depositAddress = z.object({
  coin: z.string(),
  network: z.string(),
  netWork: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
});

/** Endpoints of deposit addresses and of deposits. */
export const walletDepositEndpoints = {
  createDepositAddress: endpoint.post('/api/v3/capital/deposit/address', {
    ...shared,
    spec: ['SPEC-WAL-10', 'DEC-WAL-72', 'DEC-WAL-73'],
    name: 'Create deposit address',
    summary: 'The address at which the account receives an asset on a network; makes it if there is none yet.',
    notes:
      'An account has one address per network, for all assets there. With the setting modelHabits the answer is the ' +
      'address without the array around it, as stock clients read it.',
    access: signed('SPOT_WITHDRAW_WRITE'),
    weight: { ip: 1 },
    request: z.object({ coin: money.asset(), network: money.network() }),
    response: z.union([z.array(depositAddress), depositAddress]),
    errors: [
      'currencyRequired',
      'parameterRequired',
      'unknownCurrency',
      'invalidParameter',
      'transferDisabled',
      'noAddressAvailable',
    ],
    example: { coin: 'USDT', network: 'ETH' },
  }),
  depositAddresses: endpoint.get('/api/v3/capital/deposit/address', {
    ...shared,
    spec: ['SPEC-WAL-11'],
    name: 'Deposit addresses',
    summary: 'Addresses at which the account receives an asset, of one network or of all; none if it made none.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 10 },
    request: z.object({ coin: money.asset(), network: field.optional(money.network()) }),
    response: z.array(depositAddress),
    errors: ['currencyRequired', 'unknownCurrency', 'invalidParameter'],
    example: { coin: 'USDT' },
  }),
  deposits: endpoint.get('/api/v3/capital/deposit/hisrec', {
    ...shared,
    spec: ['SPEC-WAL-07', 'SPEC-WAL-08', 'SPEC-WAL-24', 'DEC-WAL-01'],
    name: 'Deposit history',
    summary: 'Deposits of the account, newest first.',
    notes:
      'The last 7 days unless a time is given; at most the last 90 days. unlockConfirm confirmations make it final.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 1 },
    readsHistory: true,
    request: z.object({
      coin: field.optional(money.asset()),
      status: field.optional(field.word(depositStatusesOfName, 'Number or name of a status.')),
      ...historyTimes,
      limit: field.limit(limits.historyDefault, limits.historyMax),
    }),
    rules: timesAscend,
    response: z.array(
      z.object({
        amount: answer.decimalText(),
        coin: z.string(),
        network: z.string(),
        status: z.number().int(),
        address: z.string(),
        addressTag: z.string().nullable(),
        txId: z.string(),
        insertTime: answer.moment(),
        unlockConfirm: z.string(),
        confirmTimes: z.string(),
        memo: z.string().nullable(),
      }),
    ),
    errors: ['unknownCurrency', 'invalidParameter'],
  }),
};
