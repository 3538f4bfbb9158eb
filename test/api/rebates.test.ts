import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RebateRow } from '#history/tables/rebate-tables.ts';
import { rebateDayOf } from '#model/rebate.ts';
import type { AssetId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import {
  day,
  type Person,
  type RebateHarness,
  shareOf,
  startRebateHarness,
  textOf,
  type ToldTrade,
  usdtOf,
} from './rebate-harness.ts';
import { assets, units } from './wallet-harness.ts';

/*
 * Ann invited bea and cal, bea invited dan, dan invited eve. What each report must tell is computed from the trades
 * that GET myTrades shows those who paid: 20 % for the inviter, 5 % and 2 % for the two above. DEC-SUB-05.
 */

let harness: RebateHarness;
let [ann, bea, cal, dan, eve, fay]: Person[] = [];
const people = () => ({ ann: ann!, bea: bea!, cal: cal!, dan: dan!, eve: eve!, fay: fay! });

beforeAll(async () => {
  harness = await startRebateHarness();
  const { gate, wallet } = harness;
  const invited = async (name: string, by: Person, email?: string) => {
    gate.exchange.clock.time += 1000;
    return harness.register(name, { inviteCode: by.referCode, ...(email === undefined ? {} : { email }) });
  };
  ann = await harness.register('ann', { email: 'ann@example.com' });
  bea = await invited('bea', ann, 'Beatrice.B@example.com');
  cal = await invited('cal', ann);
  dan = await invited('dan', bea, 'dan@example.com');
  eve = await invited('eve', dan);
  fay = await harness.register('fay');
  const token = { kind: 'creditFunds', account: dan.account, asset: assets.SVC, amount: units('SVC', 100) } as const;
  await wallet.run(token, { kind: 'setFeeDeduction', account: dan.account, enabled: true });
  const trades = [
    [bea, { side: 'BUY', quantity: '0.123457', price: '30000.01' }],
    [cal, { side: 'SELL', quantity: '0.7', price: '30100' }],
    [dan, { side: 'BUY', quantity: '0.033333', price: '29999.99' }],
    [eve, { side: 'SELL', quantity: '1.000001', price: '30050.5' }],
    [bea, { side: 'SELL', quantity: '0.25', price: '30000', isMaker: true }],
    [fay, { side: 'BUY', quantity: '1', price: '30000' }],
  ] as const;
  for (const [person, terms] of trades) {
    gate.exchange.clock.time += 60_000;
    await harness.trade(person, terms);
  }
});
afterAll(() => harness.close());

interface Told {
  readonly uid: string;
  readonly tradeTime: number;
}
/** Entries of rebate/detail for these trades of somebody. */
const entriesOf = (person: Person, account: string, trades: readonly ToldTrade[], ppm: bigint) =>
  trades.map((trade) => ({
    asset: trade.commissionAsset,
    type: 'spot',
    rate: String(Number(ppm) / 1e6),
    amount: shareOf(trade, ppm).text,
    uid: person.uid,
    account,
    tradeTime: trade.time,
    updateTime: trade.time,
  }));
const newestFirst = <Entry extends Told>(entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((left, right) => right.tradeTime - left.tradeTime);
const masked = (person: Person): string => `${person.uid.slice(0, 3)}****${person.uid.slice(-3)}`;

describe('what inviters earned', () => {
  test('SPEC-REB-02, SPEC-REB-05, DEC-SUB-05, DEC-SUB-24: every record is the share of a commission, exact to the unit', async () => {
    const { ann, bea, cal, dan, eve } = people();
    const [ofBea, ofCal, ofDan, ofEve] = await Promise.all([bea, cal, dan, eve].map(harness.tradesOf));
    expect(ofDan!.map(({ commissionAsset }) => commissionAsset)).toEqual(['SVC']);
    expect(ofBea!.map(({ isMaker }) => isMaker)).toEqual([true, false]);
    const reply = await harness.report('detail', ann);
    expectShape('rebateDetail', reply);
    const expected = newestFirst([
      ...entriesOf(bea, 'Bea****e.B@example.com', ofBea!, 200_000n),
      ...entriesOf(cal, masked(cal), ofCal!, 200_000n),
      ...entriesOf(dan, 'd****n@example.com', ofDan!, 50_000n),
      ...entriesOf(eve, masked(eve), ofEve!, 20_000n),
    ]);
    expect(expected).toHaveLength(5);
    expect(reply.body).toEqual({ page: 1, totalRecords: 5, totalPageNum: 1, data: expected });
    const toDan = await harness.report('detail', dan);
    expect(toDan.body.data).toEqual(entriesOf(eve, masked(eve), ofEve!, 200_000n));
  });

  test('SPEC-REB-01, DEC-SUB-60, DEC-SUB-62: sums by user in USDT at the price of the trade, the newest user first', async () => {
    const { ann, bea, cal, dan, eve } = people();
    const summary = async (person: Person, account: string, ppm: bigint) => {
      const spot = usdtOf(await harness.tradesOf(person), (trade) => shareOf(trade, ppm).value);
      return { spot, futures: '0', total: spot, uid: person.uid, account, inviteTime: person.at };
    };
    const reply = await harness.report('taxQuery', ann);
    expectShape('rebateSummary', reply);
    expect(reply.body).toEqual({
      page: 1,
      totalRecords: 4,
      totalPageNum: 1,
      data: [
        await summary(eve, masked(eve), 20_000n),
        await summary(dan, 'd****n@example.com', 50_000n),
        await summary(cal, masked(cal), 200_000n),
        await summary(bea, 'Bea****e.B@example.com', 200_000n),
      ],
    });
  });

  test('SPEC-REB-01, SPEC-REB-02: a window holds its two ends; without one it is a year', async () => {
    const { ann, cal } = people();
    const { clock } = harness.gate.exchange;
    const [trade] = await harness.tradesOf(cal);
    const at = trade!.time;
    const uids = async (path: string, startTime: number, endTime: number) => {
      const window = { startTime: String(startTime), endTime: String(endTime) };
      return (await harness.report(path, ann, window)).body.data.map(({ uid }: Told) => uid);
    };
    for (const path of ['detail', 'taxQuery']) {
      expect(await uids(path, at, at)).toEqual([cal.uid]);
      expect(await uids(path, at + 1, at + 1)).toEqual([]);
      expectCode(await harness.report(path, ann, { startTime: '2', endTime: '1' }), 33333);
      for (const page of ['0', 'x', '1.5']) expectCode(await harness.report(path, ann, { page }), 33333);
    }
    const before = clock.time;
    clock.time = at + 365 * day;
    expect((await harness.report('detail', ann)).body.data.at(-1).uid).toBe(cal.uid);
    clock.time = at + 366 * day;
    expect((await harness.report('detail', ann)).body.totalRecords).toBe(0);
    expect((await harness.report('taxQuery', ann)).body.totalRecords).toBe(0);
    expect((await harness.report('detail', ann, { startTime: '0' })).body.totalRecords).toBe(5);
    clock.time = before;
  });

  test('SPEC-REB-01: who invited nobody has empty reports', async () => {
    for (const path of ['taxQuery', 'detail', 'detail/kickback']) {
      const { body } = await harness.report(path, people().fay);
      expect(body).toEqual({ page: 1, totalRecords: 0, totalPageNum: 0, data: [] });
    }
  });

  test('DEC-REQ-61: a frozen account reads its reports', async () => {
    const { ann } = people();
    await harness.wallet.run({ kind: 'setAccountStatus', account: ann.account, status: 'frozen' });
    expect((await harness.report('detail', ann)).body.totalRecords).toBe(5);
    await harness.wallet.run({ kind: 'setAccountStatus', account: ann.account, status: 'normal' });
  });
});

test('SPEC-REB-04, DEC-SUB-23, DEC-SUB-64: everybody has a refer code, a sub-account that of its master', async () => {
  const own = await harness.gate.signed('GET', '/api/v3/rebate/referCode');
  expectShape('referCode', own);
  expect(own.body.referCode).toMatch(/^[0-9a-z]{5}$/);
  const sub = await harness.gate.signed('GET', '/api/v3/rebate/referCode', {}, { key: keys.sub });
  expect(sub.body).toEqual(own.body);
  const codes = await Promise.all(Object.values(people()).map((person) => harness.report('referCode', person)));
  expect(new Set(codes.map(({ body }) => body.referCode)).size).toBe(codes.length);
  const owner = await harness.gate.exchange.queries.rebates.inviteCode(own.body.referCode);
  expect(owner?.owner).toBe(harness.gate.accounts.alice);
});

describe('what became of rebates', () => {
  test('SPEC-REB-03, DEC-SUB-05: a kickback is the own part of the own commission, taken out of the referral', async () => {
    const { ann, cal } = people();
    const rates = { referralPpm: 200_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 80_000 };
    await harness.wallet.run({ kind: 'setRebateRates', inviter: ann.account, product: 'spot', ...rates });
    harness.gate.exchange.clock.time += 60_000;
    await harness.trade(cal, { side: 'BUY', quantity: '0.019999', price: '30000' });
    const [trade] = await harness.tradesOf(cal);
    const left = shareOf(trade!, 200_000n).amount - shareOf(trade!, 80_000n).amount;
    const reply = await harness.report('detail/kickback', cal);
    expectShape('kickbackDetail', reply);
    expect(reply.body.data).toEqual(entriesOf(cal, masked(cal), [trade!], 80_000n));
    const [newest] = (await harness.report('detail', ann)).body.data;
    expect(newest).toMatchObject({ uid: cal.uid, rate: '0.12', asset: 'BTC', tradeTime: trade!.time });
    expect(newest.amount).toBe(textOf(left, 8));
    await harness.wallet.run({
      kind: 'setRebateRates',
      inviter: ann.account,
      product: 'spot',
      ...rates,
      kickbackPpm: 0,
    });
  });

  test('DEC-SUB-22, DEC-SUB-61, DEC-SUB-63: updateTime is when a rebate was rejected or paid; rejected ones are in no sum', async () => {
    const { ann, bea, eve } = people();
    const { clock } = harness.gate.exchange;
    const [newest] = (await harness.report('detail', ann)).body.data;
    const today = rebateDayOf(as<TimestampMs>(newest.tradeTime));
    expect(newest.updateTime).toBe(newest.tradeTime);
    const eveBefore = (await harness.tradesOf(eve))[0]!.time;
    clock.time += 5000;
    const rejectedAt = clock.time;
    await harness.wallet.run({ kind: 'rejectRebates', beneficiary: ann.account, source: eve.account, day: today });
    clock.time += 5000;
    await harness.trade(eve, { side: 'BUY', quantity: '0.5', price: '30000' });
    await harness.settle(today, 90_000);
    const settledAt = today + day + 90_000;
    clock.time = settledAt + 1000;
    await harness.trade(bea, { side: 'BUY', quantity: '0.5', price: '30000' });
    const updates = (await harness.report('detail', ann)).body.data.map(
      ({ uid, updateTime }: { uid: string; updateTime: number }) => [uid, updateTime],
    );
    expect(updates[0]).toEqual([bea.uid, settledAt + 1000]);
    const ofEve = updates.filter(([uid]: [string, number]) => uid === eve.uid);
    expect(ofEve).toEqual([
      [eve.uid, settledAt],
      [eve.uid, rejectedAt],
    ]);
    const [earnedOfEve, rejectedOfEve] = await harness.tradesOf(eve);
    expect([earnedOfEve!.time, rejectedOfEve!.time]).toEqual([rejectedAt + 5000, eveBefore]);
    const summary = (await harness.report('taxQuery', ann)).body.data.find(({ uid }: Told) => uid === eve.uid);
    expect(summary.total).toBe(usdtOf([earnedOfEve!], (trade) => shareOf(trade, 20_000n).value));
    const others = updates.slice(1).filter(([uid]: [string, number]) => uid !== eve.uid);
    expect(new Set(others.map(([, at]: [string, number]) => at))).toEqual(new Set([settledAt]));
  });

  test('DEC-SUB-63: a commission that leaves nothing to its inviter makes no record', async () => {
    const { ann, bea } = people();
    const { totalRecords } = (await harness.report('detail', ann)).body;
    const terms = { makerFeePpm: 0, takerFeePpm: 0, openOrdersMax: 500 };
    await harness.wallet.run({ kind: 'setTradingRules', account: bea.account, ...terms });
    await harness.trade(bea, { side: 'BUY', quantity: '0.5', price: '30000' });
    expect((await harness.tradesOf(bea))[0]!.commission).toBe('0');
    expect((await harness.report('detail', ann)).body.totalRecords).toBe(totalRecords);
  });
});

test('DEC-SUB-20, DEC-SUB-62: pages of 10, newest first, over days with many records', async () => {
  const { fay } = people();
  const { clock } = harness.gate.exchange;
  const first = rebateDayOf(as<TimestampMs>(clock.time)) - 40 * day;
  const upTo = as<RebateRow['seq']>((await harness.history.watermark()) + 1);
  const rows = Array.from(
    { length: 2035 },
    (_, index): RebateRow => ({
      account: fay.account,
      kind: 'earned',
      at: as<TimestampMs>(first + index * 1_000_000),
      accrual: 1_000_000 + index,
      seq: upTo,
      share: 'referral',
      source: as<Person['account']>(people().bea.account + (index % 4)),
      code: 'a-code',
      product: index % 2 === 0 ? 'spot' : 'futures',
      symbol: as(0),
      trade: as(index + 1),
      isMaker: false,
      asset: as<AssetId>(0),
      ratePpm: 200_000,
      amount: as(BigInt(index + 1)),
      value: as(BigInt(index + 1)),
      turnover: as(1),
      turnoverValue: as(1n),
      rejectedAt: null,
    }),
  );
  await harness.history.write({ upTo, rows: { rebates: rows } });
  const page = async (number: number) => (await harness.report('detail', fay, { page: String(number) })).body;
  const times = ({ data }: { data: readonly Told[] }): readonly number[] => data.map(({ tradeTime }) => tradeTime);
  const expected = rows.map(({ at }) => at).toReversed();
  for (const number of [1, 2, 77, 103, 203, 204, 205]) {
    const found = await page(number);
    expect(found).toMatchObject({ page: number, totalRecords: 2035, totalPageNum: 204 });
    expect([number, times(found)]).toEqual([number, expected.slice(number * 10 - 10, number * 10)]);
  }
  const { body } = await harness.report('taxQuery', fay);
  expect(body).toMatchObject({ totalRecords: 4, totalPageNum: 1 });
  const sum = (wanted: (row: RebateRow) => boolean): string => {
    const total = rows.filter(wanted).reduce((all, { value }) => all + value, 0n);
    return String(Number(total) / 1e9);
  };
  for (const [index, source] of [bea!, cal!, dan!, eve!].toReversed().entries()) {
    const own = (row: RebateRow) => row.source === source.account;
    const entry = body.data[index];
    expect(entry).toMatchObject({ uid: source.uid, total: sum(own) });
    expect(entry.spot).toBe(sum((row) => own(row) && row.product === 'spot'));
    expect(entry.futures).toBe(sum((row) => own(row) && row.product === 'futures'));
  }
});
