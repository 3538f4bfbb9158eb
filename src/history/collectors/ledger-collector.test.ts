import { beforeEach, expect, test } from 'vitest';
import { type AccountView, futuresWalletOf, house, innerHouse, type PostingKind } from '#model/account.ts';
import type { EventSink } from '#model/events.ts';
import { type AccountId, as, type Seq, type TimestampMs } from '#model/units.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';
import { simulatedFutures, simulatedSpot } from '#history/tables/ledger-tables.ts';

const alice = as<AccountId>(4);
const robots = [as<AccountId>(6), as<AccountId>(7)] as const;
const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

let store: MemoryHistoryStore;
let writer: HistoryWriter;
const start = async (): Promise<void> => {
  writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  writer.knowAccounts(robots.map((account) => ({ account, simulated: true }) as unknown as AccountView));
};
beforeEach(async () => {
  store = new MemoryHistoryStore();
  await start();
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

/** A posting; `balance`: what the account has afterwards. */
interface Leg {
  readonly account: number;
  readonly free?: number | bigint;
  readonly held?: number | bigint;
  readonly why: PostingKind;
  readonly order?: number | null;
  readonly balance?: number | bigint;
  readonly asset?: number;
}
const posted =
  ({ account, asset = 2, free = 0, held = 0, why, order = null, balance = 0 }: Leg) =>
  (sink: EventSink): void =>
    sink.posted(as(account), as(asset), free, held, why, order as never, balance);
const linesOf = async (account: AccountId) => store.rows('ledgerLines', { account }, always);

test('DEC-WAL-68: postings that change what an account owns become exact ledger lines, holds do not', async () => {
  const large = 2n ** 61n;
  await entry(
    1,
    posted({ account: alice, free: large, why: 'deposit', balance: large }),
    posted({ account: alice, free: -5, held: 5, why: 'orderHold', balance: large }),
    posted({ account: alice, free: -large, held: large, why: 'orderHold', balance: large }),
    posted({ account: alice, free: large, held: -large - 1n, why: 'withdrawal', balance: large - 1n }),
    posted({ account: alice, why: 'fill', balance: large - 1n }),
    posted({ account: futuresWalletOf(alice), free: 3, why: 'contractTransfer', balance: 3 }),
    posted({ account: alice, held: Number.MIN_SAFE_INTEGER, why: 'fill', order: 77, balance: 4n }),
  );
  const ofEntry = { at: 1000, seq: 1, asset: 2, order: null, referenceKind: null, reference: null };
  const line = (number: number, change: bigint, balance: bigint, held = 0n) => ({
    ...ofEntry,
    ...{ account: alice, line: number, change, held, balance },
    free: change - held,
  });
  expect(await linesOf(alice)).toEqual([
    { ...line(0, large, large), why: 'deposit' },
    { ...line(1, -1n, large - 1n, -large - 1n), why: 'withdrawal' },
    { ...line(3, -(2n ** 53n) + 1n, 4n, -(2n ** 53n) + 1n), why: 'fill', order: 77 },
  ]);
  expect(await linesOf(futuresWalletOf(alice))).toMatchObject([{ line: 2, change: 3n, balance: 3n }]);
  await entry(2, posted({ account: alice, asset: 1, free: 1, why: 'deposit', balance: 1 }));
  expect((await linesOf(alice)).at(-1)).toMatchObject({ seq: 2, line: 0, balance: 1n });
});

test('DEC-WAL-68: what the house and the outside get of one entry is one line for each purpose', async () => {
  await entry(
    1,
    posted({ account: house.fees, free: 4, why: 'fee', order: 77, balance: 104 }),
    posted({ account: house.outside, free: -9, why: 'deposit', balance: -9 }),
    posted({ account: house.fees, free: 2, why: 'fee', order: 78, balance: 106 }),
    posted({ account: house.fees, asset: 3, free: 1, why: 'fee', order: 78, balance: 1 }),
    posted({ account: house.fees, free: -6, why: 'rebate', order: 78, balance: 100 }),
    posted({ account: house.fees, free: 1, why: 'fee', order: 78, balance: 101 }),
  );
  expect(await linesOf(house.fees)).toMatchObject([
    { line: 0, asset: 2, change: 6n, balance: 106n, why: 'fee', order: null },
    { line: 2, asset: 3, change: 1n, balance: 1n, why: 'fee', order: 78 },
    { line: 3, asset: 2, change: -6n, balance: 100n, why: 'rebate', order: 78 },
    { line: 4, asset: 2, change: 1n, balance: 101n, why: 'fee', order: 78 },
  ]);
  expect(await linesOf(house.outside)).toMatchObject([{ change: -9n, balance: -9n }]);
});

test('simulated accounts are one account, also after a restart', async () => {
  await entry(
    1,
    posted({ account: robots[0], free: 5, why: 'fill', balance: 5 }),
    posted({ account: robots[1], free: 2n ** 60n, why: 'fill', balance: 2n ** 60n }),
    posted({ account: futuresWalletOf(robots[0]), free: 7, why: 'fill', balance: 7 }),
    posted({ account: robots[0], free: -5, why: 'fee', balance: 0 }),
    posted({ account: robots[0], asset: 3, free: -9, why: 'fill', balance: 0 }),
    posted({ account: robots[1], asset: 3, held: 9, why: 'fill', balance: 9 }),
    posted({ account: alice, free: 1, why: 'fill', balance: 1 }),
  );
  for (const robot of robots) expect(await linesOf(robot)).toEqual([]);
  expect(await linesOf(simulatedSpot)).toMatchObject([{ line: 1, change: 2n ** 60n, balance: 2n ** 60n }]);
  expect(await linesOf(simulatedFutures)).toMatchObject([{ change: 7n, balance: 7n }]);
  await start();
  // It was heard already.
  await entry(1, posted({ account: robots[0], free: 5, why: 'fill', balance: 5 }));
  await entry(2, posted({ account: robots[1], free: 1, why: 'fee', balance: 1 }));
  expect((await linesOf(simulatedSpot)).at(-1)).toMatchObject({ seq: 2, change: 1n, balance: 2n ** 60n + 1n });
});

const references = async (account: AccountId) =>
  (await linesOf(account)).map(({ why, referenceKind, reference }) => [why, referenceKind, reference]);
const leg = (account: number, why: PostingKind, order: number | null = null) =>
  posted({ account, free: 1, why, order });

test('DEC-OPR-220: a line has the number of the fact that tells why, of postings before it alone', async () => {
  await entry(
    1,
    leg(alice, 'fee', 9),
    leg(alice, 'fill'),
    leg(alice, 'deposit'),
    leg(house.outside, 'deposit'),
    fact({ kind: 'depositChanged', deposit: { account: alice, deposit: 3, status: 'success' } }),
    leg(alice, 'deposit'),
    leg(house.outside, 'deposit'),
    fact({ kind: 'depositChanged', deposit: { account: alice, deposit: 4, status: 'success' } }),
    fact({ kind: 'depositChanged', deposit: { account: alice, deposit: 5, status: 'pending' } }),
    leg(alice, 'deposit'),
  );
  expect(await references(alice)).toEqual([
    ['fee', null, null],
    ['fill', null, null],
    ['deposit', 'deposit', 3],
    ['deposit', 'deposit', 4],
    ['deposit', null, null],
  ]);
  expect(await references(house.outside)).toEqual([
    ['deposit', 'deposit', 3],
    ['deposit', 'deposit', 4],
  ]);
});

test.each<[string, object, readonly PostingKind[]]>([
  ['deposit', { kind: 'depositLost', deposit: { deposit: 8, account: alice, status: 'lost' } }, ['chainLoss']],
  [
    'withdrawal',
    { kind: 'withdrawalChanged', withdrawal: { withdrawal: 8, account: alice } },
    ['withdrawal', 'withdrawalFee', 'networkFee'],
  ],
  ['transfer', { kind: 'fundsTransferred', transfer: { transfer: 8, account: alice } }, ['contractTransfer']],
  ['universalTransfer', { kind: 'universalTransferMade', transfer: { transfer: 8 } }, ['transfer', 'contractTransfer']],
  ['send', { kind: 'fundsSent', send: { send: 8, from: alice, to: 5 } }, ['transfer']],
  ['conversion', { kind: 'dustConverted', conversion: { conversion: 8, account: alice, assets: [] } }, ['dust', 'fee']],
  ['adjustment', { kind: 'balanceAdjusted', adjustment: { adjustment: 8 } }, ['adjustment', 'capital', 'revenue']],
])('DEC-OPR-220: a %s is told by its lines', async (kind, told, whys) => {
  await entry(
    1,
    leg(alice, 'insurance'),
    ...whys.flatMap((why) => [leg(alice, why), leg(innerHouse.gas, why)]),
    fact(told),
  );
  expect(await references(alice)).toEqual([['insurance', null, null], ...whys.map((why) => [why, kind, 8])]);
  expect(await references(innerHouse.gas)).toEqual(whys.map((why) => [why, kind, 8]));
});
