import { z } from 'zod';
import { operatorEndpoint } from '#operator/endpoint.ts';
import * as field from '#operator/fields.ts';

const balances = (description: string) =>
  z
    .array(
      z.strictObject({
        asset: field.assetCode(),
        free: field.amount('What can be spent.'),
        held: field.amount('What is set aside for orders and withdrawals.'),
      }),
    )
    .meta({ description });

/** Endpoints of the ledger. */
export const ledgerEndpoints = {
  getBalances: operatorEndpoint({
    method: 'GET',
    path: '/v1/accounts/{uid}/balances',
    scope: 'ledger:read',
    name: 'Balances of an account',
    summary: 'What an account owns in both of its wallets.',
    parameters: z.strictObject({ uid: field.uid() }),
    query: field.nothing(),
    body: null,
    answer: z.strictObject({
      uid: field.uid(),
      spot: balances('Balances that can be traded.'),
      futures: balances('Balances of the futures wallet.'),
    }),
    problems: ['unknownAccount'],
  }),
  getTrialBalance: operatorEndpoint({
    method: 'GET',
    path: '/v1/ledger/trial-balance',
    scope: 'ledger:read',
    name: 'Trial balance',
    summary: 'Per asset the sums over users, futures wallets, every house account and the outside.',
    notes: 'Every sum is zero: no money appears and none is lost.',
    parameters: field.nothing(),
    query: field.nothing(),
    body: null,
    answer: z.strictObject({
      items: z.array(
        z.strictObject({
          asset: field.assetCode(),
          users: field.signedAmount('Free and held of all users.'),
          futures: field.signedAmount('Futures wallets of all users.'),
          house: z
            .array(
              z.strictObject({
                account: z.string().meta({ description: 'Name of the house account.', examples: ['fees'] }),
                balance: field.signedAmount('Its balance.'),
              }),
            )
            .meta({ description: 'House accounts that have a balance, but the outside.' }),
          outside: field.signedAmount('What came over chains, with the sign turned.'),
          sum: field.signedAmount('All of them together: 0.'),
        }),
      ),
    }),
    problems: [],
  }),
  fundHouseAccount: operatorEndpoint({
    method: 'POST',
    path: '/v1/ledger/house/{account}/funds',
    scope: 'assets:write',
    name: 'Fund a house account',
    summary: 'Credits the house account that buys dust, or the one that pays network fees.',
    notes: 'The money comes from the house account grants: what the house puts in.',
    parameters: z.strictObject({ account: field.word(['dust', 'gas'], 'House account to credit.') }),
    query: field.nothing(),
    body: z
      .strictObject({ asset: field.assetCode(), amount: field.amount('What is credited.') })
      .meta({ examples: [{ asset: 'SVC', amount: '100000' }] }),
    answer: z.strictObject({
      account: z.string(),
      asset: field.assetCode(),
      balance: field.signedAmount('What the house account has now.'),
    }),
    problems: ['aboveAssetCap', 'invalidConfiguration', 'unknownAccount'],
  }),
};
