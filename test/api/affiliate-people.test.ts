import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  type AffiliateStory,
  campaignCode,
  commissionOf,
  expectRefused,
  playAffiliateStory,
} from './affiliate-story.ts';
import { expectShape } from './answer-shape.ts';
import { turnoverOf, usdtOf } from './rebate-harness.ts';

let story: AffiliateStory;
beforeAll(async () => {
  story = await playAffiliateStory();
});
afterAll(() => story.harness.close());

test('SPEC-AFF-05, DEC-SUB-27, DEC-SUB-66: what came of each campaign in the window, the newest first', async () => {
  const { ann, cal } = story;
  const { clock } = story.harness.gate.exchange;
  const minute = (clock.time - (clock.time % 60_000)) as TimestampMs;
  await story.harness.wallet.run(
    { kind: 'recordClicks', code: campaignCode, minute: as(minute - 60_000), count: 40 },
    { kind: 'recordClicks', code: campaignCode, minute, count: 2 },
  );
  const reply = await story.report('campaign');
  expectShape('affiliateCampaigns', reply);
  const ofCal = await story.harness.tradesOf(cal);
  const spring = {
    campaign: 'Spring',
    inviteCode: campaignCode,
    createTime: ann.at,
    clickTime: 42,
    signup: 2,
    deposited: 1,
    traded: 1,
    depositAmount: '15000',
    tradingAmount: usdtOf(ofCal, turnoverOf),
    commission: commissionOf(ofCal),
  };
  const none = {
    clickTime: 0,
    signup: 0,
    deposited: 0,
    traded: 0,
    depositAmount: '0',
    tradingAmount: '0',
    commission: '0',
  };
  const autumn = { ...none, campaign: 'Autumn', inviteCode: 'svcx-autumn', createTime: ann.at };
  expect(reply.body.data).toEqual({
    pageSize: 10,
    totalCount: 2,
    totalPage: 1,
    currentPage: 1,
    resultList: [autumn, spring],
  });
  expect(await story.listOf('campaign', { pageSize: '1', page: '2' })).toEqual([spring]);
  const later = { startTime: String(story.depositedAt), endTime: String(story.depositedAt) };
  expect(await story.listOf('campaign', later)).toEqual([
    autumn,
    { ...spring, ...none, deposited: 1, depositAmount: '15000' },
  ]);
  const first = { startTime: String(cal.at), endTime: String(cal.at) };
  expect((await story.listOf('campaign', first))[1]).toMatchObject({ ...none, signup: 1 });
});

describe('SPEC-AFF-06, DEC-SUB-67: invited users', () => {
  test('DEC-SUB-24, DEC-SUB-28: every field of a user who deposited, traded and withdrew', async () => {
    const { cal } = story;
    const reply = await story.report('referral', { uid: cal.uid });
    expectShape('affiliateReferrals', reply);
    const trades = await story.harness.tradesOf(cal);
    const commission = commissionOf(trades);
    expect(reply.body.data).toEqual({
      pageSize: 10,
      totalCount: 1,
      totalPage: 1,
      currentPage: 1,
      resultList: [
        {
          uid: cal.uid,
          account: 'cal****in6@example.com',
          nickName: 'cal',
          email: 'ca*****6@example.com',
          registerTime: cal.at,
          inviteCode: campaignCode,
          inviteTime: cal.at,
          depositAmount: '15000',
          tradingAmount: usdtOf(trades, turnoverOf),
          commission,
          amount: commission,
          firstDepositTime: story.depositedAt,
          firstTradeTime: trades[1]!.time,
          lastDepositTime: story.depositedAt,
          lastTradeTime: trades[0]!.time,
          withdrawAmount: '50',
          withdrawalAmount: '50',
          asset: '1,000,000 - 5,000,000 USDT',
          identification: 3,
        },
      ],
    });
  });

  test('by uid, code and page; strangers and users of others are not shown', async () => {
    const { bea, cal, cid, dan } = story;
    const uids = async (parameters: Record<string, string>) =>
      (await story.listOf('referral', parameters)).map(({ uid }) => uid);
    expect(await uids({})).toEqual([cid.uid, cal.uid, bea.uid]);
    expect(await uids({ inviteCode: campaignCode })).toEqual([cid.uid, cal.uid]);
    expect(await uids({ inviteCode: campaignCode, uid: bea.uid })).toEqual([]);
    expect(await uids({ pageSize: '2', page: '2' })).toEqual([bea.uid]);
    expect(await uids({ uid: cal.uid, page: '2' })).toEqual([]);
    for (const uid of [dan.uid, story.ann.uid, '2002', '99999999']) expect(await uids({ uid })).toEqual([]);
    for (const uid of ['0', 'x', '-1', '1'.repeat(16)]) expectRefused(await story.report('referral', { uid }), 33333);
  });

  test('amounts are those of the window, first and last times of ever', async () => {
    const { cal } = story;
    const at = { startTime: String(story.withdrawnAt), endTime: String(story.withdrawnAt) };
    const [entry] = await story.listOf('referral', { uid: cal.uid, ...at });
    expect(entry).toMatchObject({ depositAmount: '0', tradingAmount: '0', commission: '0', withdrawAmount: '50' });
    expect(entry.firstDepositTime).toBe(story.depositedAt);
    const [never] = await story.listOf('referral', { uid: story.cid.uid });
    const times = { firstDepositTime: null, firstTradeTime: null, lastDepositTime: null, lastTradeTime: null };
    expect(never).toMatchObject({ ...times, email: `${never.uid.slice(0, 2)}*****${never.uid.slice(-1)}` });
  });

  test('DEC-SUB-28: the band is that of both wallets at the last price, also of what orders hold', async () => {
    const { cid, ann } = story;
    const { gate, wallet } = story.harness;
    const band = async (uid: string) => (await story.listOf('referral', { uid }))[0].asset;
    const order = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', quantity: '20', price: '35000' };
    expect((await gate.signed('POST', '/api/v3/order', order, { key: cid.key })).status).toBe(200);
    expect(await band(cid.uid)).toBe('1,000,000 - 5,000,000 USDT');
    const poor = await story.harness.register('gus', { inviteCode: ann.referCode, kycLevel: 4 });
    // What it gives away is within the daily cap of its level. DEC-WAL-152.
    const { account } = (await gate.exchange.queries.accountByUid(as(Number(poor.uid))))!;
    await wallet.run({ kind: 'setKycLevel', account, kycLevel: 4 });
    const give = (asset: 'USDT' | 'BTC', amount: number) =>
      wallet.post(
        'transfer/internal',
        { toAccountType: 'UID', toAccount: '2002', asset, amount: `${amount}` },
        poor.key,
      );
    expect((await give('BTC', 20)).status).toBe(200);
    expect(await band(poor.uid)).toBe('500,000 - 1,000,000 USDT');
    expect((await give('USDT', 999_000)).status).toBe(200);
    expect(await band(poor.uid)).toBe('1-1,000 USDT');
    const move = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1000' };
    expect((await wallet.post('transfer', move, poor.key)).status).toBe(200);
    expect(await band(poor.uid)).toBe('1-1,000 USDT');
  });
});

test('SPEC-AFF-07, DEC-SUB-68: users who invited others, with what came of that in the window', async () => {
  const { ann, dan } = story;
  const reply = await story.report('subaffiliates');
  expectShape('subAffiliates', reply);
  const ofDan = await story.harness.tradesOf(dan);
  const entry = {
    subaffiliateName: 'bea',
    subaffiliateMail: 'be*****e@example.com',
    campaign: null,
    inviteCode: ann.referCode,
    activationTime: dan.at,
    registered: 1,
    deposited: 1,
    depositAmount: '7500',
    commission: commissionOf(ofDan, 50_000n),
  };
  expect(reply.body.data.resultList).toEqual([entry]);
  const later = { startTime: String(story.depositedAt), endTime: String(story.depositedAt) };
  expect(await story.listOf('subaffiliates', later)).toEqual([{ ...entry, registered: 0, commission: '0' }]);
  expect(await story.listOf('subaffiliates', { inviteCode: campaignCode })).toEqual([]);
  expect(await story.listOf('subaffiliates', { startTime: '0', endTime: String(dan.at - 1) })).toEqual([]);
  const { cal } = story;
  story.harness.gate.exchange.clock.time += 1000;
  const hal = await story.harness.register('hal', { inviteCode: cal.referCode });
  const both = await story.listOf('subaffiliates');
  expect(both.map(({ subaffiliateName }) => subaffiliateName)).toEqual(['cal', 'bea']);
  expect(both[0]).toMatchObject({
    campaign: 'Spring',
    inviteCode: campaignCode,
    activationTime: hal.at,
    registered: 1,
  });
  expect(await story.listOf('subaffiliates', { pageSize: '1', page: '2' })).toEqual([entry]);
});

test('DEC-SUB-28: the band of a user holds what its sub-accounts own', async () => {
  const { gate, wallet } = story.harness;
  const band = async (uid: string) => (await story.listOf('referral', { uid }))[0].asset;
  const rich = await story.harness.register('ida', { inviteCode: story.ann.referCode });
  const before = await band(rich.uid);
  const named = { subAccount: 'idasdesk1', note: 'x' };
  expect((await gate.signed('POST', '/api/v3/sub-account/virtualSubAccount', named, { key: rich.key })).status).toBe(
    200,
  );
  const all = { toAccount: 'idasdesk1', fromAccountType: 'SPOT', toAccountType: 'SPOT' };
  for (const [asset, amount] of Object.entries({ USDT: '1000000', BTC: '20' }))
    expect((await wallet.post('sub-account/universalTransfer', { ...all, asset, amount }, rich.key)).status).toBe(200);
  expect(await band(rich.uid)).toBe(before);
});
