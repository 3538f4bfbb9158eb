import { z } from 'zod';
import { accountClasses, accountStatuses } from '#model/account.ts';
import { accountsFoundMax } from '#history/history-store.ts';
import { isEmail, isMobile } from '#model/contact.ts';
import { endpoint, reason } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const email = () =>
  z
    .string()
    .refine(isEmail, 'must be a mail address')
    .meta({ description: 'Mail address; compared without case.', examples: ['alice@example.com'] });
const mobile = () =>
  z
    .string()
    .refine(isMobile, 'must be area code, a blank and number, digits only, such as "44 7700900123"')
    .meta({ description: 'Area code, a blank and number, digits only.', examples: ['44 7700900123'] });

const switches = {
  trade: field.flag('New orders and conversions.'),
  withdraw: field.flag('Withdrawals, and transfers to other users.'),
  api: field.flag('All its API keys.'),
};
const account = z.strictObject({
  uid: field.uid(),
  name: z.string(),
  masterUid: field.uid('Of a sub-account the uid of its master, else its own.'),
  class: field.word(accountClasses, 'What it may call besides what its keys permit.'),
  status: field.word(accountStatuses, 'What it may do.'),
  switches: z.strictObject(switches).meta({ description: 'What operators switched on and off.' }),
  kycLevel: field.whole('How far it is verified.', { min: 1, max: 4 }),
  email: email().nullable(),
  mobile: mobile().nullable(),
  allowListEnabled: field.flag('Whether only saved addresses can be paid.'),
  simulated: field.flag('A participant of the simulated market.'),
  openedAt: field.moment('When it was opened.'),
  referCode: field
    .inviteCode('Code under which it can always invite; null for sub-accounts.')
    .nullable()
    .meta({ examples: ['1a2b3'] }),
  invitation: z
    .strictObject({
      inviterUid: field.uid('Who invited it.'),
      code: field.inviteCode('Code under which it came.'),
      invitedAt: field.moment('When.'),
    })
    .nullable()
    .meta({ description: 'How it came here; null: nobody invited it.' }),
  subAccount: z
    .strictObject({
      note: z.string().meta({ description: 'Note of its master.' }),
      futuresEnabled: field.flag('Whether money may go to its futures wallet.'),
    })
    .nullable()
    .meta({ description: 'Of a sub-account what its master knows it by; null for others.' }),
});

const ofAccount = z.strictObject({ uid: field.uid() });

const savedAddress = {
  asset: field.assetCode(),
  network: field.networkCode(),
  address: field.text('Address on the network.', 128),
  memo: field.text('Memo; null where the network has none.', 64).nullable(),
};

/** Endpoints of accounts. */
export const accountEndpoints = {
  listAccounts: endpoint.get('/v1/accounts', {
    scope: 'accounts:read',
    name: 'Find accounts',
    command: 'accounts find',
    summary: 'Every account, or those that something belongs to: a name, a mail, a key, an address, an order.',
    notes:
      'Where several are named, the account that has all of them. A deposit address may be that of several accounts, ' +
      'each on another network. Of a withdrawal that was paid again, its newest transaction counts. Of accounts that ' +
      `share an address or a transaction, the first ${accountsFoundMax} are found.`,
    query: z.strictObject({
      uid: field.uid().optional(),
      name: field.text('Its name, or that of a sub-account; case does not count.', 64).optional(),
      email: email().optional(),
      mobile: mobile().optional(),
      apiKey: field.accessKey().optional(),
      depositAddress: field.text('Address on which it receives, as any network writes it.', 128).optional(),
      memo: field.text('Memo that goes with the deposit address, where many share it.', 64).optional(),
      order: field.orderId('One of its orders, open or closed.').optional(),
      withdrawal: z
        .string()
        .regex(/^(?:[0-9a-f]{32}|[1-9]\d{0,14})$/, 'must be 32 lower-case hex characters or a number')
        .meta({ description: 'Id or running number of one of its withdrawals.', examples: ['17'] })
        .optional(),
      withdrawalAddress: field.text('Address that it withdrew to, as any network writes it.', 128).optional(),
      transaction: field.text('Id of the transaction of one of its deposits or withdrawals.', 128).optional(),
      ...field.paging,
    }),
    answer: field.page(account),
    problems: ['historyUnavailable'],
  }),
  getAccount: endpoint.get('/v1/accounts/{uid}', {
    scope: 'accounts:read',
    name: 'Look at an account',
    command: 'accounts show',
    summary: 'One account.',
    parameters: ofAccount,
    answer: account,
    problems: ['unknownAccount'],
  }),
  registerAccount: endpoint.post('/v1/accounts', {
    scope: 'accounts:write',
    name: 'Register an account',
    command: 'accounts register',
    summary: 'Opens the account of a person, with how it can be reached and who invited it.',
    notes:
      'An invitation is made here or never. Sub-accounts are opened by their masters. A repeated Idempotency-Key ' +
      'without uid is refused with 422 where accounts of that name were opened at the same moment.',
    body: z
      .strictObject({
        uid: field.uid("The account's public number; unless sent the exchange gives one.").optional(),
        name: field.text('Name for people.', 64),
        class: field.word(accountClasses, 'What it may call besides what its keys permit.').default('user'),
        kycLevel: field.whole('How far it is verified.', { min: 1, max: 4 }).default(1),
        email: email().nullable().default(null),
        mobile: mobile().nullable().default(null),
        inviteCode: field.inviteCode('Code of whoever invited it; null: nobody did.').nullable().default(null),
      })
      .meta({ examples: [{ name: 'carol', kycLevel: 2, email: 'carol@example.com', inviteCode: '1a2b3' }] }),
    answer: account,
    status: 201,
    problems: ['uidInUse', 'contactInUse', 'unknownInviteCode', 'invalidConfiguration', 'historyUnavailable'],
  }),
  listSubAccounts: endpoint.get('/v1/accounts/{uid}/sub-accounts', {
    scope: 'accounts:read',
    name: 'List sub-accounts',
    command: 'accounts sub-accounts',
    summary: 'Sub-accounts of a user or a broker, in the order in which they were opened.',
    parameters: ofAccount,
    query: z.strictObject(field.paging),
    answer: field.page(account),
    problems: ['unknownAccount'],
  }),
  setAccountStatus: endpoint.put('/v1/accounts/{uid}/status', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Freeze or release an account',
    command: { freeze: { status: 'frozen' }, release: { status: 'normal' } },
    asksFirst: { status: ['frozen'] },
    summary: 'A frozen account cannot trade, withdraw or transfer; a released one can again.',
    parameters: ofAccount,
    body: z.strictObject({ status: field.word(['normal', 'frozen'], 'What the account may do.') }),
    answer: account,
    problems: ['unknownAccount', 'accountClosed'],
  }),
  setAccountClosed: endpoint.put('/v1/accounts/{uid}/closed', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Close or reopen an account',
    command: { 'accounts close': { closed: true }, 'accounts reopen': { closed: false } },
    asksFirst: { closed: [true] },
    summary: 'Closes an account that has nothing left, or opens it again.',
    notes:
      'A closed account does nothing and gets nothing; its keys are gone. It is still found and read, and its ' +
      'addresses are watched: what is paid to them waits for a review. Close sub-accounts first. The detail of ' +
      'accountNotEmpty says what is left.',
    parameters: ofAccount,
    body: z
      .strictObject({ closed: field.flag('Whether the account is closed.'), reason: reason() })
      .meta({ examples: [{ closed: true, reason: 'Asked for by its owner.' }] }),
    answer: account,
    problems: ['unknownAccount', 'accountNotEmpty', 'accountClosed', 'accountNotUsable', 'wrongState'],
  }),
  setSwitches: endpoint.put('/v1/accounts/{uid}/switches', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Switch trade, withdrawals, API',
    summary: 'Switches new orders, money that leaves, and the keys of an account on and off.',
    notes:
      'Sub-accounts follow, customers of a broker do not. Resting orders stay, unless cancelOrders is true. ' +
      'Trades move money too: who may not take it away should not trade either.',
    command: 'accounts switches',
    asksFirst: { trade: [false], withdraw: [false], api: [false] },
    parameters: ofAccount,
    body: z
      .strictObject({
        ...switches,
        cancelOrders: field.flag('Whether its resting orders are cancelled: only where trade is off.').default(false),
        reason: reason(),
      })
      .meta({
        examples: [{ trade: false, withdraw: false, api: true, cancelOrders: true, reason: 'Odd withdrawals.' }],
      }),
    answer: account,
    problems: ['unknownAccount'],
  }),
  setKycLevel: endpoint.put('/v1/accounts/{uid}/kyc-level', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Set the KYC level',
    command: 'accounts kyc-level',
    summary: 'How far the account is verified; its daily cap of withdrawals follows.',
    parameters: ofAccount,
    body: z.strictObject({ kycLevel: field.whole('How far it is verified.', { min: 1, max: 4 }) }),
    answer: account,
    problems: ['unknownAccount', 'invalidConfiguration'],
  }),
  setAccountClass: endpoint.put('/v1/accounts/{uid}/class', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Set the class',
    command: 'accounts class',
    summary: 'Makes an account that of a user, a broker or an affiliate.',
    notes: 'To and from broker only while it has no sub-accounts. A sub-account has no class of its own.',
    parameters: ofAccount,
    body: z.strictObject({
      class: field.word(accountClasses, 'What it may call besides what its keys permit.'),
    }),
    answer: account,
    problems: ['unknownAccount', 'wrongState'],
  }),
  setContact: endpoint.put('/v1/accounts/{uid}/contact', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Set mail and mobile number',
    command: 'accounts contact',
    summary: 'How others name the account as the receiver of a transfer; null takes it away.',
    parameters: ofAccount,
    body: z
      .strictObject({
        email: email().nullable(),
        mobile: mobile().nullable(),
      })
      .meta({ examples: [{ email: 'alice@example.com', mobile: null }] }),
    answer: account,
    problems: ['unknownAccount', 'contactInUse'],
  }),
  setAllowList: endpoint.put('/v1/accounts/{uid}/allow-list', {
    scope: 'accounts:write',
    edits: 'getAccount',
    name: 'Switch the allow list',
    command: 'accounts allow-list',
    summary: 'With the allow list on, only saved addresses can be paid.',
    parameters: ofAccount,
    body: z.strictObject({ enabled: field.flag('Whether only saved addresses can be paid.') }),
    answer: account,
    problems: ['unknownAccount'],
  }),
  listDepositAddresses: endpoint.get('/v1/accounts/{uid}/deposit-addresses', {
    scope: 'accounts:read',
    name: 'Deposit addresses of an account',
    command: 'accounts deposit-addresses',
    summary: 'Addresses on which the account receives, one for each network that it asked for.',
    parameters: ofAccount,
    answer: z.strictObject({
      items: z.array(
        z.strictObject({
          network: field.networkCode(),
          index: z.int().meta({ description: 'Counts the addresses of the network, from 0.' }),
          address: z.string(),
          memo: z.string().nullable(),
        }),
      ),
    }),
    problems: ['unknownAccount'],
  }),
  listSavedAddresses: endpoint.get('/v1/accounts/{uid}/saved-addresses', {
    scope: 'accounts:read',
    name: 'List saved addresses',
    command: 'addresses list',
    summary: 'Addresses that the account may pay, in the order in which they were saved.',
    parameters: ofAccount,
    query: z.strictObject(field.paging),
    answer: field.page(
      z.strictObject({ ...savedAddress, tag: z.string(), savedAt: field.moment('When it was saved.') }),
    ),
    problems: ['unknownAccount'],
  }),
  saveAddress: endpoint.post('/v1/accounts/{uid}/saved-addresses', {
    scope: 'accounts:write',
    name: 'Save an address',
    command: 'addresses save',
    summary: 'Adds an address that the account may pay, or gives it another tag.',
    parameters: ofAccount,
    body: z.strictObject({ ...savedAddress, tag: z.string().max(64).meta({ description: 'Name for people.' }) }).meta({
      examples: [
        {
          asset: 'USDT',
          network: 'ETH',
          address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          memo: null,
          tag: 'treasury',
        },
      ],
    }),
    answer: z.strictObject({ ...savedAddress, tag: z.string(), savedAt: field.moment('When it was saved.') }),
    status: 201,
    problems: ['unknownAccount', 'unknownNetwork', 'noNormalForm', 'tooManySavedAddresses'],
  }),
  removeSavedAddress: endpoint.delete('/v1/accounts/{uid}/saved-addresses', {
    scope: 'accounts:write',
    name: 'Remove a saved address',
    command: 'addresses remove',
    asksFirst: true,
    summary: 'Takes an address away; the answer is what was removed.',
    parameters: ofAccount,
    query: z.strictObject({
      asset: field.assetCode(),
      network: field.networkCode(),
      address: field.text('Address on the network.', 128),
      memo: field.text('Memo, where it has one.', 64).optional(),
    }),
    answer: z.strictObject(savedAddress),
    problems: ['unknownAccount', 'unknownSavedAddress'],
  }),
};
