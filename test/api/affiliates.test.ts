import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebateDayOf } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  type AffiliateStory,
  campaignCode,
  commissionOf,
  expectRefused,
  plainCode,
  referralPpm,
  playAffiliateStory,
} from './affiliate-story.ts';
import { expectShape } from './answer-shape.ts';
import type { Reply } from './gateway-harness.ts';
import { day, shareOf, textOf, type ToldTrade, turnoverOf, unitsOf, usdtOf } from './rebate-harness.ts';

let story: AffiliateStory;
beforeAll(async () => {
  story = await playAffiliateStory();
});
afterAll(() => story.harness.close());

describe('DEC-SUB-04, SPEC-AFF-08: who is no affiliate is refused in the envelope of these endpoints', () => {
  test.each(['commission', 'withdraw', 'commission/detail', 'campaign', 'referral', 'subaffiliates'])(
    '%s',
    async (name) => {
      expectRefused(await story.harness.report(`affiliate/${name}`, story.bea), 700007);
      expectRefused(await story.report(name, { startTime: '2', endTime: '1' }), 33333);
      for (const pageSize of ['0', '101', 'x']) expectRefused(await story.report(name, { pageSize }), 33333);
      for (const page of ['0', 'x']) expectRefused(await story.report(name, { page }), 33333);
      expect((await story.report(name, { pageSize: '100' })).body).toMatchObject({
        success: true,
        code: 0,
        message: null,
      });
      const never = await story.report(name, { startTime: '1', endTime: '2' });
      const { resultList, ...numbers } = never.body.data;
      expect(numbers).toMatchObject({ pageSize: 10, currentPage: 1 });
      if (name === 'campaign') expect(resultList).toHaveLength(2);
      else expect([numbers.totalCount, numbers.totalPage, resultList]).toEqual([0, 0, []]);
    },
  );
});

describe('SPEC-AFF-02, DEC-SUB-65: commissions by invited user', () => {
  test('SPEC-AFF-01, DEC-SUB-24: everybody whom the affiliate invited itself, who came last first, with totals', async () => {
    const { bea, cal, cid } = story;
    const [ofBea, ofCal] = [await story.harness.tradesOf(bea), await story.harness.tradesOf(cal)];
    const reply = await story.report('commission');
    expectShape('affiliateCommission', reply);
    const traded = usdtOf([...ofBea, ...ofCal], turnoverOf);
    const none = { spot: '0', etf: '0', futures: '0', total: '0', deposit: '0', firstDepositTime: null };
    const [earnedOfCal, earnedOfBea] = [commissionOf(ofCal), commissionOf(ofBea)];
    expect(reply.body.data).toEqual({
      pageSize: 10,
      totalCount: 3,
      totalPage: 1,
      currentPage: 1,
      resultList: [
        {
          ...none,
          uid: cid.uid,
          account: `${cid.uid.slice(0, 3)}****${cid.uid.slice(-3)}`,
          inviteCode: campaignCode,
          inviteTime: cid.at,
        },
        {
          ...none,
          uid: cal.uid,
          account: 'cal****in6@example.com',
          inviteCode: campaignCode,
          inviteTime: cal.at,
          spot: earnedOfCal,
          total: earnedOfCal,
          deposit: '15000',
          firstDepositTime: story.depositedAt,
        },
        {
          ...none,
          uid: bea.uid,
          account: 'bea****ice@example.com',
          inviteCode: story.ann.referCode,
          inviteTime: bea.at,
          spot: earnedOfBea,
          total: earnedOfBea,
        },
      ],
      usdtAmount: traded,
      totalCommissionUsdtAmount: commissionOf([...ofBea, ...ofCal]),
      totalTradeUsdtAmount: traded,
      finished: false,
    });
  });

  test('by code, by page, and in a window', async () => {
    const { bea, cal, cid } = story;
    const uids = async (parameters: Record<string, string>) =>
      (await story.listOf('commission', parameters)).map(({ uid }) => uid);
    expect(await uids({ inviteCode: campaignCode })).toEqual([cid.uid, cal.uid]);
    expect(await uids({ inviteCode: story.ann.referCode })).toEqual([bea.uid]);
    for (const inviteCode of [plainCode, 'svcx-99999', bea.referCode]) expect(await uids({ inviteCode })).toEqual([]);
    for (const inviteCode of ['ab', 'a_b-c', 'x'.repeat(21)])
      expectRefused(await story.report('commission', { inviteCode }), 33333);
    expect(await uids({ page: '2', pageSize: '2' })).toEqual([bea.uid]);
    const ofPage = (await story.report('commission', { page: '2', pageSize: '2' })).body.data;
    expect(ofPage).toMatchObject({ totalCount: 3, totalPage: 2, currentPage: 2, pageSize: 2 });
    expect(ofPage.usdtAmount).toBe(usdtOf(await story.harness.tradesOf(bea), turnoverOf));
    const ofCode = (await story.report('commission', { inviteCode: campaignCode })).body.data;
    expect(ofCode.totalTradeUsdtAmount).toBe(usdtOf(await story.harness.tradesOf(cal), turnoverOf));
    const [second] = await story.harness.tradesOf(cal);
    const window = { startTime: String(second!.time), endTime: String(second!.time) };
    const inWindow = (await story.report('commission', window)).body.data;
    expect(inWindow.resultList.map(({ total }: { total: string }) => total)).toEqual([
      '0',
      commissionOf([second!]),
      '0',
    ]);
    expect(inWindow.totalCommissionUsdtAmount).toBe(commissionOf([second!]));
    const before = await uids({ startTime: '0', endTime: String(cal.at) });
    expect(before).toEqual([cal.uid, bea.uid]);
  });
});

describe('SPEC-AFF-04: commission detail', () => {
  test('DEC-SUB-25: a record for every commission of all three levels, newest first, with its trade', async () => {
    const { bea, cal, dan, eve } = story;
    const levels = [
      [bea, referralPpm],
      [cal, referralPpm],
      [dan, 50_000n],
      [eve, 20_000n],
    ] as const;
    const lists = await Promise.all(
      levels.map(async ([person, ppm]) =>
        (await story.harness.tradesOf(person)).map((trade) => ({
          type: 1,
          sourceType: ppm === referralPpm ? 1 : 2,
          state: 1,
          date: trade.time,
          uid: person.uid,
          rate: String(Number(ppm) / 1e6),
          symbol: 'BTCUSDT',
          takerAmount: trade.isMaker ? '0' : trade.quoteQty,
          makerAmount: trade.isMaker ? trade.quoteQty : '0',
          amountCurrency: 'USDT',
          usdtAmount: trade.quoteQty,
          commission: shareOf(trade, ppm).text,
          currency: trade.commissionAsset,
          worth: { value: shareOf(trade, ppm).value, turnover: turnoverOf(trade) },
        })),
      ),
    );
    const expected = lists.flat().sort((left, right) => right.date - left.date);
    const reply = await story.report('commission/detail');
    expectShape('affiliateCommissionDetail', reply);
    const { resultList, ...numbers } = reply.body.data;
    expect(resultList).toEqual(expected.map(({ worth: _worth, ...entry }) => entry));
    const sum = (of: (entry: (typeof expected)[number]) => bigint): string =>
      usdtOf([{}] as unknown as ToldTrade[], () => expected.reduce((all, entry) => all + of(entry), 0n));
    expect(numbers).toEqual({
      pageSize: 10,
      totalCount: 5,
      totalPage: 1,
      currentPage: 1,
      totalCommissionUsdtAmount: sum(({ worth }) => worth.value),
      totalTradeUsdtAmount: sum(({ worth }) => worth.turnover),
    });
  });

  test('by code, type and page; seven days unless asked, at most 30', async () => {
    const { clock } = story.harness.gate.exchange;
    const dates = async (parameters: Record<string, string>) =>
      (await story.listOf('commission/detail', parameters)).map(({ date }) => date);
    const ofCal = (await story.harness.tradesOf(story.cal)).map(({ time }) => time);
    expect(await dates({ inviteCode: campaignCode })).toEqual(ofCal);
    expect(await dates({ inviteCode: campaignCode, pageSize: '1', page: '2' })).toEqual(ofCal.slice(1));
    expect(await dates({ type: '1' })).toHaveLength(5);
    for (const type of ['2', '3']) expect(await dates({ type })).toEqual([]);
    for (const type of ['0', '4', 'spot']) expectRefused(await story.report('commission/detail', { type }), 33333);
    const window = (days: number, more = 0) => ({
      startTime: String(clock.time - days * day - more),
      endTime: String(clock.time),
    });
    expect(await dates(window(30))).toHaveLength(5);
    expectRefused(await story.report('commission/detail', window(30, 1)), 33333);
    expectRefused(await story.report('commission/detail', window(31)), 33333);
    expectRefused(await story.report('commission/detail', { startTime: String(clock.time - 31 * day) }), 33333);
    const before = clock.time;
    clock.time = ofCal[0]! + 7 * day;
    expect(await dates({ inviteCode: campaignCode })).toEqual([ofCal[0]]);
    clock.time += 1;
    expect(await dates({ inviteCode: campaignCode })).toEqual([]);
    clock.time = before;
  });
});

test('SPEC-AFF-03, DEC-SUB-26, DEC-SUB-25, DEC-SUB-61: settlement pays what was earned, and the states of records follow', async () => {
  const { ann, bea, cal, dan, eve } = story;
  const { clock } = story.harness.gate.exchange;
  expect((await story.report('withdraw')).body.data).toMatchObject({ totalCount: 0, resultList: [] });
  const today = rebateDayOf(as<TimestampMs>(clock.time));
  const rejection = { kind: 'rejectRebates', beneficiary: ann.account, source: dan.account, day: today } as const;
  await story.harness.wallet.run(rejection);
  const before = await story.listOf('commission/detail');
  const worth = (reply: Reply): string => reply.body.data.totalCommissionUsdtAmount;
  const all = [bea, cal, eve].map(async (person) => {
    const ppm = person === eve ? 20_000n : referralPpm;
    return (await story.harness.tradesOf(person)).reduce((sum, trade) => sum + shareOf(trade, ppm).value, 0n);
  });
  const earned = (await Promise.all(all)).reduce((sum, value) => sum + value, 0n);
  expect(worth(await story.report('commission/detail'))).toBe(textOf(earned, 9));
  await story.harness.settle(today, 3_600_000);
  const reply = await story.report('withdraw');
  expectShape('affiliatePayouts', reply);
  const paid = (asset: 'BTC' | 'USDT', scale: number): string => {
    const earned = before.filter(({ currency, state }) => currency === asset && state === 1);
    const sum = earned.reduce((all, { commission }) => all + unitsOf(commission, scale), 0n);
    return String(Number(sum) / 10 ** scale);
  };
  const withdrawTime = clock.time;
  expect(reply.body.data.resultList).toEqual([
    { withdrawTime, asset: 'BTC', amount: paid('BTC', 8) },
    { withdrawTime, asset: 'USDT', amount: paid('USDT', 9) },
  ]);
  const states = (await story.listOf('commission/detail')).map(({ uid, state }) => [uid === dan.uid, state]);
  expect(new Set(states.map(String))).toEqual(new Set(['false,2', 'true,3']));
  await story.harness.trade(cal, { side: 'BUY', quantity: '0.5', price: '30000' });
  expect((await story.listOf('commission/detail'))[0]).toMatchObject({ uid: cal.uid, state: 1 });
  const finished = async (endTime: number) =>
    (await story.report('commission', { startTime: '0', endTime: String(endTime) })).body.data.finished;
  expect([await finished(today + day - 1), await finished(today + day)]).toEqual([true, false]);
  clock.time += 183 * day + 1;
  expect((await story.report('withdraw')).body.data.totalCount).toBe(0);
  expect((await story.report('withdraw', { startTime: '0' })).body.data.totalCount).toBe(2);
});
