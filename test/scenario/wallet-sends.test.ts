import { describe, expect, test } from 'vitest';
import { errors, publicError } from '#http/errors.ts';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { assets, people, uidOf, WalletHarness } from './wallet-harness.ts';

const aliceMail = 'Alice.Smith@Example.org';
const bobMobile = '44 7700900123';

/** Everybody can be reached, and alice has 1000 units of USDT. */
function reachable(): WalletHarness {
  const harness = new WalletHarness();
  harness.give(people.alice, assets.USDT, 1000n);
  const contact = (account: AccountId, email: string | null, mobile: string | null): void => {
    expect(harness.say({ kind: 'setContact', account, email, mobile })).toBe('contactChanged');
  };
  contact(people.alice, aliceMail, '1 5550100');
  contact(people.bob, 'bob@example.org', bobMobile);
  contact(people.robot, 'robot@example.org', '1 5550199');
  contact(people.child, 'child@example.org', null);
  return harness;
}

type Terms = Partial<Omit<CommandOf<'sendFunds'>, 'kind' | 'amount'>> & { readonly amount?: bigint };

const send = ({ amount = 100n, ...terms }: Terms = {}): CommandOf<'sendFunds'> => ({
  kind: 'sendFunds',
  account: people.alice,
  targetKind: 'email',
  target: 'bob@example.org',
  asset: assets.USDT,
  amount: as<Balance>(amount),
  clientTranId: null,
  ...terms,
});

describe('SPEC-WAL-19: sending to another account', () => {
  test('money moves at once, as the sender named the receiver, and the numbers of sends run on', () => {
    const harness = reachable();
    const posted = { kind: 'posted', asset: assets.USDT, held: 0, why: 'transfer', order: null };
    const told = { send: 1, from: people.alice, to: people.bob, asset: assets.USDT, amount: 1000n };
    const named = { targetKind: 'email', target: 'BOB@example.ORG', clientTranId: null } as const;
    expect(harness.run(send({ ...named, amount: 1000n }))).toEqual([
      { ...posted, account: people.alice, free: -1000, balance: 0 },
      { ...posted, account: people.bob, free: 1000, balance: 1000 },
      { kind: 'fundsSent', send: { ...told, ...named, at: harness.at } },
    ]);
    harness.restore();
    const back = send({ account: people.bob, targetKind: 'uid', target: uidOf('alice'), amount: 1n });
    expect(harness.run(back).at(-1)).toMatchObject({ send: { send: 2, to: people.alice } });
  });

  const targets: readonly (readonly [kind: 'email' | 'uid' | 'mobile', target: string, to: AccountId])[] = [
    ['email', 'bob@example.org', people.bob],
    ['email', 'BOB@EXAMPLE.ORG', people.bob],
    ['mobile', bobMobile, people.bob],
    ['uid', uidOf('bob'), people.bob],
    ['uid', uidOf('child'), people.child],
  ];
  test.for(targets)('DEC-WAL-34: %s %s is found', ([targetKind, target, to]) => {
    const harness = reachable();
    expect(harness.say(send({ targetKind, target }))).toBe('fundsSent');
    expect(harness.free(to, assets.USDT)).toBe(100n);
  });

  const refusals: readonly (readonly [what: string, terms: Terms, reason: RejectReason, code: number])[] = [
    ['F09: a mail that nobody has', { target: 'nobody@example.org' }, 'unknownTarget', 10_001],
    ['F09: a uid that nobody has', { targetKind: 'uid', target: '12345678' }, 'unknownTarget', 10_001],
    ['F09: a mobile that nobody has', { targetKind: 'mobile', target: '44 7700900124' }, 'unknownTarget', 10_001],
    ['a uid with zeros before it', { targetKind: 'uid', target: `0${uidOf('bob')}` }, 'unknownTarget', 10_001],
    ['a uid in another notation', { targetKind: 'uid', target: '9.0000005e7' }, 'unknownTarget', 10_001],
    ['a mail as a mobile', { targetKind: 'mobile', target: 'bob@example.org' }, 'unknownTarget', 10_001],
    ['a mobile without its area', { targetKind: 'mobile', target: '7700900123' }, 'unknownTarget', 10_001],
    ['an empty target', { target: '' }, 'unknownTarget', 10_001],
    ['the fees of the house', { targetKind: 'uid', target: '2' }, 'unknownTarget', 10_001],
    ['a simulated participant by mail', { target: 'robot@example.org' }, 'unknownTarget', 10_001],
    ['a simulated participant by uid', { targetKind: 'uid', target: uidOf('robot') }, 'unknownTarget', 10_001],
    ['F09: oneself by mail', { target: 'alice.smith@example.org' }, 'sameAccount', 10_211],
    ['F09: oneself by uid', { targetKind: 'uid', target: uidOf('alice') }, 'sameAccount', 10_211],
    ['F09: oneself by mobile', { targetKind: 'mobile', target: '1 5550100' }, 'sameAccount', 10_211],
    ['an asset that nobody knows', { asset: as(77) }, 'unknownAsset', 10_232],
    ['nothing', { amount: 0n }, 'wrongAmount', 10_097],
    ['less than nothing', { amount: -1n }, 'wrongAmount', 10_097],
    ['one unit too much', { amount: 1001n }, 'notEnoughFunds', 10_101],
    ['what one does not have', { asset: assets.BTC, amount: 1n }, 'notEnoughFunds', 10_101],
    ['from the house', { account: house.fees }, 'unknownAccount', 10_001],
    ['from the house that buys dust', { account: innerHouse.dust }, 'unknownAccount', 10_001],
    ['from a futures wallet', { account: futuresWalletOf(people.alice) }, 'unknownAccount', 10_001],
  ];
  test.for(refusals)('DEC-WAL-33: %s is refused and moves nothing', ([, terms, reason, code]) => {
    const harness = reachable();
    expect(harness.run(send(terms))).toEqual([{ kind: 'commandRefused', reason }]);
    expect(errors[publicError[reason]].code).toBe(code);
  });

  test('a frozen sender cannot send, and a frozen or abnormal receiver gets nothing', () => {
    const harness = reachable();
    const status = (account: AccountId, to: 'frozen' | 'abnormal' | 'normal'): void => {
      harness.run({ kind: 'setAccountStatus', account, status: to });
    };
    status(people.alice, 'frozen');
    expect(harness.say(send())).toBe('accountNotUsable');
    status(people.alice, 'normal');
    status(people.bob, 'frozen');
    expect(harness.say(send())).toBe('targetNotUsable');
    status(people.bob, 'abnormal');
    expect(harness.say(send())).toBe('targetNotUsable');
    status(people.child, 'frozen');
    expect(harness.say(send({ target: 'child@example.org' }))).toBe('targetForbidden');
    status(people.child, 'abnormal');
    expect(harness.say(send({ target: 'child@example.org' }))).toBe('targetNotUsable');
    expect([errors[publicError.targetNotUsable].code, errors[publicError.targetForbidden].code]).toEqual([
      60_005, 140_002,
    ]);
    expect(harness.free(people.alice, assets.USDT)).toBe(1000n);
  });

  const first = 'a1'.repeat(16);

  test('DEC-WAL-152, DEC-REQ-27: a repeated clientTranId tells the first send for 24 hours, other terms are refused', () => {
    const harness = reachable();
    const asked = send({ clientTranId: first });
    const told = harness.run(asked).at(-1) as { readonly send: object };
    harness.restore();
    expect(harness.run(asked)).toEqual([{ kind: 'sendRepeated', send: told.send }]);
    for (const other of [{ amount: 99n }, { target: 'child@example.org' }, { asset: assets.BTC }])
      expect(harness.say(send({ clientTranId: first, ...other }))).toBe('requestIdInUse');
    // A refused send takes no id, and whose the id is counts.
    const second = 'b2'.repeat(16);
    expect(harness.say(send({ clientTranId: second, amount: 5000n }))).toBe('notEnoughFunds');
    expect(harness.say(send({ clientTranId: second }))).toBe('fundsSent');
    const back = { account: people.bob, targetKind: 'uid', target: uidOf('alice') } as const;
    expect(harness.say(send({ ...back, clientTranId: first, amount: 1n }))).toBe('fundsSent');
    harness.at += 86_400_000;
    expect(harness.say(asked)).toBe('fundsSent');
    expect(harness.free(people.alice, assets.USDT)).toBe(701n);
  });

  test.each(['a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}-`, ''])('DEC-WAL-152: the id %j is refused', (id) => {
    expect(reachable().say(send({ clientTranId: id }))).toBe('invalidConfiguration');
  });

  test('DEC-WAL-27, DEC-WAL-152: sends and withdrawals count together towards the daily cap, over a rolling day', () => {
    const harness = reachable();
    const rules = harness.engine.state.walletRules.value!;
    const caps = [as<Balance>(300n), as<Balance>(300n), as<Balance>(300n), as<Balance>(300n)];
    harness.run({ kind: 'configureWallet', rules: { ...rules, dailyCaps: caps } });
    expect(harness.say(send({ amount: 200n }))).toBe('fundsSent');
    harness.at += 1000;
    expect(harness.say(send({ amount: 101n }))).toBe('dailyCapExceeded');
    expect(harness.say(send({ amount: 101n, target: 'nobody@example.org' }))).toBe('dailyCapExceeded');
    harness.restore();
    expect(harness.say(send({ amount: 100n }))).toBe('fundsSent');
    harness.at += 86_400_000 - 1001;
    expect(harness.say(send({ amount: 1n }))).toBe('dailyCapExceeded');
    harness.at += 1;
    expect(harness.say(send({ amount: 200n }))).toBe('fundsSent');
    expect(harness.say(send({ amount: 1n }))).toBe('dailyCapExceeded');
  });

  test('DEC-WAL-63: without the money nobody learns whether a target exists', () => {
    const harness = reachable();
    for (const target of ['bob@example.org', 'nobody@example.org', aliceMail])
      expect(harness.say(send({ target, amount: 1001n }))).toBe('notEnoughFunds');
  });

  test('nothing is sent before the wallet is configured', () => {
    expect(new WalletHarness(null).say(send())).toBe('walletNotConfigured');
  });
});

describe('DEC-WAL-62: contacts', () => {
  test('are answered as they were given, and found in any case; both as null removes them', async () => {
    const harness = reachable();
    const contact = { account: people.alice, email: aliceMail, mobile: '1 5550100' };
    expect(await harness.questions.contact(people.alice)).toEqual(contact);
    expect(await harness.questions.accountOfContact('email', 'ALICE.smith@EXAMPLE.org')).toBe(people.alice);
    expect(await harness.questions.accountOfContact('mobile', bobMobile)).toBe(people.bob);
    expect(await harness.questions.accountOfContact('uid', uidOf('bob'))).toBe(people.bob);
    expect(await harness.questions.accountOfContact('uid', '1')).toBeNull();
    harness.say({ kind: 'setContact', account: people.alice, email: null, mobile: null });
    expect(await harness.questions.contact(people.alice)).toBeNull();
    expect(await harness.questions.accountOfContact('email', aliceMail)).toBeNull();
    expect(await harness.questions.accountOfContact('mobile', '1 5550100')).toBeNull();
  });

  test('name one account each: what another one has is refused, whatever its case; what it gave up is free', () => {
    const harness = reachable();
    const set = (account: AccountId, email: string | null, mobile: string | null): string =>
      harness.say({ kind: 'setContact', account, email, mobile });
    expect(set(people.carol, 'BOB@example.org', null)).toBe('contactInUse');
    expect(set(people.carol, 'carol@example.org', bobMobile)).toBe('contactInUse');
    expect(set(people.carol, 'bob@example.org', '1 5550100')).toBe('contactInUse');
    expect(set(people.bob, 'Bob@Example.org', bobMobile)).toBe('contactChanged');
    expect(set(people.bob, 'bob2@example.org', null)).toBe('contactChanged');
    harness.restore();
    expect(set(people.carol, 'bob@example.org', bobMobile)).toBe('contactChanged');
    expect(harness.say(send({ target: 'bob@example.org' }))).toBe('fundsSent');
    expect(harness.free(people.carol, assets.USDT)).toBe(100n);
  });

  const unfit: readonly (readonly [string | null, string | null])[] = [
    ['', null],
    ['alice', null],
    ['@example.org', null],
    ['alice@', null],
    ['a@b@c', null],
    ['a b@example.org', null],
    ['a@example.org\n', null],
    ['\u212Aate@example.org', null],
    ['\ud800@example.org', null],
    [`${'a'.repeat(243)}@example.org`, null],
    [null, ''],
    [null, '5550100'],
    [null, '44-7700900123'],
    [null, '+44 7700900123'],
    [null, '44  7700900123'],
    [null, '44444 7700900123'],
    [null, '44 770'],
    [null, '44 1234567890123456'],
    [null, '٤٤ 7700900123'],
  ];
  test.for(unfit)('%j %j is no contact', ([email, mobile]) => {
    const harness = reachable();
    const set = { kind: 'setContact', account: people.carol, email, mobile } as const;
    expect(harness.run(set)).toEqual([{ kind: 'commandRefused', reason: 'invalidConfiguration' }]);
  });

  test('the longest mail and numbers fit; accounts of the house have none', () => {
    const harness = reachable();
    const email = `${'a'.repeat(242)}@example.org`;
    expect(email).toHaveLength(254);
    for (const mobile of ['1 1234', '1234 123456789012345'])
      expect(harness.say({ kind: 'setContact', account: people.carol, email, mobile })).toBe('contactChanged');
    for (const account of [house.fees, innerHouse.dust, futuresWalletOf(people.bob), as<AccountId>(99)])
      expect(harness.say({ kind: 'setContact', account, email: null, mobile: null })).toBe('unknownAccount');
  });

  test('a sign that folds to a letter names nobody: a Kelvin sign is no k', async () => {
    const harness = reachable();
    harness.run({ kind: 'setContact', account: people.carol, email: 'kate@example.org', mobile: null });
    expect(await harness.questions.accountOfContact('email', '\u212Aate@example.org')).toBeNull();
  });
});
