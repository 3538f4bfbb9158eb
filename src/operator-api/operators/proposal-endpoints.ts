import { z } from 'zod';
import { proposalStates } from '#model/proposal.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const number = () => field.whole('Running number of the proposal.', { min: 1, max: Number.MAX_SAFE_INTEGER });

/** A change that waits for a second operator, as it is answered. DEC-OPR-142. */
export const proposal = z.strictObject({
  proposal: number(),
  state: z.enum(proposalStates).meta({ description: 'What became of it.' }),
  changes: z
    .enum(['walletRules', 'assetNetwork', 'referencePrice', 'alone', 'adjustment'])
    .meta({ description: 'What it would change.' }),
  asset: field.assetCode('Asset of a network, a price or an adjustment; null: none of them.').nullable(),
  network: field.networkCode('Network whose terms it would change; null: none.').nullable(),
  lowered: z.array(z.string()).meta({ description: 'Members that lower a protection.', examples: [['fourEyesAbove']] }),
  change: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'All that would be in force, as the endpoint takes it; null: a price is removed.' }),
  madeBy: z.string().meta({ description: 'Who asked for it.', examples: ['erin'] }),
  madeAt: field.moment('When it was made.'),
  endsAt: field.moment('From this moment on nobody can approve it.'),
  isAlone: field.flag('Whether it takes effect then, because one operator runs the exchange alone; else it expires.'),
  decidedBy: z.string().nullable().meta({ description: 'Who approved or cancelled it; null: nobody.' }),
  decidedAt: field.moment('When it was decided, or ended.').nullable(),
});

const ofProposal = z.strictObject({ proposal: number() });
const alone = z.strictObject({ enabled: field.flag('Whether one operator runs the exchange alone.') });

/** Endpoints of changes that wait for a second operator. */
export const proposalEndpoints = {
  listProposals: endpoint.get('/v1/proposals', {
    scope: 'assets:read',
    name: 'List proposals',
    command: 'proposals list',
    summary: 'Changes that lower a protection and wait for a second operator, and the last that did; by number.',
    query: z.strictObject({
      state: field.word(proposalStates, 'Only those in this state.').optional(),
      ...field.paging,
    }),
    answer: field.page(proposal),
  }),
  getProposal: endpoint.get('/v1/proposals/{proposal}', {
    scope: 'assets:read',
    name: 'Look at a proposal',
    command: 'proposals show',
    summary: 'One proposal.',
    parameters: ofProposal,
    answer: proposal,
    problems: ['unknownProposal'],
  }),
  reviewProposal: endpoint.post('/v1/proposals/{proposal}/review', {
    scope: 'proposals:review',
    edits: 'getProposal',
    name: 'Review a proposal',
    command: { 'proposals approve': { decision: 'approve' }, 'proposals reject': { decision: 'cancel' } },
    asksFirst: true,
    summary: 'Approves a change that another operator asked for, which makes it, or cancels it.',
    notes:
      'Within 24 hours. It is judged again by what is in force: if that was changed since, it is refused with 409 ' +
      '`proposalStale`; cancel it then, and ask anew.',
    parameters: ofProposal,
    body: z
      .strictObject({ decision: field.word(['approve', 'cancel'], 'What to do with it.') })
      .meta({ examples: [{ decision: 'approve' }] }),
    answer: proposal,
    problems: [
      ...(['unknownProposal', 'wrongState', 'proposalExpired', 'proposalStale', 'sameOperator'] as const),
      ...(['mayMakeTokens', 'invalidConfiguration', 'unknownReferencePrice'] as const),
      ...(['notEnoughFunds', 'houseHasTooLittle', 'aboveAssetCap', 'accountNotUsable', 'futuresNotEnabled'] as const),
      'accountClosed',
    ],
  }),
  cancelProposal: endpoint.delete('/v1/proposals/{proposal}', {
    scope: 'assets:write',
    edits: 'getProposal',
    name: 'Cancel a proposal',
    command: 'proposals cancel',
    summary: 'Takes a proposal back, whoever made it.',
    parameters: ofProposal,
    answer: proposal,
    problems: ['unknownProposal', 'wrongState', 'proposalExpired'],
  }),
  getAlone: endpoint.get('/v1/alone', {
    scope: 'assets:read',
    name: 'Alone or not',
    command: 'alone show',
    summary: 'Whether one operator runs the exchange alone.',
    answer: alone,
  }),
  putAlone: endpoint.put('/v1/alone', {
    scope: 'assets:write',
    edits: 'getAlone',
    name: 'Set alone or not',
    command: 'alone set',
    asksFirst: true,
    summary: 'Sets whether one operator runs the exchange alone.',
    notes:
      'Then what lowers a protection takes effect 24 hours after it was asked for, unless it is cancelled. It is on ' +
      'at once while no second person ever acted; later two persons have to turn it on.',
    body: alone.meta({ examples: [{ enabled: true }] }),
    answer: alone,
    mayBeProposed: true,
    problems: ['tooManyProposals'],
  }),
};
