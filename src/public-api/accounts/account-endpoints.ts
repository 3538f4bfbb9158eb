import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

const shared = { surface: 'spot', envelope: 'bare' } as const;

const deduction = z.object({ svcDeductEnable: z.boolean() });

/** The platform token, for whoever reckons fees beforehand; `null`: there is none. DEC-WEB-18. */
const feeToken = z
  .object({
    asset: z.string(),
    precision: z.int().meta({ description: 'Decimals of the token, at which a fee is rounded up.' }),
    discount: z.number().meta({ description: 'What a fee that is paid so is less, a ratio: 0.2 is a fifth.' }),
    valuedIn: z.string(),
    price: answer.decimalText().nullable().meta({ description: 'Of a token, in valuedIn, as fees count it now.' }),
  })
  .nullable();

const modelDeduction = z.object({ mxDeductEnable: z.boolean() });

/** Endpoints of identity, balances and fees. */
export const accountEndpoints = {
  kycStatus: endpoint.get('/api/v3/kyc/status', {
    ...shared,
    spec: ['SPEC-ACC-01'],
    name: 'KYC status',
    summary: 'How far the account is verified.',
    notes: '1 unverified, 2 primary, 3 advanced, 4 institutional.',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 1 },
    response: z.object({ status: z.enum(['1', '2', '3', '4']) }),
  }),
  uid: endpoint.get('/api/v3/uid', {
    ...shared,
    spec: ['SPEC-ACC-02'],
    name: 'Account UID',
    summary: "The account's number.",
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 1 },
    response: z.object({ uid: z.string() }),
  }),
  selfSymbols: endpoint.get('/api/v3/selfSymbols', {
    ...shared,
    spec: ['SPEC-ACC-03'],
    name: 'Account symbols',
    summary: 'Names of the pairs that this account may trade by API.',
    envelope: 'codeDataMsg',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 1 },
    response: z.array(answer.symbolName()),
  }),
  account: endpoint.get('/api/v3/account', {
    ...shared,
    spec: ['SPEC-ACC-04', 'SPEC-ACC-05'],
    name: 'Account balances',
    summary: 'What the account may do and what it holds.',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 10 },
    callsPerSecond: wireLimits.orders.heavyCallsPerSecond,
    response: z.object({
      makerCommission: z.number().nullable(),
      takerCommission: z.number().nullable(),
      buyerCommission: z.number().nullable(),
      sellerCommission: z.number().nullable(),
      canTrade: z.boolean(),
      canWithdraw: z.boolean(),
      canDeposit: z.boolean(),
      updateTime: answer.moment().nullable(),
      accountType: z.literal('SPOT'),
      permissions: z.array(z.string()),
      balances: z.array(
        z.object({
          asset: z.string(),
          free: answer.decimalText(),
          locked: answer.decimalText(),
          available: answer.decimalText(),
        }),
      ),
    }),
  }),
  enableFeeDeduction: endpoint.post('/api/v3/svcDeduct/enable', {
    ...shared,
    spec: ['SPEC-ACC-06'],
    name: 'Switch fee deduction',
    summary: 'Switches paying commission in the platform token on or off.',
    envelope: 'codeDataMsgTimestamp',
    access: signed('SPOT_DEAL_WRITE'),
    weight: { ip: 1 },
    request: z.object({ svcDeductEnable: field.flag('true: pay in the platform token; false: do not.') }),
    response: deduction,
    example: { svcDeductEnable: 'true' },
  }),
  feeDeduction: endpoint.get('/api/v3/svcDeduct/enable', {
    ...shared,
    spec: ['SPEC-ACC-07'],
    name: 'Fee deduction status',
    summary: 'Whether commission is paid in the platform token.',
    envelope: 'codeDataMsgTimestamp',
    access: signed('SPOT_DEAL_READ'),
    weight: { ip: 1 },
    response: deduction.extend({ token: feeToken }),
  }),
  tradeFee: endpoint.get('/api/v3/tradeFee', {
    ...shared,
    spec: ['SPEC-ACC-08'],
    name: 'Trading fees',
    summary: "The account's commission rates for a pair.",
    envelope: 'codeDataMsgTimestamp',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 20 },
    request: z.object({ symbol: field.symbol() }),
    response: z.object({ makerCommission: z.number(), takerCommission: z.number() }),
    errors: ['badSymbol'],
    example: { symbol: 'BTCUSDT' },
  }),
};

/** Other paths of some of them, for existing client libraries. */
export const accountAliases = {
  enableModelFeeDeduction: endpoint.post('/api/v3/mxDeduct/enable', {
    ...accountEndpoints.enableFeeDeduction,
    spec: ['DEC-CMP-01'],
    name: 'Switch fee deduction (mxDeduct)',
    summary: 'The same as svcDeduct/enable, for existing client libraries.',
    request: z.object({ mxDeductEnable: field.flag('true: pay in the platform token; false: do not.') }),
    response: modelDeduction,
    aliasOf: 'enableFeeDeduction',
    example: { mxDeductEnable: 'true' },
  }),
  modelFeeDeduction: endpoint.get('/api/v3/mxDeduct/enable', {
    ...accountEndpoints.feeDeduction,
    spec: ['DEC-CMP-01'],
    name: 'Fee deduction status (mxDeduct)',
    summary: 'The same as svcDeduct/enable, for existing client libraries.',
    response: modelDeduction,
    aliasOf: 'feeDeduction',
  }),
};
