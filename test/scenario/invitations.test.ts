import { describe, expect, test } from 'vitest';
import { engineLimits, tableBounds } from '#model/limits.ts';
import { accountOfReferCode, referCodeOf } from '#model/refer-code.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { hasRoomFor } from '#engine/admission.ts';
import { coin, RebateDesk, usd } from './rebate-desk.ts';

const minuteMs = 60_000;
const always = { from: as<never>(0 as never), to: as<never>((2 ** 52) as never), offset: 0, limit: 100 };
const codeOf = (desk: RebateDesk, owner: AccountId, code: string, campaign: string | null = null): string =>
  desk.say({ kind: 'createInviteCode', owner, code, campaign });

describe('DEC-SUB-23: invitations', () => {
  test('a refer code names its account and nothing else, and looks like no invite code', () => {
    const codes = Array.from({ length: 3000 }, (_, account) => referCodeOf(as(account)));
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^[0-9a-z]{5}$/.test(code))).toEqual([]);
    expect(codes.map(accountOfReferCode)).toEqual(codes.map((_, account) => account));
    expect(['', 'zzzz', 'ZZZZZ', 'zzzzzz', 'ab-cd'].map(accountOfReferCode)).toEqual([null, null, null, null, null]);
  });

  test('an account is invited when it is opened with a code, and never again', async () => {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    desk.at += 5;
    const bob = desk.open('bob', anna);
    const known = {
      ...{ account: bob, inviter: anna, code: referCodeOf(anna), invitedAt: desk.at, firstDepositAt: 0 },
      ...{ lastDepositAt: 0, firstTradeAt: 0, lastTradeAt: 0 },
    };
    expect(await desk.questions.invitation(bob)).toEqual(known);
    expect(await desk.questions.invitation(anna)).toBeNull();
    desk.at += 5;
    const firstTradeAt = desk.at;
    desk.buy(bob, 100);
    desk.at += 5;
    desk.buy(bob, 100);
    desk.restore();
    expect(await desk.questions.invitation(bob)).toEqual({ ...known, firstTradeAt, lastTradeAt: desk.at });
  });

  test("a code that is nobody's is refused, and no account is opened", () => {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    const child = desk.openSubAccount(anna, 'childchild');
    const { size } = desk.engine.state.accounts;
    const person = { uid: null, name: 'eve', class: 'user', kycLevel: 1, simulated: false } as const;
    // Of a sub-account, of the house, of the account that would be opened, and of none at all.
    for (const inviteCode of [referCodeOf(child), referCodeOf(as(1)), referCodeOf(as(size)), 'no-code', ''])
      expect(desk.say({ kind: 'registerAccount', ...person, email: null, mobile: null, inviteCode })).toBe(
        'unknownInviteCode',
      );
    expect(desk.engine.state.accounts.size).toBe(size);
  });

  test('pages tell the newest first, by code and by time, with the total', async () => {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    codeOf(desk, anna, 'spring-1', 'spring');
    const start = desk.at;
    const invited: AccountId[] = [];
    for (let index = 0; index < 7; index += 1) {
      desk.at = start + 10 * (index + 1);
      invited.push(desk.open(`user${index}`, index % 2 === 0 ? anna : 'spring-1'));
    }
    desk.restore();
    const page = async (asked: object, inviter = anna) => {
      const { items, total } = await desk.questions.invitees(inviter, { ...always, ...asked });
      return [items.map(({ account }) => invited.indexOf(account)), total];
    };
    expect(await page({})).toEqual([[6, 5, 4, 3, 2, 1, 0], 7]);
    expect(await page({ offset: 2, limit: 3 })).toEqual([[4, 3, 2], 7]);
    expect(await page({ offset: 6, limit: 3 })).toEqual([[0], 7]);
    expect(await page({ offset: 7, limit: 3 })).toEqual([[], 7]);
    expect(await page({ code: 'spring-1' })).toEqual([[5, 3, 1], 3]);
    expect(await page({ from: start + 20, to: start + 40 })).toEqual([[3, 2, 1], 3]);
    expect(await page({ from: start + 41, to: start + 40 })).toEqual([[], 0]);
    expect(await page({ code: 'spring-1', from: start + 21, limit: 1 })).toEqual([[5], 2]);
    // Of somebody else, and by the code of somebody else.
    expect(await page({}, invited[0])).toEqual([[], 0]);
    expect(await page({ code: 'spring-1' }, invited[0])).toEqual([[], 0]);
  });
});

describe('DEC-SUB-37: invite codes', () => {
  test('an account that is its own master has its refer code and those that were made for it', async () => {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    expect(codeOf(desk, anna, 'ANNA-2', 'summer')).toBe('inviteCodeCreated');
    expect(codeOf(desk, anna, 'anna-1')).toBe('inviteCodeCreated');
    desk.restore();
    const refer = { code: referCodeOf(anna), owner: anna, campaign: null };
    const summer = { code: 'ANNA-2', owner: anna, campaign: 'summer', createdAt: desk.at };
    expect(await desk.questions.inviteCodesOf(anna)).toMatchObject([refer, summer, { code: 'anna-1', campaign: null }]);
    expect(await desk.questions.inviteCode('ANNA-2')).toEqual(summer);
    expect(await desk.questions.inviteCode(referCodeOf(anna))).toMatchObject(refer);
    expect(await desk.questions.inviteCode('anna-2')).toBeNull();
    expect(await desk.questions.inviteCodesOf(desk.openSubAccount(anna, 'childchild'))).toEqual([]);
  });

  test("a code is somebody's once, well formed, of a master, and one of at most 1000", () => {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    const bob = desk.open('bob');
    codeOf(desk, anna, 'code-1');
    expect(codeOf(desk, bob, 'code-1')).toBe('inviteCodeInUse');
    for (const wrong of ['a-', 'nodash', 'x-'.repeat(11), 'sp ace-1', 'ü-1', ''])
      expect(codeOf(desk, anna, wrong)).toBe('invalidConfiguration');
    for (const wrong of ['', 'x'.repeat(engineLimits.campaignNameLength + 1), '\ud800'])
      expect(codeOf(desk, anna, 'code-2', wrong)).toBe('invalidConfiguration');
    expect(codeOf(desk, desk.openSubAccount(anna, 'childchild'), 'code-2')).toBe('unknownAccount');
    expect(codeOf(desk, as(1), 'code-2')).toBe('unknownAccount');
    desk.isAudited = false;
    for (let count = 1; count < engineLimits.inviteCodesPerAccount; count += 1) codeOf(desk, anna, `many-${count}`);
    expect(codeOf(desk, anna, 'many-too')).toBe('tooManyInviteCodes');
    expect(codeOf(desk, bob, 'many-too')).toBe('inviteCodeCreated');
  });
});

test('DEC-SUB-44: clicks are told once a minute and code, in the order of minutes', () => {
  const desk = new RebateDesk();
  const anna = desk.open('anna');
  const refer = referCodeOf(anna);
  const minute = desk.at - (desk.at % minuteMs);
  const click = (at: number, count: number, code = refer): string =>
    desk.say({ kind: 'recordClicks', code, minute: as(at), count });
  expect(click(minute - minuteMs, 3)).toBe('clicksRecorded');
  expect(click(minute - minuteMs, 3)).toBe('wrongState');
  expect(click(minute - 2 * minuteMs, 3)).toBe('wrongState');
  expect(click(minute + minuteMs, 3)).toBe('wrongState');
  expect(click(minute, 1_000_000_000)).toBe('clicksRecorded');
  desk.restore();
  expect(desk.engine.state.inviteClicks.of(refer)).toMatchObject({ lastMinute: minute, total: 1_000_000_003 });
  expect(click(minute, 1, 'no-code')).toBe('unknownInviteCode');
  desk.at += minuteMs;
  for (const [at, count] of [
    [minute + 1, 1],
    [minute + minuteMs, 0],
    [minute + minuteMs, 1_000_000_001],
    [-minuteMs, 1],
  ])
    expect(click(at!, count!)).toBe('invalidConfiguration');
});

test('DEC-SUB-43: what has no room is refused before it is journaled', () => {
  const desk = new RebateDesk();
  const bob = desk.open('bob', desk.open('anna'));
  const { state } = desk.engine;
  desk.buy(bob, 1000);
  desk.run({ kind: 'createInviteCode', owner: bob, code: 'code-1', campaign: null });
  desk.run({ kind: 'recordClicks', code: 'code-1', minute: as(minuteMs), count: 1 });
  const bounds = { rebateAccruals: 1, invitations: 1, inviteCodes: 1, clickedCodes: 1, balances: 1 };
  const kinds = {
    rebateAccruals: 'placeOrder',
    invitations: 'registerAccount',
    inviteCodes: 'createInviteCode',
    clickedCodes: 'recordClicks',
    balances: 'settleRebates',
  } as const;
  for (const [bound, kind] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)[keyof typeof kinds]][]) {
    expect(hasRoomFor(state, { kind })).toBe(true);
    expect(hasRoomFor(state, { kind }, { ...tableBounds, [bound]: bounds[bound] } as never)).toBe(false);
  }
  expect(hasRoomFor(state, { kind: 'rejectRebates' }, { ...tableBounds, ...bounds } as never)).toBe(true);
  expect([coin, usd].map((asset) => desk.house('rebates', asset))).toEqual([20n, 0n]);
});
