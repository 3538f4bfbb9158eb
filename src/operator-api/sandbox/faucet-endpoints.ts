import { z } from 'zod';
import { accountClasses } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { type Permission, permissions, shortPermissions } from '#model/permission.ts';
import { walletKinds } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const grantsMax = 50;
/** A year: whoever needs a key for longer makes one of the account. */
const keySecondsMax = 366 * 86_400;
const hourS = 3600;

const names = [...permissions, ...shortPermissions] as [Permission, ...string[]];
const keyTerms = {
  permissions: z
    .array(field.word(names, 'What it may do.'))
    .min(1)
    .max(names.length)
    .default([...permissions])
    .meta({ description: 'What the key may do; unless sent everything.' }),
};
const key = z
  .strictObject({
    accessKey: field.accessKey(),
    secretKey: z.string().meta({ description: 'The secret: 32 hex characters.', examples: ['0'.repeat(32)] }),
    permissions: z.array(field.word(permissions, 'What it may do.')).meta({ description: 'What it may do.' }),
    endsAt: field.moment('When it ends by itself; null: never.').nullable(),
  })
  .meta({ description: 'A key of the account. Its secret is shown this once.' });
const wallet = () => field.word(walletKinds, 'Which of its wallets.');
const control = { scope: 'market:control', sandboxOnly: 'faucet' } as const;
const once = 'A repeated Idempotency-Key is refused with 422, because the secret cannot be shown again.';

/** Endpoints of the faucet. DEC-KIT-50 to 53. */
export const faucetEndpoints = {
  openFaucet: endpoint.post('/v1/faucet', {
    ...control,
    name: 'Open an account with money',
    command: 'faucet',
    summary: 'Opens an account, gives it balances and makes a key of it, in one call.',
    notes: `The money is play money: nobody paid it in. ${once}`,
    body: z
      .strictObject({
        uid: field.uid("The account's public number; unless sent the exchange gives one.").optional(),
        name: field.text('Name for people.', 64).default('test'),
        class: field.word(accountClasses, 'What it may call besides what its keys permit.').default('user'),
        kycLevel: field.whole('How far it is verified.', { min: 1, max: 4 }).default(4),
        grants: z
          .array(
            z.strictObject({
              asset: field.assetCode(),
              amount: field.amount('How much of it; above zero.'),
              wallet: wallet().default('spot'),
            }),
          )
          .max(grantsMax)
          .default([])
          .meta({ description: 'What it has from the beginning.' }),
        ...keyTerms,
      })
      .meta({
        examples: [
          {
            name: 'carol',
            grants: [
              { asset: 'USDT', amount: '10000' },
              { asset: 'USDT', amount: '500', wallet: 'futures' },
            ],
          },
        ],
      }),
    answer: z.strictObject({ uid: field.uid(), key }),
    status: 201,
    problems: ['uidInUse', 'aboveAssetCap', 'invalidConfiguration'],
  }),
  setBalance: endpoint.put('/v1/accounts/{uid}/balances/{asset}', {
    ...control,
    name: 'Set a balance',
    command: 'accounts set-balance',
    summary: 'Makes the free balance of an account what is asked for; what is held for orders stays held.',
    notes: 'The difference is an adjustment: the house gives or takes it. Of futures it is the free margin.',
    parameters: z.strictObject({ uid: field.uid(), asset: field.assetCode() }),
    body: z
      .strictObject({ free: field.amount('What is to be free.'), wallet: wallet().default('spot') })
      .meta({ examples: [{ free: '2500' }] }),
    answer: z.strictObject({
      uid: field.uid(),
      asset: field.assetCode(),
      wallet: wallet(),
      free: field.amount('What is free now.'),
    }),
    problems: [
      ...(['unknownAccount', 'unknownAsset', 'accountNotUsable', 'futuresNotEnabled'] as const),
      ...(['notEnoughFunds', 'houseHasTooLittle', 'aboveAssetCap', 'accountClosed', 'invalidConfiguration'] as const),
    ],
  }),
  impersonate: endpoint.post('/v1/accounts/{uid}/impersonate', {
    ...control,
    name: 'Impersonate an account',
    command: 'accounts impersonate',
    summary: 'Makes a key of any account that soon ends by itself, on the clock of the exchange.',
    notes: once,
    parameters: z.strictObject({ uid: field.uid() }),
    body: z
      .strictObject({
        seconds: field.whole('How long the key lives.', { min: 1, max: keySecondsMax }).default(hourS),
        note: field.text('What it is for.', engineLimits.subAccountNoteLength).default('impersonation'),
        ...keyTerms,
      })
      .meta({ examples: [{ seconds: 600, permissions: ['SPOT_DEAL_READ', 'SPOT_DEAL_WRITE'] }] }),
    answer: z.strictObject({ uid: field.uid(), key }),
    status: 201,
    problems: ['unknownAccount', 'accountClosed', 'tooManyKeys'],
  }),
};
