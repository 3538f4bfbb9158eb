import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

/** Endpoints that compare the ledger with custody. */
export const reconciliationEndpoints = {
  getReconciliation: endpoint.get('/v1/reconciliation', {
    scope: 'ledger:read',
    name: 'Reconciliation',
    summary: 'Per asset what custody must have by the ledger, and what it has.',
    notes: 'Money moves while this looks: ask again, and a difference that stays is one.',
    answer: z.strictObject({
      items: z.array(
        z.strictObject({
          asset: field.assetCode(),
          onLedger: field.signedAmount('What came over chains and is still here by the ledger.'),
          notCredited: field.signedAmount('Deposits that are on a chain and not credited.'),
          onWord: z
            .array(
              z.strictObject({
                deposit: z.int().meta({ description: 'Number of the deposit.' }),
                network: field.networkCode(),
                txId: z.string().meta({ description: 'Its transaction.' }),
                amount: field.amount('What was credited.'),
                vouchers: z.array(z.string()).meta({ description: 'Operators who said so.' }),
              }),
            )
            .meta({
              description: 'Credited in the last days on the word of two operators, because nobody looks at the chain.',
            }),
          leaving: field.signedAmount('Withdrawals and their fees that are in a block and not final.'),
          expected: field.signedAmount('onLedger + notCredited - leaving.'),
          inCustody: field.signedAmount('What the networks have that answered.'),
          difference: field.signedAmount('inCustody - expected.'),
          rounding: field.signedAmount('What rounding to the decimals of the ledger explains of it at most.'),
          isComplete: field.flag('Whether every network answered.'),
          isExplained: field.flag('Every network answered, and no more is different than rounding explains.'),
          networks: z.array(
            z.strictObject({
              network: field.networkCode(),
              amount: field
                .signedAmount('What custody has; null: nobody looks there, or the network does not answer.')
                .nullable(),
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
