import { million } from '#base/whole-numbers.ts';
import { z } from 'zod';
import { contractStates } from '#model/contract.ts';
import { indexWeightMax } from '#market-data/price-index/price-index.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const rate = (description: string) => field.whole(`${description} In parts per million.`, { min: 0, max: million });
const signedRate = (description: string) =>
  field.whole(`${description} In parts per million.`, { min: -million, max: million });
const lots = (description: string) => field.whole(description, { min: 1, max: Number.MAX_SAFE_INTEGER });

const tiers = () =>
  z
    .array(
      z.strictObject({
        maxLots: lots('Greatest position of the tier, in contracts.'),
        maintenancePpm: rate('Maintenance margin.'),
        initialPpm: rate('Initial margin.'),
        maxLeverage: field.whole('Greatest leverage.', { min: 1, max: 1000 }),
      }),
    )
    .min(1)
    .max(50)
    .meta({ description: 'Tiers of risk, ascending by maxLots.' });

/** What can be changed of a listed contract. */
const changing = {
  minLots: lots('Smallest order, in contracts.'),
  maxLots: lots('Greatest order, in contracts.'),
  makerFeePpm: rate('Commission of makers.'),
  takerFeePpm: rate('Commission of takers.'),
  bidLimitPpm: rate('How far above the index an order may buy.'),
  askLimitPpm: rate('How far below the index an order may sell.'),
  collarPpm: rate("Greatest distance of a market order's fills from the last price."),
  fairLimitPpm: rate('Greatest distance of the fair price from the index.'),
  fundingHours: field.whole('Hours between two fundings: a divisor of 24.', { min: 1, max: 24 }),
  minFundingPpm: signedRate('Smallest funding rate.'),
  maxFundingPpm: signedRate('Greatest funding rate.'),
  liquidationFeePpm: rate('Fee of a liquidation, to the insurance fund.'),
  tiers: tiers(),
};
/** What stays as it was listed. */
const placement = {
  base: field.assetCode('What the price is of.'),
  settle: field.assetCode('What the price is in, and what profits, fees and margins are paid in.'),
  size: field.amount('Base coin of one contract.'),
  priceDecimals: field.whole('Decimals of its price tick.', { min: 0, max: 8 }),
};
const price = (description: string) => field.amount(`${description} In the settle asset.`);

const mark = z
  .strictObject({
    index: price('Index price; null: none is known.').nullable(),
    fair: price('Fair price; null: none is known.').nullable(),
    fundingRate: field.signedAmount('Rate of the last funding: longs pay it to shorts, below zero shorts pay.'),
    predictedRate: field.signedAmount('What the rate would be if the cycle ended now.'),
    nextFundingAt: field.moment('When the next funding is settled.'),
    openInterest: field.whole('Long positions of all accounts, in contracts.', {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
    fund: field.signedAmount('Balance of the insurance fund, in the settle asset.'),
    at: field.moment('When the prices were updated.'),
  })
  .nullable()
  .meta({ description: 'Prices, funding and insurance fund as they are now; null before the first update.' });

const contract = z.strictObject({
  contract: field.contractName(),
  state: field.word(contractStates, 'What can be done with it.'),
  ...placement,
  ...changing,
  createdAt: field.moment('When it was listed.'),
  mark,
});

const ofContract = z.strictObject({ contract: field.contractName() });
const sourceName = (description: string) =>
  z
    .string()
    .regex(/^[A-Z0-9][A-Z0-9_.-]{0,31}$/, 'must be 1 to 32 capital letters, digits, dots, dashes and underscores')
    .meta({ description, examples: ['DESK'] });
const source = z.strictObject({
  source: sourceName('Name of the source.'),
  weight: field.whole('Its share in the mean against those of others.', { min: 1, max: indexWeightMax }),
  price: price('What it says.'),
  at: field.moment('When it said so.'),
  liveUntil: field.moment('Last moment at which it counts.'),
});

const exampleTerms = {
  base: 'BTC',
  settle: 'USDT',
  size: '0.0001',
  priceDecimals: 1,
  fundingHours: 8,
  minLots: 1,
  maxLots: 4_500_000,
  makerFeePpm: 100,
  takerFeePpm: 400,
  bidLimitPpm: 100_000,
  askLimitPpm: 100_000,
  collarPpm: 50_000,
  fairLimitPpm: 10_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  liquidationFeePpm: 400,
  tiers: [
    { maxLots: 1_000_000, maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 },
    { maxLots: 4_500_000, maintenancePpm: 8000, initialPpm: 10_000, maxLeverage: 100 },
  ],
};

/** Endpoints of contracts: their rules and states, insurance funds and index prices. DEC-FUT-45. */
export const contractEndpoints = {
  listContracts: endpoint.get('/v1/contracts', {
    scope: 'contracts:read',
    name: 'List contracts',
    command: 'contracts list',
    summary: 'Every contract with its rules, prices, funding and insurance fund, in the order of listing.',
    query: z.strictObject(field.paging),
    answer: field.page(contract),
  }),
  getContract: endpoint.get('/v1/contracts/{contract}', {
    parameters: ofContract,
    scope: 'contracts:read',
    name: 'Look at a contract',
    command: 'contracts show',
    summary: 'One contract with its rules, prices, funding and insurance fund.',
    notes: 'Its ETag does not cover `mark`.',
    untagged: ['mark'],
    answer: contract,
    problems: ['unknownContract'],
  }),
  putContract: endpoint.put('/v1/contracts/{contract}', {
    parameters: ofContract,
    scope: 'contracts:write',
    edits: 'getContract',
    name: 'List or replace a contract',
    command: 'contracts put',
    summary: 'Lists a contract and opens its insurance fund, or replaces rates, bounds and tiers of a listed one.',
    notes:
      'A contract is listed as paused, so that its fund and index can be set up before anybody trades. ' +
      'Assets, size and price decimals of a listed contract cannot change. A changed funding cycle applies at once.',
    body: z.strictObject({ ...placement, ...changing }).meta({ examples: [exampleTerms] }),
    answer: contract,
    problems: ['invalidConfiguration'],
  }),
  setContractState: endpoint.put('/v1/contracts/{contract}/state', {
    parameters: ofContract,
    scope: 'contracts:write',
    edits: 'getContract',
    name: 'Change state of a contract',
    command: 'contracts state',
    asksFirst: { state: ['delivery', 'delivered', 'offline', 'paused'] },
    summary: 'Enables, pauses or delivers a contract, or takes it offline.',
    notes: 'Delivered and offline contracts have no orders and positions: these are settled at the fair price.',
    body: z
      .strictObject({ state: field.word(contractStates, 'What can be done with it.') })
      .meta({ examples: [{ state: 'paused' }] }),
    answer: contract,
    problems: ['unknownContract', 'wrongState'],
  }),
  setRiskTiers: endpoint.put('/v1/contracts/{contract}/risk-tiers', {
    parameters: ofContract,
    scope: 'contracts:write',
    edits: 'getContract',
    name: 'Replace risk tiers',
    command: 'contracts risk-tiers',
    summary: 'Replaces the tiers of risk; everything else of the contract stays.',
    body: z.strictObject({ tiers: tiers() }).meta({ examples: [{ tiers: exampleTerms.tiers }] }),
    answer: contract,
    problems: ['unknownContract', 'invalidConfiguration'],
  }),
  fundInsurance: endpoint.post('/v1/contracts/{contract}/insurance-fund', {
    parameters: ofContract,
    scope: 'contracts:write',
    name: 'Pay into insurance fund',
    command: 'insurance-funds fund',
    asksFirst: true,
    summary: 'Adds money of the house to the insurance fund of a contract.',
    notes: 'In production it comes out of the house account capital: put it in by an adjustment first.',
    body: z.strictObject({ amount: field.amount('How much, in the settle asset.') }).meta({
      examples: [{ amount: '500000' }],
    }),
    answer: z.strictObject({
      contract: field.contractName(),
      asset: field.assetCode(),
      fund: field.signedAmount('Balance of the insurance fund now.'),
    }),
    status: 201,
    problems: ['unknownContract', 'aboveAssetCap', 'houseHasTooLittle', 'wrongAmount'],
  }),
  getIndex: endpoint.get('/v1/contracts/{contract}/index', {
    parameters: ofContract,
    scope: 'contracts:read',
    name: 'Sources of an index',
    command: 'contracts index',
    summary: 'What the sources of an index say now, which of them count, and the price that follows.',
    notes: 'SPOT is the own spot market. The others are prices that operators give.',
    answer: z.strictObject({
      contract: field.contractName(),
      price: price('Index price; null: no source counts.').nullable(),
      sources: z.array(
        source.extend({
          standing: field.word(
            ['counted', 'stale', 'deviating', 'outweighed'],
            'Why it counts or does not: too old, more than 3 % off the median, or of two the lighter one.',
          ),
        }),
      ),
    }),
    problems: ['unknownContract'],
  }),
  giveIndexPrice: endpoint.post('/v1/contracts/{contract}/index/prices', {
    parameters: ofContract,
    scope: 'contracts:write',
    name: 'Give an index price',
    command: 'contracts give-price',
    summary: 'Gives the price of a source, in place of what it said before.',
    notes: 'Given prices are kept in memory: a restart forgets them. A contract has at most 20 such sources.',
    body: z
      .strictObject({
        source: sourceName('Name of the source; SPOT is taken.').refine((name) => name !== 'SPOT', 'must not be SPOT'),
        price: price('What it says, with at most 8 decimals.'),
        weight: field.whole('Its share in the mean; the own spot market has 100 unless configured.', {
          min: 1,
          max: indexWeightMax,
        }),
        liveSeconds: field.whole('How long it is live.', { min: 1, max: 3600 }).default(10),
      })
      .meta({ examples: [{ source: 'DESK', price: '65000.5', weight: 100, liveSeconds: 10 }] }),
    answer: source,
    status: 201,
    problems: ['unknownContract', 'tooManyIndexSources'],
  }),
  removeIndexSource: endpoint.delete('/v1/contracts/{contract}/index/prices/{source}', {
    scope: 'contracts:write',
    name: 'Remove an index source',
    command: 'contracts remove-source',
    asksFirst: true,
    summary: 'Forgets the price of a source.',
    parameters: z.strictObject({ contract: field.contractName(), source: sourceName('Name of the source.') }),
    answer: z.strictObject({ source: sourceName('Name of the source.') }),
    problems: ['unknownContract', 'unknownIndexSource'],
  }),
};
