import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { reportTimes } from '#public-api/rebates/rebate-endpoints.ts';
import { timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { balanceBands, commissionStateNumber, productNumber, productOfWord } from '#http/words.ts';

const { rebates: limits, wallet } = wireLimits;
const shared = {
  surface: 'spot',
  envelope: 'affiliatePage',
  access: signed('SPOT_ACCOUNT_READ', 'affiliate'),
  weight: { ip: 1 },
  rules: timesAscend,
  errors: ['invalidParameter'],
} as const;

const codePattern = /^[A-Za-z0-9-]{3,20}$/;
const inviteCode = field.optional(
  field.described(
    z.string().regex(codePattern, "must be 3 to 20 letters, digits and '-'"),
    { type: 'string', description: 'Only who came by this code.', example: 'svcx-12345' },
    field.matching(codePattern),
  ),
);
const paged = {
  ...reportTimes,
  page: field.optional(field.integer({ min: 1, max: wallet.pagesMax }, 'Number of the page, from 1.')),
  pageSize: field.limit(limits.pageSizeDefault, limits.pageSizeMax),
};
const numbers = <Entry extends z.ZodType>(entry: Entry) => ({
  pageSize: answer.count(),
  totalCount: answer.count(),
  totalPage: answer.count(),
  currentPage: answer.count(),
  resultList: z.array(entry),
});
const totals = { totalCommissionUsdtAmount: answer.decimalText(), totalTradeUsdtAmount: answer.decimalText() };
const numberOf = <const Values extends readonly number[]>(values: Values) => z.literal(values);

const uid = field.optional(
  field.described(z.string().regex(/^[1-9]\d{0,14}$/, 'must be a UID: digits only'), {
    type: 'string',
    description: 'Only this user.',
    example: '10000001',
  }),
);

/** Reports of affiliates. */
export const affiliateEndpoints = {
  affiliateCommission: endpoint.get('/api/v3/rebate/affiliate/commission', {
    ...shared,
    spec: [
      'SPEC-AFF-01',
      'SPEC-AFF-02',
      'SPEC-AFF-08',
      'DEC-SUB-04',
      'DEC-SUB-24',
      'DEC-SUB-60',
      'DEC-SUB-61',
      'DEC-SUB-65',
    ],
    name: 'Commissions by invited user',
    summary: 'What the account earned from each user it invited itself, the user who came last first.',
    notes:
      'The last six months unless a time is given. Amounts are in USDT at the moment of the trade or deposit. ' +
      'finished says whether everything of that time is settled or rejected.',
    readsHistory: true,
    request: z.object({ ...paged, inviteCode }),
    response: z.object({
      ...numbers(
        z.object({
          uid: z.string(),
          account: z.string(),
          inviteCode: z.string(),
          inviteTime: answer.moment(),
          spot: answer.decimalText(),
          etf: answer.decimalText(),
          futures: answer.decimalText(),
          total: answer.decimalText(),
          deposit: answer.decimalText(),
          firstDepositTime: answer.moment().nullable(),
        }),
      ),
      usdtAmount: answer.decimalText(),
      ...totals,
      finished: z.boolean(),
    }),
  }),
  affiliatePayouts: endpoint.get('/api/v3/rebate/affiliate/withdraw', {
    ...shared,
    spec: ['SPEC-AFF-01', 'SPEC-AFF-03', 'SPEC-AFF-08', 'DEC-SUB-04', 'DEC-SUB-26', 'DEC-SUB-60'],
    name: 'Commission payouts',
    summary: 'What settlement paid to the account, newest first.',
    notes: 'The last six months unless a time is given.',
    readsHistory: true,
    request: z.object(paged),
    response: z.object(
      numbers(z.object({ withdrawTime: answer.moment(), asset: z.string(), amount: answer.decimalText() })),
    ),
  }),
  affiliateCommissionDetail: endpoint.get('/api/v3/rebate/affiliate/commission/detail', {
    ...shared,
    spec: [
      'SPEC-AFF-01',
      'SPEC-AFF-04',
      'SPEC-AFF-08',
      'DEC-SUB-04',
      'DEC-SUB-25',
      'DEC-SUB-60',
      'DEC-SUB-61',
      'DEC-SUB-62',
    ],
    name: 'Commission records',
    summary: 'Every commission of the account, newest first, with the trade that it is of.',
    notes: 'The last 7 days unless a time is given; at most 30 days.',
    readsHistory: true,
    request: z.object({ ...paged, inviteCode, type: field.optional(field.word(productOfWord, 'Product.')) }),
    response: z.object({
      ...numbers(
        z.object({
          type: numberOf(Object.values(productNumber)),
          sourceType: numberOf([1, 2]),
          state: numberOf(Object.values(commissionStateNumber)),
          date: answer.moment(),
          uid: z.string(),
          rate: answer.decimalText(),
          symbol: answer.symbolName(),
          takerAmount: answer.decimalText(),
          makerAmount: answer.decimalText(),
          amountCurrency: z.string(),
          usdtAmount: answer.decimalText(),
          commission: answer.decimalText(),
          currency: z.string(),
        }),
      ),
      ...totals,
    }),
  }),
  affiliateCampaigns: endpoint.get('/api/v3/rebate/affiliate/campaign', {
    ...shared,
    spec: ['SPEC-AFF-01', 'SPEC-AFF-05', 'SPEC-AFF-08', 'DEC-SUB-04', 'DEC-SUB-27', 'DEC-SUB-60', 'DEC-SUB-66'],
    name: 'Campaigns',
    summary: "What came of the account's campaigns, the newest first: clicks, users, deposits, trades, commissions.",
    notes: 'The last 7 days unless a time is given. clickTime is a count. Amounts are in USDT.',
    readsHistory: true,
    request: z.object(paged),
    response: z.object(
      numbers(
        z.object({
          campaign: z.string(),
          inviteCode: z.string(),
          createTime: answer.moment(),
          clickTime: answer.count(),
          signup: answer.count(),
          deposited: answer.count(),
          traded: answer.count(),
          depositAmount: answer.decimalText(),
          tradingAmount: answer.decimalText(),
          commission: answer.decimalText(),
        }),
      ),
    ),
  }),
  affiliateReferrals: endpoint.get('/api/v3/rebate/affiliate/referral', {
    ...shared,
    spec: ['SPEC-AFF-01', 'SPEC-AFF-06', 'SPEC-AFF-08', 'DEC-SUB-04', 'DEC-SUB-24', 'DEC-SUB-28', 'DEC-SUB-67'],
    name: 'Invited users',
    summary: 'Users whom the account invited itself, the one who came last first.',
    notes:
      'Amounts are those of the last 7 days unless a time is given, in USDT; first and last times are of ever. ' +
      'amount repeats commission, and withdrawalAmount withdrawAmount. asset is what the user holds now.',
    readsHistory: true,
    request: z.object({ ...paged, uid, inviteCode }),
    response: z.object(
      numbers(
        z.object({
          uid: z.string(),
          account: z.string(),
          nickName: z.string(),
          email: z.string(),
          registerTime: answer.moment(),
          inviteCode: z.string(),
          inviteTime: answer.moment(),
          depositAmount: answer.decimalText(),
          tradingAmount: answer.decimalText(),
          commission: answer.decimalText(),
          amount: answer.decimalText(),
          firstDepositTime: answer.moment().nullable(),
          firstTradeTime: answer.moment().nullable(),
          lastDepositTime: answer.moment().nullable(),
          lastTradeTime: answer.moment().nullable(),
          withdrawAmount: answer.decimalText(),
          withdrawalAmount: answer.decimalText(),
          asset: z.enum(balanceBands),
          identification: numberOf([1, 2, 3, 4]),
        }),
      ),
    ),
  }),
  subAffiliates: endpoint.get('/api/v3/rebate/affiliate/subaffiliates', {
    ...shared,
    spec: ['SPEC-AFF-01', 'SPEC-AFF-07', 'SPEC-AFF-08', 'DEC-SUB-04', 'DEC-SUB-24', 'DEC-SUB-68'],
    name: 'Sub-affiliates',
    summary: 'Users whom the account invited and who invited others, the one who came last first.',
    notes: 'The last 7 days unless a time is given. Amounts are in USDT.',
    readsHistory: true,
    request: z.object({ ...paged, inviteCode }),
    response: z.object(
      numbers(
        z.object({
          subaffiliateName: z.string(),
          subaffiliateMail: z.string().meta({ examples: ['ad*****6@example.com'] }),
          campaign: z.string().nullable(),
          inviteCode: z.string(),
          activationTime: answer.moment(),
          registered: answer.count(),
          deposited: answer.count(),
          depositAmount: answer.decimalText(),
          commission: answer.decimalText(),
        }),
      ),
    ),
  }),
};
