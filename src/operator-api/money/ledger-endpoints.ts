import { z } from 'zod';
import { postingKinds } from '#model/account.ts';
import { walletKinds } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

/** House accounts whose ledger is kept: that of the outside is all deposits and withdrawals. */
const houseAccountNames = [
  'fees',
  'rounding',
  'rebates',
  'grants',
  'dust',
  'chainLosses',
  'gas',
  'capital',
  'undelivered',
  'adjustments',
  'revenue',
] as const;

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

const line = z.strictObject({
  at: field.moment('When it was posted.'),
  seq: z.int().meta({ description: 'Position of the command in the journal.' }),
  asset: field.assetCode(),
  change: field.signedAmount('What the balance changed by.'),
  freeChange: field.signedAmount('What of it could be spent.'),
  heldChange: field.signedAmount('What of it was set aside.'),
  reason: field.word(postingKinds, 'Why money moved.'),
  order: z.int().nullable().meta({ description: 'Running number of the order that moved it; null: none.' }),
});
const linesQuery = z.strictObject({
  asset: field.assetCode('Only lines of this asset.').optional(),
  ...field.past,
});

/** Endpoints of the ledger. */
export const ledgerEndpoints = {
  getBalances: endpoint.get('/v1/accounts/{uid}/balances', {
    scope: 'ledger:read',
    name: 'Balances of an account',
    command: 'accounts balances',
    summary: 'What an account owns in both of its wallets.',
    parameters: z.strictObject({ uid: field.uid() }),
    answer: z.strictObject({
      uid: field.uid(),
      spot: balances('Balances that can be traded.'),
      futures: balances('Balances of the futures wallet.'),
    }),
    problems: ['unknownAccount'],
  }),
  listLedgerLines: endpoint.get('/v1/accounts/{uid}/ledger/{wallet}', {
    scope: 'ledger:read',
    name: 'Ledger of an account',
    command: 'accounts ledger',
    summary: 'What changed what a wallet owns, newest first.',
    notes: 'Setting money aside changes nothing of it. Participants of the simulated market have no lines.',
    parameters: z.strictObject({ uid: field.uid(), wallet: field.word(walletKinds, 'Which of its wallets.') }),
    query: linesQuery,
    answer: field.page(line),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  listHouseLedgerLines: endpoint.get('/v1/ledger/house/{account}/lines', {
    scope: 'ledger:read',
    name: 'Ledger of a house account',
    command: 'ledger house',
    summary: 'What changed the balances of a house account, newest first.',
    notes: 'Not what trading pays to it: that stands with the trades.',
    parameters: z.strictObject({ account: field.word(houseAccountNames, 'Name of the house account.') }),
    query: linesQuery,
    answer: field.page(line),
    problems: ['historyUnavailable'],
  }),
  getTrialBalance: endpoint.get('/v1/ledger/trial-balance', {
    scope: 'ledger:read',
    name: 'Trial balance',
    command: 'ledger trial-balance',
    summary: 'Per asset the sums over users, futures wallets, every house account and the outside.',
    notes: 'Every sum is zero: no money appears and none is lost.',
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
  }),
};
