import { z } from 'zod';
import { minuteMs } from '#base/calendar.ts';
import { engineLimits } from '#model/limits.ts';
import { products, rebateCapPpm } from '#model/rebate.ts';
import { isInviteCode } from '#model/refer-code.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const ofAccount = z.strictObject({ uid: field.uid() });
const ofProduct = z.strictObject({
  uid: field.uid(),
  product: field.word(products, 'What commissions are paid for; nothing accrues for ETFs yet.'),
});
const campaign = () =>
  field.text('Name of the campaign it is for; null: none.', engineLimits.campaignNameLength).nullable();

const inviteCode = z.strictObject({
  code: field.inviteCode('What invited people register with.'),
  uid: field.uid('Who invites with it.'),
  campaign: campaign(),
  createdAt: field.moment('When it was made.'),
});

const ppm = (description: string) =>
  field.whole(`${description} Parts per million of the commission.`, { min: 0, max: rebateCapPpm });
const rateMembers = {
  referralPpm: ppm('Of whoever it invited itself.'),
  subAffiliatePpm: ppm('Of whoever those invited.'),
  thirdPpm: ppm('Of whoever these invited.'),
  kickbackPpm: ppm('What of `referralPpm` is given back to the payer.'),
};
const rates = z.strictObject({ ...ofProduct.shape, ...rateMembers });
/** DEC-SUB-05. */
const ratesBody = z
  .strictObject(rateMembers)
  .refine(({ referralPpm, subAffiliatePpm, thirdPpm }) => referralPpm + subAffiliatePpm + thirdPpm <= rebateCapPpm, {
    path: ['referralPpm'],
    message: `must, with subAffiliatePpm and thirdPpm, be at most ${rebateCapPpm}`,
  })
  .refine(({ referralPpm, kickbackPpm }) => kickbackPpm <= referralPpm, {
    path: ['kickbackPpm'],
    message: 'must be at most referralPpm',
  });

const maybe = (description: string) => field.moment(`${description} Null: never.`).nullable();

/** Endpoints of invitations: codes, rates, clicks, and who came. DEC-OPR-19. */
export const invitationEndpoints = {
  listInviteCodes: endpoint.get('/v1/accounts/{uid}/invite-codes', {
    scope: 'rebates:read',
    name: 'List invite codes',
    command: 'invite-codes list',
    summary: 'Codes under which an account invites: its refer code first, then in the order in which they were made.',
    parameters: ofAccount,
    query: z.strictObject(field.paging),
    answer: field.page(inviteCode),
    problems: ['unknownAccount'],
  }),
  createInviteCode: endpoint.post('/v1/accounts/{uid}/invite-codes', {
    scope: 'rebates:write',
    name: 'Make an invite code',
    command: 'invite-codes create',
    summary: 'Gives an account a further code, for a campaign or without one.',
    notes: 'A code stays for ever. Sub-accounts do not invite.',
    parameters: ofAccount,
    body: z
      .strictObject({
        code: z
          .string()
          .refine(isInviteCode, 'must be 3 to 20 letters, digits and hyphens, with at least one hyphen')
          .meta({ description: 'The code.', examples: ['spring-2026'] }),
        campaign: campaign().default(null),
      })
      .meta({ examples: [{ code: 'spring-2026', campaign: 'Spring' }] }),
    answer: inviteCode,
    status: 201,
    problems: ['unknownAccount', 'inviteCodeInUse', 'tooManyInviteCodes', 'invalidConfiguration'],
  }),
  getInviteCode: endpoint.get('/v1/invite-codes/{code}', {
    scope: 'rebates:read',
    name: 'Look at an invite code',
    command: 'invite-codes show',
    summary: 'Whose code it is.',
    parameters: z.strictObject({ code: field.inviteCode('The code.') }),
    answer: inviteCode,
    problems: ['unknownInviteCode'],
  }),
  recordClicks: endpoint.post('/v1/invite-codes/{code}/clicks', {
    scope: 'rebates:write',
    name: 'Record clicks',
    command: 'invite-codes clicks',
    summary: 'Tells how often the link of a code was clicked within a minute.',
    notes: 'Once a minute, minutes in their order, none of the future.',
    parameters: z.strictObject({ code: field.inviteCode('The code that was clicked.') }),
    body: z
      .strictObject({
        minute: z
          .int()
          .min(0)
          .multipleOf(minuteMs, 'must be the start of a minute')
          .meta({ description: 'Start of the minute. Milliseconds since 1970 UTC.', examples: [1_700_000_040_000] }),
        count: field.whole('How many clicks.', { min: 1, max: engineLimits.clicksPerMinuteMax }),
      })
      .meta({ examples: [{ minute: 1_700_000_040_000, count: 12 }] }),
    answer: z.strictObject({
      code: field.inviteCode('The code.'),
      uid: field.uid('Whose it is.'),
      minute: field.moment('Start of the minute.'),
      count: z.int().meta({ description: 'How many clicks.' }),
    }),
    status: 201,
    problems: ['unknownInviteCode', 'wrongState', 'invalidConfiguration'],
  }),
  getRebateRates: endpoint.get('/v1/accounts/{uid}/rebate-rates/{product}', {
    scope: 'rebates:read',
    name: 'Rebate rates of an inviter',
    command: 'rebates rates',
    summary: 'What an inviter gets of commissions: its own rates, or the defaults.',
    parameters: ofProduct,
    answer: rates,
    problems: ['unknownAccount'],
  }),
  setRebateRates: endpoint.put('/v1/accounts/{uid}/rebate-rates/{product}', {
    scope: 'rebates:write',
    edits: 'getRebateRates',
    name: 'Set rebate rates',
    command: 'rebates set-rates',
    summary: 'Gives an inviter rates of its own; they count from the next trade.',
    notes: 'What accrued before stays as it is.',
    parameters: ofProduct,
    body: ratesBody.meta({
      examples: [{ referralPpm: 300_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 100_000 }],
    }),
    answer: rates,
    problems: ['unknownAccount', 'invalidConfiguration'],
  }),
  listInvitees: endpoint.get('/v1/accounts/{uid}/invitees', {
    scope: 'rebates:read',
    name: 'List invited accounts',
    command: 'accounts invitees',
    summary: 'Accounts that an account invited itself, the newest first.',
    parameters: ofAccount,
    query: z.strictObject({
      code: field.inviteCode('Only those who came under this code.').optional(),
      ...field.past,
    }),
    answer: field.page(
      z.strictObject({
        uid: field.uid('Who came.'),
        code: field.inviteCode('Code under which it came.'),
        invitedAt: field.moment('When.'),
        firstDepositAt: maybe('First deposit.'),
        lastDepositAt: maybe('Last deposit.'),
        firstTradeAt: maybe('First trade.'),
        lastTradeAt: maybe('Last trade.'),
      }),
    ),
    problems: ['unknownAccount'],
  }),
};
