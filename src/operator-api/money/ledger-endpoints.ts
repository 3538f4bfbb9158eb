import { z } from 'zod';
import { type house, type innerHouse, postingKinds } from '#model/account.ts';
import { walletKinds } from '#model/wallet.ts';
import { ledgerReferences } from '#history/tables/ledger-tables.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

/** Accounts of the house, and the outside. */
const houseAccountNames = [
  'outside',
  'fees',
  'rounding',
  'rebates',
  'grants',
  'dust',
  'chainLosses',
  'gas',
  'clearing',
  'capital',
  'undelivered',
  'adjustments',
  'revenue',
  'refunds',
] as const satisfies readonly (keyof typeof house | keyof typeof innerHouse)[];

/** What a ledger line may refer to. */
export const referenceTypes = ['order', ...ledgerReferences] as const;

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

const totals = (description: string) =>
  z
    .array(z.strictObject({ asset: field.assetCode(), balance: field.signedAmount('Free and held together.') }))
    .meta({ description });

const line = z.strictObject({
  at: field.moment('When it was posted.'),
  seq: z.int().meta({ description: 'Position of the command in the journal.' }),
  line: z.int().meta({ description: 'Number of the line within the command, over all accounts, from 0.' }),
  asset: field.assetCode(),
  change: field.signedAmount('What the balance changed by.'),
  freeChange: field.signedAmount('What of it could be spent.'),
  heldChange: field.signedAmount('What of it was set aside.'),
  balance: field.signedAmount('What it owned afterwards.'),
  reason: field.word(postingKinds, 'Why money moved.'),
  reference: z
    .strictObject({
      type: field.word(referenceTypes, 'What caused it.'),
      id: z.string().meta({ description: 'Its id, or number, as other endpoints tell it.', examples: ['17'] }),
    })
    .nullable()
    .meta({ description: 'What caused it; null: nothing of these, or several.' }),
});
const linesQuery = z.strictObject({
  asset: field.assetCode('Only lines of this asset.').optional(),
  reason: field.word(postingKinds, 'Only lines with this reason, of the newest 100,000 lines.').optional(),
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
  getBalancesAt: endpoint.get('/v1/accounts/{uid}/balances-at', {
    scope: 'ledger:read',
    name: 'Balances as of a moment',
    command: 'accounts balances-at',
    summary: 'What an account owned in both of its wallets after everything that happened up to a moment.',
    notes: 'Free and held together: what is set aside changes nothing of what is owned.',
    parameters: z.strictObject({ uid: field.uid() }),
    query: z.strictObject({ at: field.moment('The moment, itself included; not in the future.') }),
    answer: z.strictObject({
      uid: field.uid(),
      at: field.moment('The moment.'),
      spot: totals('What the account owned to trade.'),
      futures: totals('What its futures wallet held.'),
    }),
    problems: ['unknownAccount', 'historyUnavailable'],
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
    notes: 'What one command moves for one reason is one line.',
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
    query: z.strictObject({
      at: field.moment('As of this moment, itself included, not in the future; without it as of now.').optional(),
    }),
    problems: ['historyUnavailable'],
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
