import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { engineLimits } from '#model/limits.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const rate = (description: string) =>
  field.whole(`${description} In parts per million; a pair that asks for less keeps its own.`, {
    min: 0,
    max: million,
  });
const tier = z.strictObject({
  volume: field.amount('Traded within 30 days, in the reference asset; null: volume does not lead to it.').nullable(),
  tokenBalance: field.amount('Owned of the platform token; null: no balance leads to it.').nullable(),
  makerFeePpm: rate('Commission as a maker.'),
  takerFeePpm: rate('Commission as a taker.'),
});
const tiers = z
  .array(tier)
  .max(engineLimits.feeTiers)
  .meta({ description: 'The lowest first; none: volume is counted, and nobody is in a tier.' });
const enabled = () => field.flag('Whether there are tiers. While there are none, no volume is counted.');
const table = z.strictObject({
  enabled: enabled(),
  tiers,
  valuedIn: field.assetCode('Volume is valued in this asset; null: there are no tiers.').nullable(),
  nextAt: field.moment('When tiers are assigned next; null: there are none.').nullable(),
});

const number = () => field.whole('Number of a tier, 1 is the lowest.', { min: 1, max: engineLimits.feeTiers });
const met = z.strictObject({
  volume: field.amount('Traded in 30 days.'),
  tokenBalance: field.amount('Owned of the platform token; "0" also for less than any tier asks for.'),
});
const ofAccount = z.strictObject({
  masterUid: field.uid('The account whose tier it is: the master of a sub-account.'),
  tier: number().nullable().meta({ description: 'Number of its tier; null: none.' }),
  makerFeePpm: rate('Commission of the tier as a maker.').nullable(),
  takerFeePpm: rate('Commission of the tier as a taker.').nullable(),
  since: field.moment('The midnight from which on it is in this tier.').nullable(),
  counted: met.nullable().meta({ description: 'What counted at the last midnight; null: none since tiers were set.' }),
  present: met.meta({ description: 'What would count at the next midnight if nothing else happened.' }),
  next: z
    .strictObject({
      tier: number(),
      volumeMissing: field.amount('Volume that is missing; null: volume does not lead to it.').nullable(),
      tokenBalanceMissing: field.amount('Tokens that are missing; null: no balance leads to it.').nullable(),
    })
    .nullable()
    .meta({ description: 'The tier above what `present` leads to; null: it is the highest.' }),
});

/** Endpoints of commissions by volume and by balance. DEC-OPR-210. */
export const feeTierEndpoints = {
  getFeeTiers: endpoint.get('/v1/fee-tiers', {
    scope: 'pairs:read',
    name: 'Look at the fee tiers',
    command: 'fees tiers',
    summary: 'What accounts must trade or own to pay less commission.',
    answer: table,
    untagged: ['nextAt'],
  }),
  putFeeTiers: endpoint.put('/v1/fee-tiers', {
    scope: 'pairs:write',
    edits: 'getFeeTiers',
    name: 'Set the fee tiers',
    command: 'fees set-tiers',
    asksFirst: { enabled: [false] },
    summary: 'Sets the tiers from the next midnight, UTC, on; without any, everybody leaves his at once.',
    notes:
      'An account is in the highest tier that its volume of 30 days or its balance leads to; sub-accounts count for ' +
      'their master, and have its tier. Commissions of an account go before those of its tier, and no tier makes a ' +
      'pair dearer. Volume is counted from the first time that tiers are set.',
    body: z.strictObject({ enabled: enabled(), tiers: tiers.default([]) }).meta({
      examples: [
        {
          enabled: true,
          tiers: [
            { volume: '100000', tokenBalance: '500', makerFeePpm: 800, takerFeePpm: 1500 },
            { volume: '1000000', tokenBalance: null, makerFeePpm: 0, takerFeePpm: 900 },
          ],
        },
      ],
    }),
    answer: table,
    problems: ['invalidConfiguration', 'walletNotConfigured'],
  }),
  getFeeTierOfAccount: endpoint.get('/v1/accounts/{uid}/fee-tier', {
    scope: 'accounts:read',
    name: 'Fee tier of an account',
    command: 'fees of-account',
    summary: 'Its tier, what counted for it, and what is missing to the next one.',
    parameters: z.strictObject({ uid: field.uid() }),
    answer: ofAccount,
    problems: ['unknownAccount', 'noFeeTiers'],
  }),
};
