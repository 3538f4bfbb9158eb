import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssetId, as, type Lots, type PriceTicks, type SymbolId, type TimestampMs } from '#model/units.ts';
import { settleDueRebates } from '#jobs/settle-due-rebates.ts';
import { btcUsdt } from '../api/gateway-harness.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

const dayMs = 86_400_000;
const [firstDay, secondDay, thirdDay] = ['2023-11-14', '2023-11-15', '2023-11-16'] as const;

let operator: TestOperator;
/** Alice invited tom and uma, tom invited vic; bob makes the market. */
const uids: Record<'tom' | 'uma' | 'vic', number> = { tom: 0, uma: 0, vic: 0 };
let alice: string;

const told = ({ status, body }: OperatorReply) => ({ status, code: body.code });
const list = async (path: string) => (await operator.ask('GET', path)).body.items;

/** Bob buys BTC for 20,000 USDT apiece from one of them, who pays 0.05 % of it in USDT. */
async function sell(name: keyof typeof uids, btc: number): Promise<void> {
  const { exchange, bob } = operator;
  const { account } = (await exchange.queries.accountByUid(as(uids[name])))!;
  const order = { symbol: as<SymbolId>(0), price: as<PriceTicks>(2_000_000), quantity: as<Lots>(btc * 1_000_000) };
  await exchange.place(bob.account, { ...order, side: 'buy' });
  await exchange.place(account, { ...order, side: 'sell' });
}

/** What the daily settlement does. */
const settle = (): Promise<void> => {
  const { exchange } = operator;
  const ports = { submit: exchange.submit, queries: exchange.queries };
  return settleDueRebates(ports, as<TimestampMs>(exchange.clock.time));
};

beforeAll(async () => {
  operator = await startTestOperator();
  const { exchange } = operator;
  await exchange.submit({
    kind: 'configureSymbol',
    symbol: { ...btcUsdt, base: as<AssetId>(1), quote: as<AssetId>(0) },
  });
  alice = `/v1/accounts/${operator.alice.uid}`;
  for (const [name, inviterUid] of [
    ['tom', () => operator.alice.uid],
    ['uma', () => operator.alice.uid],
    ['vic', () => uids.tom],
  ] as const) {
    const { referCode } = (await operator.ask('GET', `/v1/accounts/${inviterUid()}`)).body;
    const { uid } = (await operator.ask('POST', '/v1/accounts', { name, inviteCode: referCode })).body;
    uids[name] = uid;
    const { account } = (await exchange.queries.accountByUid(as(uid)))!;
    await exchange.submit({ kind: 'creditFunds', account, asset: as(1), amount: as(1_000_000_000n) });
  }
});
afterAll(() => operator.close());

describe('DEC-OPR-20: pending rebates', () => {
  test('DEC-SUB-05: are what the rates give of each commission, by day, source and asset', async () => {
    await sell('tom', 1);
    await sell('tom', 1);
    await sell('uma', 0.5);
    await sell('vic', 1);
    const day = firstDay;
    // Commissions: 10 USDT for 1 BTC; 20 % to the inviter, 5 % to the inviter's inviter.
    expect(await list(`${alice}/rebates/pending`)).toEqual([
      { day, sourceUid: uids.tom, asset: 'USDT', amount: '4' },
      { day, sourceUid: uids.uma, asset: 'USDT', amount: '1' },
      { day, sourceUid: uids.vic, asset: 'USDT', amount: '0.5' },
    ]);
    expect(await list(`/v1/accounts/${uids.tom}/rebates/pending`)).toEqual([
      { day, sourceUid: uids.vic, asset: 'USDT', amount: '2' },
    ]);
    expect(await list(`/v1/accounts/${uids.vic}/rebates/pending`)).toEqual([]);
  });

  test('DEC-SUB-05: follow new rates from the next trade on, kickback included', async () => {
    const rates = { referralPpm: 300_000, subAffiliatePpm: 0, thirdPpm: 0, kickbackPpm: 100_000 };
    expect((await operator.ask('PUT', `${alice}/rebate-rates/spot`, rates)).status).toBe(200);
    await sell('uma', 1);
    // 20 % of the earlier commission of 5 USDT, and of the new one of 10 what the kickback of 10 % leaves of 30 %.
    expect(await list(`${alice}/rebates/pending`)).toMatchObject([{}, { sourceUid: uids.uma, amount: '3' }, {}]);
    expect(await list(`/v1/accounts/${uids.uma}/rebates/pending`)).toEqual([
      { day: firstDay, sourceUid: uids.uma, asset: 'USDT', amount: '1' },
    ]);
  });

  test('are read page by page', async () => {
    const all = await list(`${alice}/rebates/pending`);
    const seen = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await operator.ask('GET', `${alice}/rebates/pending?limit=1${query}`);
      seen.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(all).toHaveLength(3);
    expect((await operator.ask('GET', '/v1/accounts/1/rebates/pending')).body.code).toBe('unknownAccount');
  });
});

describe('DEC-OPR-20: rejections', () => {
  const reject = (body: object, key?: string) =>
    operator.ask(
      'POST',
      `${alice}/rebates/rejections`,
      body,
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    );

  test('DEC-SUB-22: give back to fees what came from one account, and nothing else', async () => {
    const { at } = await operator.exchange.queries.position();
    const fees = async (): Promise<bigint> => BigInt(await operator.exchange.queries.houseBalance(as(1), as(0)));
    const before = await fees();
    const reply = await reject({ sourceUid: uids.tom, day: firstDay }, 'reject-1');
    expect([reply.status, reply.body]).toEqual([
      201,
      { day: firstDay, sourceUid: uids.tom, at, seq: expect.any(Number) },
    ]);
    expect((await fees()) - before).toBe(4_000_000_000n);
    const again = await reject({ sourceUid: uids.tom, day: firstDay }, 'reject-1');
    expect([again.status, again.body]).toEqual([201, reply.body]);
    expect(await list(`${alice}/rebates/pending`)).toMatchObject([{ sourceUid: uids.uma }, { sourceUid: uids.vic }]);
    expect(await list(`${alice}/rebates/rejections`)).toEqual([reply.body]);
  });

  test('are refused where nothing is pending, without a change', async () => {
    const digest = operator.digest();
    for (const body of [{ sourceUid: uids.tom, day: firstDay }, { day: secondDay }, { day: '1970-01-01' }]) {
      expect([body, told(await reject(body))]).toEqual([body, { status: 409, code: 'nothingPending' }]);
    }
    for (const [body, pointer] of [
      [{ day: '2023-02-29' }, '/day'],
      [{ day: 1_700_000_000_000 }, '/day'],
      [{ sourceUid: 99_999_999, day: firstDay }, '/sourceUid'],
      [{ sourceUid: uids.tom }, '/day'],
    ] as const) {
      const { status, body: refusal } = await reject(body);
      expect([body, status, refusal.errors[0].pointer]).toEqual([body, 400, pointer]);
    }
    expect(operator.digest()).toBe(digest);
  });

  test('DEC-SUB-22: of everybody take all that accrued so far; what comes later is pending again', async () => {
    const { body } = await reject({ sourceUid: null, day: firstDay });
    expect(body).toMatchObject({ sourceUid: null, day: firstDay });
    expect(await list(`${alice}/rebates/pending`)).toEqual([]);
    // Others earn on.
    expect(await list(`/v1/accounts/${uids.tom}/rebates/pending`)).toHaveLength(1);
    await sell('tom', 1);
    expect(await list(`${alice}/rebates/pending`)).toEqual([
      { day: firstDay, sourceUid: uids.tom, asset: 'USDT', amount: '2' },
    ]);
  });
});

describe('DEC-OPR-20: the daily settlement', () => {
  test('DEC-SUB-22: is seen to be due, and to be done', async () => {
    const { clock } = operator.exchange;
    const read = async () => (await operator.ask('GET', '/v1/rebates/settlement')).body;
    expect(await read()).toEqual({ settledBefore: firstDay, dueDay: null });
    clock.time += dayMs;
    await sell('tom', 2);
    expect(await read()).toEqual({ settledBefore: firstDay, dueDay: firstDay });
    await settle();
    expect(await read()).toEqual({ settledBefore: secondDay, dueDay: null });
    clock.time += dayMs;
    await settle();
    expect(await read()).toEqual({ settledBefore: thirdDay, dueDay: null });
  });

  test('DEC-SUB-26: payouts are listed newest first, within the window that is asked for', async () => {
    const payouts = await list(`${alice}/rebates/payouts`);
    expect(payouts).toMatchObject([
      { day: secondDay, asset: 'USDT', amount: '4' },
      { day: firstDay, asset: 'USDT', amount: '2' },
    ]);
    const [second, first] = payouts;
    expect(second.at - first.at).toBe(dayMs);
    expect(await list(`${alice}/rebates/payouts?from=${second.at}`)).toEqual([second]);
    expect(await list(`${alice}/rebates/payouts?to=${second.at - 1}`)).toEqual([first]);
    const page = (await operator.ask('GET', `${alice}/rebates/payouts?limit=1`)).body;
    expect(page.items).toEqual([second]);
    expect(await list(`${alice}/rebates/payouts?limit=1&cursor=${page.nextCursor}`)).toEqual([first]);
    const lines = await list(`${alice}/ledger/spot?asset=USDT`);
    const paid = lines.filter(({ reason }: { reason: string }) => reason === 'rebate');
    expect(paid.map(({ change, seq }: { change: string; seq: number }) => [change, seq])).toEqual([
      ['4', second.seq],
      ['2', first.seq],
    ]);
  });

  test('DEC-SUB-22: what is settled cannot be rejected', async () => {
    const reply = await operator.ask('POST', `${alice}/rebates/rejections`, { day: firstDay });
    expect(told(reply)).toEqual({ status: 409, code: 'nothingPending' });
  });

  test('rejections stay listed, the newest day first', async () => {
    await sell('uma', 1);
    const { body } = await operator.ask('POST', `${alice}/rebates/rejections`, { day: thirdDay });
    const all = await list(`${alice}/rebates/rejections`);
    expect(all.map(({ day, sourceUid }: { day: string; sourceUid: number | null }) => [day, sourceUid])).toEqual([
      [thirdDay, null],
      [firstDay, null],
      [firstDay, uids.tom],
    ]);
    const page = (await operator.ask('GET', `${alice}/rebates/rejections?limit=2`)).body;
    expect(page.items[0]).toEqual(body);
    expect(await list(`${alice}/rebates/rejections?limit=2&cursor=${page.nextCursor}`)).toEqual([all[2]]);
  });

  test('the trial balance is zero throughout', async () => {
    for (const { asset, sum } of await list('/v1/ledger/trial-balance')) expect([asset, sum]).toEqual([asset, '0']);
    expect(operator.exchange.faults()).toEqual([]);
  });
});
