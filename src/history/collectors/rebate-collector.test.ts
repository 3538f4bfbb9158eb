import { beforeEach, expect, test } from 'vitest';
import type { AccountView } from '#model/account.ts';
import type { EventSink } from '#model/events.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { AccountId, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type RebateKind, rebateKinds, type RebateRow } from '#history/tables/rebate-tables.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';

const [carol, bob, alice, trader, robot] = [4, 5, 6, 7, 8].map((account) => as<AccountId>(account));
const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const valueMost = 2n ** 62n - 1n;

let store: MemoryHistoryStore;
let writer: HistoryWriter;
beforeEach(async () => {
  store = new MemoryHistoryStore();
  writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  writer.knowAccounts([{ account: robot, simulated: true } as unknown as AccountView]);
});

/** Tells what happens at an entry, which stands at a thousand times its position in milliseconds. */
async function entry(seq: number, ...tell: ((sink: EventSink) => void)[]): Promise<void> {
  writer.entryBegan(as<Seq>(seq), as<TimestampMs>(seq * 1000));
  for (const each of tell) each(writer);
  await writer.flush(as<Seq>(seq));
}
const fact =
  (told: object) =>
  (sink: EventSink): void =>
    sink.fact(told as never);
/** A commission of 1000, of which alice, bob, carol and the trader get something. */
const accrual = (fields: Partial<Record<keyof RebateAccrual, unknown>> = {}): RebateAccrual =>
  ({
    accrual: 9,
    product: 'spot',
    symbol: 3,
    trade: 77,
    payer: 17,
    source: trader,
    code: 'a-code',
    isMaker: true,
    asset: 2,
    commission: 1000,
    turnover: 500_000,
    beneficiaries: [alice, bob, carol, trader],
    ratesPpm: [150_000, 50_000, 20_000, 50_000],
    amounts: [150, 50, 20, 50],
    assetValue: [3, 2],
    quoteValue: [1, 1],
    ...fields,
  }) as unknown as RebateAccrual;
const accrued =
  (fields: Parameters<typeof accrual>[0] = {}) =>
  (sink: EventSink): void =>
    sink.rebateAccrued(accrual(fields));
const rebatesOf = (account: AccountId | undefined, kind: RebateKind = 'earned'): Promise<readonly RebateRow[]> =>
  store.rows('rebates', { account: account!, kind }, always);

test('DEC-SUB-45: each beneficiary has a row with its share and what it was worth at the trade', async () => {
  await entry(1, accrued());
  const terms = { at: 1000, accrual: 9, seq: 1, source: trader, code: 'a-code', product: 'spot', symbol: 3, trade: 77 };
  const row = {
    ...terms,
    isMaker: true,
    asset: 2,
    turnover: 500_000,
    turnoverValue: 500_000n,
    kind: 'earned',
    rejectedAt: null,
  };
  expect(await rebatesOf(alice)).toEqual([
    { ...row, account: alice, share: 'referral', ratePpm: 150_000, amount: 150n, value: 225n },
  ]);
  expect(await rebatesOf(bob)).toEqual([
    { ...row, account: bob, share: 'subAffiliate', ratePpm: 50_000, amount: 50n, value: 75n },
  ]);
  expect(await rebatesOf(carol)).toEqual([
    { ...row, account: carol, share: 'third', ratePpm: 20_000, amount: 20n, value: 30n },
  ]);
  expect(await rebatesOf(trader)).toEqual([]);
  expect(await rebatesOf(trader, 'kickback')).toEqual([
    { ...row, account: trader, kind: 'kickback', share: 'kickback', ratePpm: 50_000, amount: 50n, value: 75n },
  ]);
});

test('DEC-SUB-45: the inviter has a row also where it gets nothing, all others only where they get something', async () => {
  await entry(1, accrued({ amounts: [0, 0, 0, 0], commission: 0 }));
  expect(await rebatesOf(alice, 'turnover')).toMatchObject([
    { share: 'referral', amount: 0n, value: 0n, turnover: 500_000 },
  ]);
  for (const account of [bob, carol]) expect(await rebatesOf(account)).toEqual([]);
  expect(await rebatesOf(trader, 'kickback')).toEqual([]);
  await entry(2, accrued({ accrual: 10, beneficiaries: [alice, 0, 0, 0], amounts: [1, 0, 0, 0] }));
  expect(await rebatesOf(as<AccountId>(0))).toEqual([]);
  expect(await rebatesOf(alice)).toMatchObject([{ accrual: 10 }]);
});

test('DEC-SUB-45: values are exact and rounded down, 0 without a price, and end at 2^62 - 1', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const told = { amounts: [most, 3, 7, 1], turnover: most };
  await entry(1, accrued({ ...told, accrual: 1, assetValue: [2, 3], quoteValue: [most - 1, most] }));
  await entry(2, accrued({ ...told, accrual: 2, assetValue: [0, 0], quoteValue: [0, 0] }));
  await entry(3, accrued({ ...told, accrual: 3, assetValue: [most, 1], quoteValue: [most, 512] }));
  const great = BigInt(most);
  expect((await rebatesOf(alice)).map(({ value, turnoverValue }) => [value, turnoverValue])).toEqual([
    [(great * 2n) / 3n, great - 1n],
    [0n, 0n],
    [valueMost, valueMost],
  ]);
  expect((await rebatesOf(carol)).map(({ value }) => value)).toEqual([4n, 0n, 7n * great]);
  expect((await rebatesOf(trader, 'kickback')).map(({ value }) => value)).toEqual([0n, 0n, great]);
});

test('payouts, rejections, clicks, moves of invitees and transfers of sub-accounts have a row each', async () => {
  const move = { move: 1, account: trader, inviter: alice, code: 'a-code', direction: 'deposit', asset: 2, amount: 5n };
  const ends = { master: alice, from: alice, fromWallet: 'spot', to: 17, toWallet: 'futures', asset: 2, amount: 7n };
  const transfer = { ...ends, transfer: 4, clientTranId: null, at: 1000 };
  const payouts = [
    { beneficiary: alice, asset: 1, amount: 3n },
    { beneficiary: alice, asset: 2, amount: 2n ** 62n },
  ];
  await entry(
    1,
    fact({ kind: 'inviteeMoved', move: { ...move, value: 6n, at: 1000 } }),
    fact({ kind: 'clicksRecorded', code: 'a-code', owner: alice, minute: 0, count: 12 }),
    fact({ kind: 'rebatesSettled', day: 0, payouts, isDone: false }),
    fact({ kind: 'rebatesRejected', beneficiary: alice, source: null, day: 86_400_000, amounts: [] }),
    fact({ kind: 'universalTransferMade', transfer }),
    fact({ kind: 'universalTransferRepeated', transfer: { ...transfer, transfer: 5 } }),
  );
  const ofEntry = { at: 1000, seq: 1 };
  expect(await store.rows('inviteeMoves', { inviter: alice! }, always)).toEqual([{ ...move, value: 6n, ...ofEntry }]);
  const clicks = { owner: alice, at: 0, seq: 1, code: 'a-code', count: 12 };
  expect(await store.rows('inviteClicks', { owner: alice! }, always)).toEqual([clicks]);
  expect(await store.rows('rebatePayouts', { account: alice! }, always)).toEqual([
    { ...ofEntry, account: alice, day: 0, asset: 1, amount: 3n },
    { ...ofEntry, account: alice, day: 0, asset: 2, amount: 2n ** 62n },
  ]);
  expect(await store.rows('rebateRejections', { account: alice! }, always)).toEqual([
    { ...ofEntry, account: alice, day: 86_400_000, source: null },
  ]);
  expect(await store.rows('universalTransfers', { master: alice! }, always)).toEqual([{ ...transfer, seq: 1 }]);
});

test('nothing is kept for simulated accounts, nor what stands in history already', async () => {
  const mine = { inviter: robot, owner: robot, beneficiary: robot, master: robot };
  const tell = [
    accrued({ beneficiaries: [robot, robot, alice, robot], source: robot }),
    fact({ kind: 'inviteeMoved', move: { ...mine, move: 1, at: 1 } }),
    fact({ kind: 'clicksRecorded', ...mine, code: 'r-code', minute: 0, count: 1 }),
    fact({ kind: 'rebatesSettled', day: 0, payouts: [{ ...mine, asset: 1, amount: 1n }], isDone: true }),
    fact({ kind: 'rebatesRejected', ...mine, source: null, day: 0, amounts: [] }),
    fact({ kind: 'universalTransferMade', transfer: { ...mine, transfer: 1, at: 1 } }),
  ];
  await entry(1, ...tell);
  for (const kind of rebateKinds) expect(await rebatesOf(robot, kind)).toEqual([]);
  expect(await rebatesOf(alice)).toMatchObject([{ share: 'third', source: robot }]);
  expect(await store.rows('inviteeMoves', { inviter: robot! }, always)).toEqual([]);
  expect(await store.rows('inviteClicks', { owner: robot! }, always)).toEqual([]);
  expect(await store.rows('rebatePayouts', { account: robot! }, always)).toEqual([]);
  expect(await store.rows('rebateRejections', { account: robot! }, always)).toEqual([]);
  expect(await store.rows('universalTransfers', { master: robot! }, always)).toEqual([]);

  writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  await entry(1, accrued({ accrual: 10 }));
  expect(await rebatesOf(alice)).toHaveLength(1);
});
