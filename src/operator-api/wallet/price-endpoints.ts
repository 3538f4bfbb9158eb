import { z } from 'zod';
import { endpoint, reason } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

const price = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/, 'must be decimal text such as "0.25"')
    .meta({ description, examples: ['0.52'] });
const asset = () => z.strictObject({ asset: field.assetCode() });

const reference = z
  .strictObject({
    price: price('Price of a whole coin in the asset that the wallet is valued in.'),
    validUntil: field.moment('From this moment on it no longer counts.'),
    isInForce: field.flag('Whether it counts now.'),
    reason: reason(),
    actor: z.string().nullable().meta({ description: 'Who set it; null: the exchange itself.' }),
    setAt: field.moment('When it was set.'),
  })
  .meta({ description: 'What an operator set.' });
const guarded = (description: string) =>
  price(`${description} Rounded down to 12 decimals; null: no price counts.`).nullable();
const shown = z.strictObject({
  asset: field.assetCode(),
  higher: guarded('What holds, caps, four eyes and large deposits count with.'),
  lower: guarded('What dust is bought at.'),
  reference: reference.nullable(),
});

/** Endpoints of the prices that the rules of the wallet use. */
export const priceEndpoints = {
  listPrices: endpoint.get('/v1/prices', {
    scope: 'assets:read',
    name: 'List the prices for rules',
    command: 'prices list',
    summary: 'What holds, caps, large deposits and dust take a coin of each asset to be worth now, by ticker.',
    notes: 'It is not what the asset trades at: one trade cannot make it.',
    query: z.strictObject(field.paging),
    answer: field.page(shown),
    problems: ['walletNotConfigured'],
  }),
  getReferencePrice: endpoint.get('/v1/prices/{asset}/reference', {
    scope: 'assets:read',
    name: 'Look at a reference price',
    command: 'prices show',
    summary: 'What an operator set rules to take an asset to be worth.',
    notes: 'Its ETag does not cover `isInForce`.',
    parameters: asset(),
    answer: reference,
    untagged: ['isInForce'],
    problems: ['unknownAsset', 'unknownReferencePrice', 'walletNotConfigured'],
  }),
  putReferencePrice: endpoint.put('/v1/prices/{asset}/reference', {
    scope: 'assets:write',
    edits: 'getReferencePrice',
    name: 'Set a reference price',
    command: 'prices set',
    summary: 'Sets what rules take an asset to be worth, until it is too old or removed.',
    notes: 'In production a price that is not at least the one set before needs a second operator.',
    parameters: asset(),
    body: z
      .strictObject({
        price: price('Price of a whole coin in the asset that the wallet is valued in; above zero.'),
        validHours: field.whole('After how many hours it no longer counts.', {
          min: 1,
          max: operatorLimits.referencePriceHoursMax,
        }),
        reason: reason(),
      })
      .meta({ examples: [{ price: '0.52', validHours: 24, reason: 'Listed today; the book is thin.' }] }),
    answer: shown,
    mayBeProposed: true,
    problems: ['unknownAsset', 'walletNotConfigured', 'invalidConfiguration', 'tooManyProposals'],
  }),
  removeReferencePrice: endpoint.delete('/v1/prices/{asset}/reference', {
    scope: 'assets:write',
    edits: 'getReferencePrice',
    name: 'Remove a reference price',
    command: 'prices remove',
    asksFirst: true,
    summary: 'From now on rules use the price of the market.',
    notes: 'In production this needs a second operator while the price counts.',
    parameters: asset(),
    query: z.strictObject({ reason: reason() }),
    answer: shown,
    mayBeProposed: true,
    problems: [
      'unknownAsset',
      'unknownReferencePrice',
      'walletNotConfigured',
      'invalidConfiguration',
      'tooManyProposals',
    ],
  }),
};
