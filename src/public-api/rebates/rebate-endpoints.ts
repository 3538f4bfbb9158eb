import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { timesAscend } from '#public-api/declaration/fields.ts';
import { products } from '#model/rebate.ts';

const shared = {
  surface: 'spot',
  envelope: 'bare',
  access: signed('SPOT_ACCOUNT_READ'),
  weight: { ip: 1 },
} as const;
/** The window of a report. */
export const reportTimes = {
  startTime: field.optional(field.timestampMs('First moment, inclusive.')),
  endTime: field.optional(field.timestampMs('Last moment, inclusive.')),
};
const asked = { request: z.object({ ...reportTimes, page: money.page() }), rules: timesAscend } as const;

const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    page: answer.count(),
    totalRecords: answer.count(),
    totalPageNum: answer.count(),
    data: z.array(entry),
  });
const person = { uid: z.string(), account: z.string().meta({ examples: ['154****291@example.com'] }) };
const detailPage = pageOf(
  z.object({
    asset: z.string(),
    type: z.enum(products),
    rate: answer.decimalText(),
    amount: answer.decimalText(),
    ...person,
    tradeTime: answer.moment(),
    updateTime: answer.moment(),
  }),
);

/** Endpoints of what accounts earn from those they invited. */
export const rebateEndpoints = {
  rebateSummary: endpoint.get('/api/v3/rebate/taxQuery', {
    ...shared,
    ...asked,
    spec: [
      'SPEC-REB-01',
      'SPEC-REB-05',
      'DEC-SUB-20',
      'DEC-SUB-24',
      'DEC-SUB-60',
      'DEC-SUB-61',
      'DEC-SUB-62',
      'DEC-SUB-69',
    ],
    name: 'Rebates by user',
    summary: 'What the account earned from each user, in USDT, the user who came last first, by pages of 10.',
    notes: 'The last year unless a time is given. What was rejected is not counted.',
    readsHistory: true,
    response: pageOf(
      z.object({
        spot: answer.decimalText(),
        futures: answer.decimalText(),
        total: answer.decimalText(),
        ...person,
        inviteTime: answer.moment(),
      }),
    ),
    errors: ['invalidParameter'],
  }),
  rebateDetail: endpoint.get('/api/v3/rebate/detail', {
    ...shared,
    ...asked,
    spec: ['SPEC-REB-02', 'SPEC-REB-05', 'DEC-SUB-05', 'DEC-SUB-20', 'DEC-SUB-24', 'DEC-SUB-62', 'DEC-SUB-63'],
    name: 'Rebate records',
    summary: 'Every rebate that the account earned from others, newest first, by pages of 10.',
    notes: 'The last year unless a time is given. updateTime is when it was paid or rejected, until then tradeTime.',
    readsHistory: true,
    response: detailPage,
    errors: ['invalidParameter'],
  }),
  kickbackDetail: endpoint.get('/api/v3/rebate/detail/kickback', {
    ...shared,
    ...asked,
    spec: ['SPEC-REB-03', 'SPEC-REB-05', 'DEC-SUB-05', 'DEC-SUB-20', 'DEC-SUB-24', 'DEC-SUB-63'],
    name: 'Own rebate records',
    summary: "What the account's inviter gave it back of its own commissions, newest first, by pages of 10.",
    notes: 'The last year unless a time is given.',
    readsHistory: true,
    response: detailPage,
    errors: ['invalidParameter'],
  }),
  referCode: endpoint.get('/api/v3/rebate/referCode', {
    ...shared,
    spec: ['SPEC-REB-04', 'SPEC-REB-05', 'DEC-SUB-23', 'DEC-SUB-64'],
    name: 'Refer code',
    summary: 'The code under which the account invites others; of a sub-account that of its master.',
    response: z.object({ referCode: z.string().meta({ examples: ['in3jd'] }) }),
  }),
};
