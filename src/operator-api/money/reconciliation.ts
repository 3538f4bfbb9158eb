import * as field from '#operator-api/declaration/fields.ts';
import { z } from 'zod';
import { amountText } from '#operator-api/wallet/listed-assets.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { reconcile, type ReconciledAsset } from '#custody/settlement/reconcile.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';

/** Endpoints that compare the ledger with custody. */
export const reconciliationEndpoints = {
  getReconciliation: endpoint.get('/v1/reconciliation', {
    scope: 'ledger:read',
    name: 'Reconciliation',
    command: 'ledger reconciliation',
    summary: 'Per asset what custody must have by the ledger, and what it has.',
    notes: 'Money moves while this looks: ask again, and a difference that stays is one.',
    answer: z.strictObject({
      items: z.array(
        z.strictObject({
          asset: field.assetCode(),
          onLedger: field.signedAmount('What came over chains, or as capital, and is still here by the ledger.'),
          notCredited: field.signedAmount('Deposits that are on a chain and not credited.'),
          onWord: z
            .array(
              z.strictObject({
                deposit: z.int().meta({ description: 'Number of the deposit.' }),
                network: field.networkCode(),
                txId: z.string().meta({ description: 'Its transaction.' }),
                amount: field.amount('What was credited.'),
                approvals: z.array(z.string()).meta({ description: 'Operators who approved it.' }),
              }),
            )
            .meta({
              description: 'Credited in the last days on the word of two operators, because nobody looks at the chain.',
            }),
          leaving: field.signedAmount('Withdrawals and their fees that are in a block and not final.'),
          expected: field.signedAmount('onLedger + notCredited - leaving.'),
          inCustody: field.signedAmount('What the networks have that answered.'),
          byHand: field
            .signedAmount('What must be on networks that nobody reads, to compare with what you count; null: none is.')
            .nullable(),
          difference: field.signedAmount('inCustody + byHand - expected.'),
          rounding: field.signedAmount('What rounding to the decimals of the ledger explains of it at most.'),
          isComplete: field.flag('Whether every network answered that is read.'),
          isExplained: field.flag('They all answered, and no more is different than rounding explains.'),
          networks: z.array(
            z.strictObject({
              network: field.networkCode(),
              amount: field
                .signedAmount('What custody has; null: it is counted by hand, or the network does not answer.')
                .nullable(),
              isByHand: field.flag('Nobody reads it there: what is there is counted by hand.'),
              remainder: z.string().meta({
                description: 'What the chain counts finer than the ledger, in its smallest unit.',
                examples: ['999999999'],
              }),
            }),
          ),
        }),
      ),
    }),
  }),
} as const;

type Endpoints = typeof reconciliationEndpoints;
type Shown = z.input<Endpoints['getReconciliation']['answer']>['items'][number];

function shown(row: ReconciledAsset): Shown {
  const text = (amount: bigint): string => amountText(amount, row.asset);
  return {
    asset: row.asset.code,
    onLedger: text(row.onLedger),
    notCredited: text(row.notCredited),
    onWord: row.onWord.map(({ deposit, network, txId, amount, approvals }) => ({
      ...{ deposit, network, txId, approvals: [...approvals] },
      amount: text(amount),
    })),
    leaving: text(row.leaving),
    expected: text(row.expected),
    inCustody: text(row.inCustody),
    byHand: row.byHand === null ? null : text(row.byHand),
    difference: text(row.difference),
    rounding: text(row.rounding),
    isComplete: row.isComplete,
    isExplained: row.isExplained,
    networks: row.networks.map(({ network, amount, isByHand, remainder }) => ({
      network,
      amount: amount === null ? null : text(amount),
      isByHand,
      remainder: String(remainder),
    })),
  };
}

/** Handlers of the reconciliation. */
export const reconciliationHandlers = ({ queries, custody }: OperatorContext): HandlersOf<Endpoints> => ({
  getReconciliation: async () => ({ items: (await reconcile(queries, custody)).map(shown) }),
});
