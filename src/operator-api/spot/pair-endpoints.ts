import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { orderKinds } from '#model/order.ts';
import { settableStatuses, symbolStatuses, tradeSideTypes } from '#model/symbol.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const rate = (description: string, max = million) =>
  field.whole(`${description} In parts per million.`, { min: 0, max });
const inQuote = (description: string) => field.amount(`${description} In the quote asset.`);
const optionalText = (description: string, lengthMax: number) =>
  z.union([z.literal(''), field.text(description, lengthMax)]).meta({ description });

/** What stays as it was listed. */
const placement = {
  base: field.assetCode('What is bought and sold.'),
  quote: field.assetCode('What prices are in.'),
  priceDecimals: field.scale('Decimals of the price tick.'),
  quantityDecimals: field.scale('Decimals of the quantity step.'),
};

/** What can be changed of a listed pair. */
const changing = {
  minQuantity: field.amount('Smallest quantity of an order, in the base asset.'),
  minAmount: inQuote('Smallest price times quantity of an order.'),
  minAmountMarket: inQuote('The same of market orders.'),
  maxAmount: inQuote('Greatest price times quantity of an order.'),
  maxAmountMarket: inQuote('The same of market orders.'),
  orderKinds: z
    .array(field.word(orderKinds, 'A kind of order.'))
    .min(1)
    .max(orderKinds.length)
    .meta({ description: 'Kinds of order that it takes.' }),
  sideType: field.word(tradeSideTypes, 'Which sides it takes.'),
  apiTradingAllowed: field.flag('Whether orders by API key are taken.'),
  makerFeePpm: rate('Commission of makers.'),
  takerFeePpm: rate('Commission of takers.'),
  collarPpm: rate("Greatest distance of a market order's fills from the last price."),
  bidMultiplierUpPpm: rate(
    'Percent price: an order may buy for at most so much of the last price; null: it may buy at any.',
    1000 * million,
  ).nullable(),
  askMultiplierDownPpm: rate(
    'Percent price: an order may sell for at least so much of the last price; null: it may sell at any.',
  ).nullable(),
  fullName: field.text('Name for people.', 64),
  contractAddress: optionalText('Contract of the base asset, where it is a token; or empty.', 128),
  specialTreatment: field.flag('Whether clients are warned of it.'),
};
const statusText =
  'Paused and cancel-only pairs keep their orders and take no new ones; one that is offline keeps none.';
const openAt = field.moment('When it goes online by itself; null: by an operator alone.').nullable();
const state = { status: field.word(settableStatuses, statusText), openAt };

const pair = z.strictObject({
  pair: field.pairName(),
  status: field.word(symbolStatuses, `${statusText} One that was delisted can only be read.`),
  openAt,
  ...placement,
  ...changing,
});
const ofPair = z.strictObject({ pair: field.pairName() });

const example = {
  base: 'BTC',
  quote: 'USDT',
  priceDecimals: 2,
  quantityDecimals: 4,
  minQuantity: '0.0001',
  minAmount: '1',
  minAmountMarket: '1',
  maxAmount: '4000000',
  maxAmountMarket: '1000000',
  orderKinds: [...orderKinds],
  sideType: 'all' as const,
  apiTradingAllowed: true,
  makerFeePpm: 0,
  takerFeePpm: 500,
  collarPpm: 50_000,
  bidMultiplierUpPpm: 1_200_000,
  askMultiplierDownPpm: 800_000,
  fullName: 'Bitcoin',
  contractAddress: '',
  specialTreatment: false,
};

/** Endpoints of pairs: what is traded, by which rules, and whether it is open. DEC-OPR-160 to 163, DEC-OPR-169. */
export const pairEndpoints = {
  listPairs: endpoint.get('/v1/pairs', {
    scope: 'pairs:read',
    name: 'List pairs',
    command: 'pairs list',
    summary: 'Every pair with its rules and its state, delisted ones too, in the order of listing.',
    query: z.strictObject(field.paging),
    answer: field.page(pair),
  }),
  getPair: endpoint.get('/v1/pairs/{pair}', {
    parameters: ofPair,
    scope: 'pairs:read',
    name: 'Look at a pair',
    command: 'pairs show',
    summary: 'One pair with its rules and its state.',
    answer: pair,
    problems: ['unknownPair'],
  }),
  putPair: endpoint.put('/v1/pairs/{pair}', {
    parameters: ofPair,
    scope: 'pairs:write',
    edits: 'getPair',
    name: 'List or replace a pair',
    command: 'pairs put',
    summary: 'Lists a pair as paused, or replaces the rules of a listed one.',
    notes:
      'Assets and decimals of a listed pair cannot change. Other rules hold at once for new orders; resting orders ' +
      'stay, and pay the commission of the moment of their fill.',
    body: z.strictObject({ ...placement, ...changing }).meta({ examples: [example] }),
    answer: pair,
    problems: ['invalidConfiguration', 'pairDelisted'],
  }),
  changePair: endpoint.patch('/v1/pairs/{pair}', {
    parameters: ofPair,
    scope: 'pairs:write',
    edits: 'getPair',
    name: 'Change a pair',
    command: 'pairs set',
    asksFirst: { status: ['paused', 'cancelOnly', 'offline'] },
    summary: 'Opens, pauses or closes a pair, schedules its opening, and changes rules; what is not named stays.',
    notes:
      'A pair that goes offline has its orders cancelled before the answer. ' +
      'A pair that goes online forgets its openAt.',
    body: z
      .strictObject({ ...state, ...changing })
      .partial()
      .meta({ examples: [{ status: 'online' }] }),
    answer: pair,
    problems: ['unknownPair', 'invalidConfiguration', 'pairDelisted'],
  }),
  delistPair: endpoint.delete('/v1/pairs/{pair}', {
    parameters: ofPair,
    scope: 'pairs:write',
    edits: 'getPair',
    name: 'Delist a pair',
    command: 'pairs delist',
    asksFirst: true,
    summary: 'Takes a pair that is offline off the list, for good.',
    notes:
      'What it traded can still be read. Its name is never given again; its assets can be traded under another one. ' +
      'A pair that may come back stays offline instead.',
    answer: pair,
    problems: ['unknownPair', 'pairNotOffline', 'pairMakesIndex', 'pairValuesCommission', 'pairDelisted'],
  }),
};
