import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const ofAccount = z.strictObject({ uid: field.uid('Who earns.') });
const day = () => field.date('Day on which it accrued.');
const source = (description: string) => field.uid(description).nullable();

const rejection = z.strictObject({
  day: day(),
  sourceUid: source('Whose commissions it came from; null: from everybody.'),
  at: field.moment('When it was rejected.'),
  seq: z.int().meta({ description: 'Position of the command in the journal.' }),
});

/** Endpoints of rebates: what waits for settlement, what was paid, what was rejected. DEC-OPR-20. */
export const rebateEndpoints = {
  getRebateSettlement: endpoint.get('/v1/rebates/settlement', {
    scope: 'rebates:read',
    name: 'Settlement of rebates',
    command: 'rebates settlement',
    summary: 'How far the daily settlement has come.',
    answer: z.strictObject({
      settledBefore: field.date('Nothing of the days before this one is pending any more.'),
      dueDay: field
        .date('The oldest day that is over and not settled; null: there is none.')
        .nullable()
        .meta({ examples: [null] }),
    }),
  }),
  listPendingRebates: endpoint.get('/v1/accounts/{uid}/rebates/pending', {
    scope: 'rebates:read',
    name: 'Pending rebates',
    command: 'rebates pending',
    summary: 'What waits for settlement, oldest day first, by whose commissions it came from.',
    parameters: ofAccount,
    query: z.strictObject(field.paging),
    answer: field.page(
      z.strictObject({
        day: day(),
        sourceUid: field.uid('Whose commissions it came from; the account itself: a kickback.'),
        asset: field.assetCode(),
        amount: field.amount('What is paid unless it is rejected.'),
      }),
    ),
    problems: ['unknownAccount'],
  }),
  rejectRebates: endpoint.post('/v1/accounts/{uid}/rebates/rejections', {
    scope: 'rebates:write',
    name: 'Reject rebates',
    command: 'rebates reject',
    asksFirst: true,
    summary: 'Gives back to fees what accrued so far on a day and is not settled.',
    notes: 'What accrues later that day is pending again.',
    parameters: ofAccount,
    body: z
      .strictObject({
        sourceUid: source('Only what came from the commissions of this account; null: from everybody.').default(null),
        day: day(),
      })
      .meta({ examples: [{ sourceUid: null, day: '2026-01-31' }] }),
    answer: rejection,
    status: 201,
    problems: ['unknownAccount', 'nothingPending', 'historyUnavailable'],
  }),
  listRebateRejections: endpoint.get('/v1/accounts/{uid}/rebates/rejections', {
    scope: 'rebates:read',
    name: 'Rejected rebates',
    command: 'rebates rejected',
    summary: 'What was rejected of an account, the newest day first.',
    notes: 'The window is that of the days on which it accrued.',
    parameters: ofAccount,
    query: z.strictObject(field.past),
    answer: field.page(rejection),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  listRebatePayouts: endpoint.get('/v1/accounts/{uid}/rebates/payouts', {
    scope: 'rebates:read',
    name: 'Paid rebates',
    command: 'rebates paid',
    summary: 'What settlement paid to an account, newest first.',
    parameters: ofAccount,
    query: z.strictObject(field.past),
    answer: field.page(
      z.strictObject({
        at: field.moment('When it was paid.'),
        seq: z.int().meta({ description: 'Position of the command in the journal.' }),
        day: day(),
        asset: field.assetCode(),
        amount: field.amount('What was paid.'),
      }),
    ),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
};
