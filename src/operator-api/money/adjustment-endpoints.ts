import { z } from 'zod';
import { adjustableHouse, adjustmentKinds, type AdjustableHouse } from '#model/adjustment.ts';
import { engineLimits } from '#model/limits.ts';
import { walletKinds } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const houseWords = Object.keys(adjustableHouse) as [AdjustableHouse, ...AdjustableHouse[]];
const house = () => field.word(houseWords, 'The house account, instead of uid.');
const wallet = () => field.word(walletKinds, 'Which of the wallets of uid.');
const kind = () => field.word(adjustmentKinds, 'What it is.');
const reason = () => field.text('Why; kept, and shown to operators only.', engineLimits.reasonLength);
const reference = () => field.text('What it refers to: a ticket, a transaction.', engineLimits.referenceLength);
const number = () => field.whole('Running number of the adjustment.', { min: 1, max: Number.MAX_SAFE_INTEGER });

/** What an adjustment asks for, as requests and proposals have it. */
const terms = {
  asset: field.assetCode(),
  kind: kind(),
  reason: reason(),
};
const adjustment = z.strictObject({
  adjustment: number(),
  uid: field.uid('Whose balance it is; null: one of the house.').nullable(),
  wallet: wallet().nullable(),
  house: house().nullable(),
  ...terms,
  amount: field.signedAmount('How much; below zero where a correction takes.'),
  reference: reference().nullable(),
  madeBy: z.string().meta({ description: 'Who asked for it.', examples: ['erin'] }),
  approvedBy: z.string().nullable().meta({ description: 'The second operator; null: none was asked.' }),
  proposal: z.int().nullable().meta({ description: 'The proposal that it was; null: none.' }),
  at: field.moment('When it was posted.'),
});

/** Endpoints of adjustments. */
export const adjustmentEndpoints = {
  makeAdjustment: endpoint.post('/v1/adjustments', {
    scope: 'adjustments:write',
    name: 'Adjust a balance',
    command: 'adjust',
    asksFirst: true,
    summary: 'Changes a balance of an account or of the house, with its other side in the ledger.',
    notes:
      '`credit`, `debit`: the house gives or takes; `correction`: undoes a mistake, below zero where it takes; ' +
      '`capitalIn`: the operator put money into custody, for `capital`, `gas` or `dust`; `revenueOut`: he took ' +
      '`fees` out of custody. Nothing that is held or owed is taken. In production one that is worth more than ' +
      'adjustFourEyesAbove, with what the same operator adjusted within 24 hours, waits for a second operator (202); ' +
      'so does one that nobody knows the worth of.',
    body: z
      .strictObject({
        uid: field.uid('Whose balance it is.').optional(),
        wallet: wallet().optional().meta({ description: 'Which of the wallets of uid; spot unless sent.' }),
        house: house().optional(),
        ...terms,
        amount: field.change('How much; above zero, only a correction may be below.'),
        reference: reference().optional(),
      })
      .meta({
        examples: [
          { uid: 10000001, asset: 'USDT', amount: '25', kind: 'credit', reason: 'Outage', reference: 'T-17' },
          { house: 'gas', asset: 'ETH', amount: '2', kind: 'capitalIn', reason: 'Gas wallet topped up' },
        ],
      }),
    answer: adjustment,
    status: 201,
    mayBeProposed: true,
    problems: [
      ...(['unknownAsset', 'unknownAccount', 'accountNotUsable', 'futuresNotEnabled', 'invalidConfiguration'] as const),
      ...(['notEnoughFunds', 'houseHasTooLittle', 'aboveAssetCap', 'tooManyProposals', 'accountClosed'] as const),
    ],
  }),
  listAdjustments: endpoint.get('/v1/adjustments', {
    scope: 'ledger:read',
    name: 'List adjustments',
    command: 'adjustments list',
    summary: 'Changes of balances on the word of operators, newest first.',
    query: z.strictObject({
      uid: field.uid('Only those of this account.').optional(),
      house: field.word(houseWords, 'Only those of this house account.').optional(),
      asset: field.assetCode('Only those of this asset.').optional(),
      kind: field.word(adjustmentKinds, 'Only those of this kind.').optional(),
      ...field.past,
    }),
    answer: field.page(adjustment),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  getAdjustment: endpoint.get('/v1/adjustments/{adjustment}', {
    scope: 'ledger:read',
    name: 'Look at an adjustment',
    command: 'adjustments show',
    summary: 'One adjustment.',
    parameters: z.strictObject({ adjustment: number() }),
    answer: adjustment,
    problems: ['unknownAdjustment', 'historyUnavailable'],
  }),
};
