import { describe, expect, test } from 'vitest';
import { errors, publicError } from '#http/errors.ts';
import { futuresWalletOf, house } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, Balance, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { climb, type Ladder, opening, reasonsOf, SubAccountDesk } from './sub-account-desk.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

const { alice, bob, carol, child } = people;

describe('DEC-SUB-01, DEC-SUB-31: opening a sub-account', () => {
  test('it belongs to its master, has its level and a name, and is told after its account', () => {
    const harness = new WalletHarness();
    harness.run({ kind: 'setKycLevel', account: alice, kycLevel: 3 });
    const events = harness.run(opening({ note: 'first', passwordHash: 'hash' }));
    const account = as<AccountId>(9);
    const common = { account, name: 'alicesdesk1', master: alice, openedAt: harness.at };
    expect(events).toEqual([
      {
        kind: 'accountOpened',
        account: expect.objectContaining({ ...common, class: 'user', status: 'normal', kycLevel: 3, simulated: false }),
      },
      {
        kind: 'subAccountChanged',
        subAccount: { ...common, uid: expect.any(Number), note: 'first', passwordHash: 'hash', isFuturesEnabled: true },
      },
    ]);
    expect(harness.engine.state.accounts.find(harness.engine.state.subAccounts.of(account)!.uid)).toBe(account);
  });

  test('each refusal comes in its place', () => {
    const worst = { ...opening({ master: child, name: 'short7x', atMost: 0 }), status: 'frozen' as string };
    const ladder: Ladder<typeof worst> = [
      ['unknownAccount', { master: alice }],
      ['accountNotUsable', { status: 'normal' }],
      ['invalidConfiguration', { name: 'alicesdesk1' }],
      ['subAccountNameInUse', { name: 'alicesdesk3' }],
      ['tooManySubAccounts', { atMost: 3 }],
    ];
    const said = climb(worst, ladder, ({ status, ...command }) => {
      const desk = new SubAccountDesk();
      desk.setStatus(alice, status as 'normal');
      return desk.say(command);
    });
    expect(said).toEqual([...reasonsOf(ladder), 'subAccountChanged']);
  });

  const malformed = [
    { name: 'seven77' },
    { name: 'a'.repeat(33) },
    { name: 'has space' },
    { name: 'desk-0001' },
    { name: 'dësk00001' },
    { name: 'alicesdesk9\n' },
    { note: 'x'.repeat(65) },
    { atMost: -1 },
    { atMost: 1.5 },
    { atMost: 1_000_001 },
  ];
  test.for(malformed)('DEC-SUB-30: %j is refused', (terms) => {
    expect(new WalletHarness().say(opening(terms))).toBe('invalidConfiguration');
  });

  const fit = [{ name: 'eight888' }, { name: 'a'.repeat(32) }, { note: 'x'.repeat(64) }, { atMost: 1_000_000 }];
  test.for(fit)('DEC-SUB-30: %j is let in', (terms) => {
    expect(new WalletHarness().say(opening(terms))).toBe('subAccountChanged');
  });

  const noMasters: readonly (readonly [string, AccountId])[] = [
    ['a sub-account', child],
    ['the house', house.fees],
    ['a futures wallet', futuresWalletOf(alice)],
    ['nobody', as<AccountId>(77)],
  ];
  test.for(noMasters)('%s opens none', ([, master]) => {
    expect(new WalletHarness().say(opening({ master }))).toBe('unknownAccount');
  });

  test('names are of one master: another may use the same, and the last of so many is the last', () => {
    const desk = new SubAccountDesk();
    expect(desk.say(opening({ master: carol }))).toBe('subAccountChanged');
    for (let count = 2; count < 30; count += 1) desk.opened({ name: `alicesdesk${count + 1}` });
    expect(desk.say(opening({ name: 'onetoomany' }))).toBe('tooManySubAccounts');
    expect(desk.say(opening({ name: 'onetoomany', atMost: 31 }))).toBe('subAccountChanged');
    expect(errors[publicError.tooManySubAccounts].code).toBe(26);
    expect(errors[publicError.subAccountNameInUse].code).toBe(730_101);
  });

  test('case tells names apart, and an account without a name of its own takes none', () => {
    const desk = new SubAccountDesk();
    expect(desk.say(opening({ name: 'ALICESDESK1' }))).toBe('subAccountChanged');
    desk.run({
      ...{ kind: 'openAccount', uid: as<Uid>(7), name: 'alicesdesk7', master: alice },
      ...{ class: 'user', kycLevel: 1, simulated: false },
    });
    expect(desk.say(opening({ name: 'alicesdesk7', atMost: 4 }))).toBe('subAccountChanged');
  });
});

describe('DEC-SUB-17: futures of sub-accounts', () => {
  test('those of a broker have futures once enabled, those of others always; enabling twice is no error', () => {
    const desk = new SubAccountDesk();
    const { subAccounts } = desk.engine.state;
    expect([desk.first, desk.customer].map((each) => subAccounts.of(each)!.isFuturesEnabled)).toEqual([true, false]);
    const enable = { kind: 'enableFutures', master: bob, account: desk.customer } as const;
    const enabled = { ...subAccounts.of(desk.customer)!, isFuturesEnabled: true };
    expect(desk.told(enable)).toEqual(enabled);
    expect(desk.told(enable)).toEqual(enabled);
    desk.restore();
    expect(desk.engine.state.subAccounts.of(desk.customer)).toEqual(enabled);
    expect(desk.engine.state.subAccounts.of(desk.other)!.isFuturesEnabled).toBe(false);
  });

  test('only its own master enables them, while it is usable', () => {
    const desk = new SubAccountDesk();
    const enable = (master: AccountId, account: AccountId): string =>
      desk.say({ kind: 'enableFutures', master, account });
    expect(enable(alice, desk.customer)).toBe('notOfThisMaster');
    expect(enable(bob, bob)).toBe('notOfThisMaster');
    expect(enable(alice, child)).toBe('notOfThisMaster');
    expect(enable(bob, as(77))).toBe('notOfThisMaster');
    expect(enable(desk.customer, desk.customer)).toBe('unknownAccount');
    desk.setStatus(bob, 'frozen');
    expect(enable(bob, desk.customer)).toBe('accountNotUsable');
    expect(desk.engine.state.subAccounts.of(desk.customer)!.isFuturesEnabled).toBe(false);
  });

  test('its own transfer to futures is refused too, before the amount is looked at', () => {
    const desk = new SubAccountDesk();
    const terms = { from: 'spot', to: 'futures', asset: assets.USDT, clientTranId: null } as const;
    const toFutures = (account: AccountId, amount: bigint): string =>
      desk.say({ kind: 'transferFunds', account, ...terms, amount: as<Balance>(amount) });
    desk.give(desk.customer, assets.USDT, 1n);
    expect(toFutures(desk.customer, 0n)).toBe('futuresNotEnabled');
    expect(errors[publicError.futuresNotEnabled].code).toBe(10_099);
    desk.run({ kind: 'enableFutures', master: bob, account: desk.customer });
    expect(toFutures(desk.customer, 0n)).toBe('wrongAmount');
    expect(toFutures(desk.customer, 1n)).toBe('fundsTransferred');
    expect(toFutures(desk.first, 1n)).toBe('notEnoughFunds');
  });
});

describe('DEC-SUB-33: classes of accounts', () => {
  const setClass = (desk: SubAccountDesk, account: AccountId, to: 'user' | 'broker' | 'affiliate'): string =>
    desk.say({ kind: 'setAccountClass', account, class: to });

  test('an account becomes a broker, or none, only without sub-accounts', () => {
    const desk = new SubAccountDesk();
    expect(setClass(desk, carol, 'broker')).toBe('accountChanged');
    expect(desk.engine.state.accounts.get(carol)!.class).toBe('broker');
    expect(setClass(desk, carol, 'user')).toBe('accountChanged');
    expect(setClass(desk, alice, 'broker')).toBe('wrongState');
    expect(setClass(desk, bob, 'user')).toBe('wrongState');
    expect(setClass(desk, bob, 'affiliate')).toBe('wrongState');
    expect(setClass(desk, bob, 'broker')).toBe('accountChanged');
    expect(setClass(desk, alice, 'affiliate')).toBe('accountChanged');
  });

  test('an account that was opened with a master counts as its sub-account, name or not', () => {
    const harness = new WalletHarness();
    const setClass = (account: AccountId): string => harness.say({ kind: 'setAccountClass', account, class: 'broker' });
    expect(setClass(alice)).toBe('wrongState');
    expect(setClass(bob)).toBe('accountChanged');
  });

  test('a sub-account has no class of its own, and nobody has none', () => {
    const desk = new SubAccountDesk();
    expect(setClass(desk, desk.first, 'affiliate')).toBe('wrongState');
    expect(setClass(desk, child, 'user')).toBe('wrongState');
    expect(setClass(desk, as(77), 'user')).toBe('unknownAccount');
    expect(setClass(desk, house.fees, 'user')).toBe('unknownAccount');
  });
});

const registering = (terms: Partial<CommandOf<'registerAccount'>> = {}): CommandOf<'registerAccount'> => ({
  kind: 'registerAccount',
  uid: null,
  name: 'dave',
  class: 'user',
  kycLevel: 1,
  simulated: false,
  email: null,
  mobile: null,
  inviteCode: null,
  ...terms,
});

describe('registering a person', () => {
  test('opens an account that is its own master, with its contact', () => {
    const harness = new WalletHarness();
    const events = harness.run(registering({ uid: as<Uid>(5), email: 'Dave@x.org', mobile: '1 1234', kycLevel: 2 }));
    const account = as<AccountId>(9);
    expect(events.map(({ kind }) => kind)).toEqual(['accountOpened', 'contactChanged']);
    expect(events[0]).toMatchObject({ account: { account, master: account, uid: 5, name: 'dave', kycLevel: 2 } });
    expect(harness.engine.state.contacts.ofEmail('dave@x.org')).toBe(account);
    expect(harness.engine.state.contacts.ofMobile('1 1234')).toBe(account);
    expect(harness.run(registering()).map(({ kind }) => kind)).toEqual(['accountOpened']);
  });

  test('each refusal comes in its place, and leaves nothing behind', () => {
    const worst = { uid: as<Uid>(90_000_004), email: 'taken@x.org', inviteCode: 'no one', kycLevel: 5 };
    const ladder: Ladder<CommandOf<'registerAccount'>> = [
      ['uidInUse', { uid: null }],
      ['contactInUse', { email: 'free@x.org' }],
      ['unknownInviteCode', { inviteCode: referCodeOf(bob) }],
      ['invalidConfiguration', { kycLevel: 4 }],
    ];
    const harness = new WalletHarness();
    harness.run({ kind: 'setContact', account: carol, email: 'taken@x.org', mobile: '44 7700900123' });
    const before = harness.engine.digest();
    const said = climb(registering(worst), ladder.slice(0, -1), (command) => {
      const reason = harness.run(command).map((event) => (event.kind === 'commandRefused' ? event.reason : ''));
      expect(harness.engine.digest()).toBe(before);
      return reason.join();
    });
    expect(said).toEqual(reasonsOf(ladder));
    const last = registering({ ...worst, ...Object.assign({}, ...ladder.map(([, mend]) => mend)) });
    expect(harness.run(last)[0]!.kind).toBe('accountOpened');
  });

  const malformed: readonly Partial<CommandOf<'registerAccount'>>[] = [
    { kycLevel: 0 },
    { kycLevel: 1.5 },
    { email: 'no mail' },
    { mobile: '+44 7700' },
  ];
  test.for(malformed)('%j is refused', (terms) => {
    expect(new WalletHarness().say(registering(terms))).toBe('invalidConfiguration');
  });

  test('DEC-SUB-23: a refer code counts once its account exists, and is its own master', () => {
    const desk = new SubAccountDesk();
    const next = as<AccountId>(desk.engine.state.accounts.size);
    expect(desk.say(registering({ inviteCode: referCodeOf(next) }))).toBe('unknownInviteCode');
    expect(desk.say(registering({ inviteCode: referCodeOf(desk.first) }))).toBe('unknownInviteCode');
    expect(desk.say(registering({ inviteCode: referCodeOf(house.fees) }))).toBe('unknownInviteCode');
    expect(desk.run(registering({ inviteCode: referCodeOf(alice) }))[0]!.kind).toBe('accountOpened');
  });

  test('a mobile number that another has is refused too', () => {
    const harness = new WalletHarness();
    harness.run({ kind: 'setContact', account: carol, email: null, mobile: '44 7700900123' });
    expect(harness.say(registering({ mobile: '44 7700900123' }))).toBe('contactInUse');
  });
});

describe('DEC-SUB-09: uids of the engine', () => {
  const uidsOf = (harness: WalletHarness): number[] => harness.engine.state.accounts.records.map(({ uid }) => uid);

  test('have 8 digits from 90,000,000, differ, and do not tell how many there are', () => {
    const harness = new WalletHarness();
    const before = uidsOf(harness).length;
    for (let index = 0; index < 40; index += 1) {
      const command = index % 2 === 0 ? opening({ name: `desknumber${index}` }) : registering();
      expect(harness.run(command)[0]!.kind).toBe('accountOpened');
      if (index === 20) harness.restore();
    }
    const given = uidsOf(harness).slice(before);
    expect(new Set(given).size).toBe(40);
    for (const uid of given) expect(uid >= 90_000_000 && uid <= 99_999_999).toBe(true);
    const steps = given.slice(1).map((uid, index) => Math.abs(uid - given[index]!));
    expect(Math.min(...steps)).toBeGreaterThan(1000);
  });

  test('one that an operator gave already is passed over', () => {
    const twin = new WalletHarness();
    for (let count = 0; count < 3; count += 1) twin.run(registering());
    const given = uidsOf(twin).slice(-3);
    const harness = new WalletHarness();
    expect(harness.run(registering({ uid: as<Uid>(given[0]!) }))[0]!.kind).toBe('accountOpened');
    expect(harness.run(registering({ uid: as<Uid>(given[1]!) }))[0]!.kind).toBe('accountOpened');
    harness.run(registering());
    expect(uidsOf(harness).at(-1)).toBe(given[2]);
  });

  test('a refused command takes none', () => {
    const [harness, twin] = [new WalletHarness(), new WalletHarness()];
    expect(harness.say(opening({ name: 'short' }))).toBe('invalidConfiguration');
    expect(harness.say(registering({ kycLevel: 9 }))).toBe('invalidConfiguration');
    for (const each of [harness, twin]) each.run(opening());
    expect(uidsOf(harness)).toEqual(uidsOf(twin));
  });
});
