import { z } from 'zod';
import { takeoverReasons } from '#model/contract.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const most = Number.MAX_SAFE_INTEGER;
const money = (description: string) => field.signedAmount(`${description} In the settle asset.`);

const funding = z.strictObject({
  at: field.moment('End of the cycle that it is for.'),
  rate: field.signedAmount('Longs paid it to shorts; below zero shorts paid.'),
  fair: field.amount('Fair price that positions counted at, in the settle asset.'),
  paid: money('What payers paid.'),
  received: money('What receivers got; the rest is of rounding.'),
});

const takeover = z.strictObject({
  at: field.moment('When it was taken.'),
  seq: z.int().meta({ description: 'Position of the command in the journal.' }),
  uid: field.uid('Whose position; null: of the house.').nullable(),
  reason: field.word(takeoverReasons, 'Why it was taken.'),
  lots: field.whole('Contracts that were taken: above zero of a long position.', { min: -most, max: most }),
  price: field.amount('Price that they were taken at, in the settle asset.'),
  realised: money('What the account made by it.'),
  fee: money('What the account paid for it.'),
  fromFund: money('What the insurance fund paid; below zero: got.'),
});

/** Parts that all of these endpoints share. */
const own = {
  scope: 'contracts:read',
  parameters: z.strictObject({ contract: field.contractName() }),
} as const;
const past = {
  ...own,
  query: z.strictObject(field.past),
  problems: ['unknownContract', 'historyUnavailable'],
} as const;

/** Endpoints of what became of contracts: fundings, insurance funds and positions that were taken. DEC-FUT-60. */
export const contractHistoryEndpoints = {
  listFundings: endpoint.get('/v1/contracts/{contract}/fundings', {
    ...past,
    name: 'Fundings of a contract',
    command: 'contracts fundings',
    summary: 'Fundings that were settled, newest first.',
    answer: field.page(funding),
  }),
  getInsuranceFund: endpoint.get('/v1/contracts/{contract}/insurance-fund', {
    ...own,
    name: 'Insurance fund of a contract',
    command: 'insurance-funds show',
    summary: 'The balance of an insurance fund, and the account that it is of.',
    notes: 'The position of the fund is among those of the contract, and of this account.',
    answer: z.strictObject({
      contract: field.contractName(),
      asset: field.assetCode(),
      uid: field.uid('Account whose futures wallet is the fund.'),
      fund: field.signedAmount('Balance of the insurance fund.'),
    }),
    problems: ['unknownContract'],
  }),
  listFundSnapshots: endpoint.get('/v1/contracts/{contract}/insurance-fund/snapshots', {
    ...past,
    name: 'Snapshots of an insurance fund',
    command: 'insurance-funds snapshots',
    summary: 'Balances of an insurance fund every four hours, newest first.',
    answer: field.page(
      z.strictObject({ at: field.moment('When it was taken.'), fund: field.signedAmount('Balance of the fund.') }),
    ),
  }),
  listTakeovers: endpoint.get('/v1/contracts/{contract}/takeovers', {
    ...past,
    name: 'Positions that were taken',
    command: 'contracts takeovers',
    summary: 'Positions, or parts of them, that were liquidated, deleveraged or delivered, newest first.',
    answer: field.page(takeover),
  }),
};
