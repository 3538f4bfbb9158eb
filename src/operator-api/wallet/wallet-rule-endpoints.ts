import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const day = 86_400_000;
const valued = (description: string) => field.amount(`${description} In \`valuedIn\`.`);

const rules = z
  .strictObject({
    valuedIn: field.assetCode('Asset that amounts are valued in, at the prices for rules.'),
    largeDeposit: valued('Deposits worth this or more, or without a price, wait for an operator.'),
    dailyCaps: z
      .array(field.amount('The most that is withdrawn.'))
      .length(4)
      .meta({ description: 'Withdrawn within 24 hours at most, by KYC level from 1. In `valuedIn`.' }),
    riskHoldAbove: valued('Withdrawals worth more are audited by hand; null: only those without a price.').nullable(),
    fourEyesAbove: valued('Withdrawals worth more are audited too, and need two operators; null: none.').nullable(),
    adjustFourEyesAbove: valued(
      'Adjustments worth more, with those of the same operator within 24 hours, need two operators; null: none.',
    ).nullable(),
    newAddressDelayMs: field.whole(
      'How long a saved address waits before it can be paid; 0: any address can be paid.',
      {
        min: 0,
        max: 365 * day,
      },
    ),
    waitMs: field.whole('How long a withdrawal waits at least before it is processed, so that it can be cancelled.', {
      min: 0,
      max: day,
    }),
    transferable: z
      .array(field.assetCode())
      .max(50)
      .meta({ description: 'Assets that can be moved between spot and futures.' }),
    dustBelow: valued('What is worth less is dust.'),
    dustCallMax: valued('Worth of one conversion at most.'),
    dustFeePpm: field.whole('Fee of a conversion in parts per million of its gross.', { min: 0, max: 1_000_000 }),
  })
  .meta({
    examples: [
      {
        valuedIn: 'USDT',
        largeDeposit: '100000',
        dailyCaps: ['10000', '100000', '1000000', '10000000'],
        riskHoldAbove: '50000',
        fourEyesAbove: '10000',
        adjustFourEyesAbove: '100',
        newAddressDelayMs: day,
        waitMs: 5000,
        transferable: ['USDT'],
        dustBelow: '5',
        dustCallMax: '50',
        dustFeePpm: 2000,
      },
    ],
  });

/** Endpoints of the rules of the whole wallet. */
export const walletRulesEndpoints = {
  getWalletRules: endpoint.get('/v1/wallet/rules', {
    scope: 'assets:read',
    name: 'Read the wallet rules',
    command: 'wallet-rules show',
    summary: 'Caps, holds, delays and dust, for all assets.',
    answer: rules,
    problems: ['walletNotConfigured'],
  }),
  putWalletRules: endpoint.put('/v1/wallet/rules', {
    scope: 'assets:write',
    edits: 'getWalletRules',
    name: 'Replace the wallet rules',
    command: 'wallet-rules put',
    summary: 'Replaces all rules of the wallet.',
    notes:
      'In production a change that lowers a protection waits as a whole for a second operator (202): a higher or no ' +
      'largeDeposit, dailyCaps, riskHoldAbove, adjustFourEyesAbove, dustBelow or dustCallMax, a shorter ' +
      'newAddressDelayMs or waitMs, and any other fourEyesAbove or valuedIn.',
    body: rules,
    answer: rules,
    mayBeProposed: true,
    problems: ['invalidConfiguration', 'tooManyProposals'],
  }),
};
