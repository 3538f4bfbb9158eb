import { expect, test } from 'vitest';
import type { FeeTier } from '#model/fee-tier.ts';
import { type AccountId, as, type Balance } from '#model/units.ts';
import { rebateDayMs } from '#model/rebate.ts';
import { feeRatesOf } from '#engine/queries/engine-queries.ts';
import { assignDueFeeTiers } from '#jobs/assign-fee-tiers.ts';
import { feeTierQueries } from '#sequencer/queries/fee-tier-queries.ts';
import { coin, coinUsd, RebateDesk, takerPpm, token, usd } from './rebate-desk.ts';

const tier = (volume: number | null, tokens: bigint | null, takerFeePpm: number): FeeTier => ({
  volume: volume === null ? null : as<Balance>(BigInt(volume)),
  tokens: tokens === null ? null : { asset: token, amount: as<Balance>(tokens) },
  makerFeePpm: 0,
  takerFeePpm,
});

/** A desk with tiers, of people without tokens. */
function deskWith(tiers: readonly FeeTier[]): RebateDesk {
  const desk = new RebateDesk();
  desk.run({ kind: 'configureFeeToken', token, valuedIn: usd, discountPpm: 0 });
  expect(set(desk, tiers)).toBe('feeTiersSet');
  return desk;
}
const set = (desk: RebateDesk, tiers: readonly FeeTier[] | null): string =>
  desk.say({ kind: 'setFeeTiers', table: tiers === null ? null : { valuedIn: usd, tiers } });
/** The next midnight, and the job that follows it. */
async function passMidnight(desk: RebateDesk, days = 1): Promise<void> {
  desk.at = desk.today + days * rebateDayMs;
  await assign(desk);
}
const assign = (desk: RebateDesk): Promise<void> =>
  assignDueFeeTiers(
    {
      ingress: { submit: async (command) => ({ events: desk.run(command) }) as never },
      queries: { feeTiers: feeTierQueries(desk.engine) },
    },
    as(desk.at),
  );
const rate = (desk: RebateDesk, account: AccountId): number => feeRatesOf(desk.engine.state, account, coinUsd).takerPpm;

test('DEC-OPR-211, DEC-OPR-213: volume of 30 days leads to a tier from the next midnight on, and out of it again', async () => {
  const desk = deskWith([tier(1000, null, 50_000), tier(3000, null, 10_000)]);
  const alice = desk.open('alice');
  desk.buy(alice, 1000);
  expect(rate(desk, alice)).toBe(takerPpm);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(50_000);
  desk.buy(alice, 1999);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(50_000);
  desk.buy(alice, 1);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(10_000);
  await passMidnight(desk, 27);
  expect(rate(desk, alice)).toBe(10_000);
  // Thirty days after the first trade its day still counts, a day later no more.
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(50_000);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(takerPpm);
  await passMidnight(desk);
  expect(desk.engine.state.tradeVolumes.count).toBe(0);
});

test('DEC-OPR-211: tokens that are there at midnight lead to a tier, wherever they go afterwards', async () => {
  const plenty = 2n ** 56n;
  const desk = deskWith([tier(null, plenty + 500n, 20_000)]);
  const [alice, bob] = [desk.open('alice'), desk.open('bob')];
  desk.run({ kind: 'creditFunds', account: alice, asset: token, amount: as(500n) });
  desk.at = desk.today + rebateDayMs;
  desk.run({ kind: 'advanceClock' });
  // Handed on before the job came to either of them.
  const send = { kind: 'sendFunds', account: alice, asset: token, amount: as<Balance>(500n) } as const;
  const target = String(desk.engine.state.accounts.get(bob)!.uid);
  expect(desk.say({ ...send, targetKind: 'uid', target, clientTranId: null })).toBe('fundsSent');
  expect(desk.free(bob, token)).toBe(plenty + 500n);
  await assign(desk);
  expect([rate(desk, alice), rate(desk, bob)]).toEqual([20_000, takerPpm]);
});

test('DEC-OPR-212: sub-accounts count for their master and have its tier; a wash counts once, a trade with oneself never', async () => {
  const desk = deskWith([tier(1000, null, 50_000)]);
  const alice = desk.open('alice');
  const sub = desk.openSubAccount(alice, 'aliceDesk');
  const [bob, carol] = [desk.open('bob'), desk.open('carol')];
  const [dave] = [desk.open('dave')];
  const ofDave = desk.openSubAccount(dave, 'davesDesk');
  desk.buy(sub, 600);
  desk.buy(alice, 400);
  desk.buy(bob, 5000, { seller: bob });
  desk.buy(dave, 500, { seller: ofDave });
  desk.buy(ofDave, 499, { seller: dave });
  await passMidnight(desk);
  expect([alice, sub, bob, carol, dave].map((account) => rate(desk, account))).toEqual([
    ...[50_000, 50_000, takerPpm, takerPpm, takerPpm],
  ]);
});

test('DEC-OPR-214: own commissions go first, no tier makes a pair dearer, and rebates come from what was paid', async () => {
  const desk = deskWith([tier(1000, null, 150_000), tier(2000, null, 40_000)]);
  const inviter = desk.open('inviter');
  const alice = desk.open('alice', inviter);
  desk.buy(alice, 1000);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(takerPpm);
  desk.buy(alice, 1000);
  await passMidnight(desk);
  const [accrual] = desk.buy(alice, 100);
  expect(accrual!.commission).toBe(4);
  const own = { kind: 'setTradingRules', account: alice, makerFeePpm: null, openOrdersMax: 500 } as const;
  desk.run({ ...own, takerFeePpm: 60_000 });
  expect(rate(desk, alice)).toBe(60_000);
  desk.run({ ...own, takerFeePpm: null });
  expect(rate(desk, alice)).toBe(40_000);
});

test('DEC-OPR-213: a day that was begun goes on after a restart, in entries of bounded size', async () => {
  const desk = deskWith([tier(10, null, 50_000)]);
  const people = ['ann', 'ben', 'cid', 'dan'].map((name) => desk.open(name));
  for (const account of people) desk.buy(account, 10);
  desk.at = desk.today + rebateDayMs;
  const day = desk.today;
  desk.run({ kind: 'advanceClock' });
  desk.run({ kind: 'assignFeeTiers', day, count: 3 });
  expect(people.map((account) => rate(desk, account))).toEqual([50_000, 50_000, takerPpm, takerPpm]);
  desk.restore();
  for (const refused of [0, 1001, 1.5])
    expect(desk.say({ kind: 'assignFeeTiers', day, count: refused })).toBe('invalidConfiguration');
  expect(desk.say({ kind: 'assignFeeTiers', day: as(day + 1), count: 9 })).toBe('wrongState');
  await assign(desk);
  expect(people.map((account) => rate(desk, account))).toEqual(people.map(() => 50_000));
  expect(desk.say({ kind: 'assignFeeTiers', day, count: 9 })).toBe('wrongState');
  expect(desk.replayed().digest()).toBe(desk.engine.digest());
});

test('DEC-OPR-210: another table holds from the next midnight on, none at once', async () => {
  const desk = deskWith([tier(10, null, 50_000)]);
  const alice = desk.open('alice');
  desk.buy(alice, 10);
  await passMidnight(desk);
  set(desk, [tier(10, null, 30_000)]);
  expect(rate(desk, alice)).toBe(50_000);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(30_000);
  expect(set(desk, null)).toBe('feeTiersSet');
  expect(rate(desk, alice)).toBe(takerPpm);
  await passMidnight(desk);
  expect(desk.engine.state.tradeVolumes.count).toBe(0);
  set(desk, [tier(10, null, 30_000)]);
  await passMidnight(desk);
  expect(rate(desk, alice)).toBe(takerPpm);
});

test.each([
  ['neither way', [tier(null, null, 1)]],
  ['volume that falls', [tier(10, null, 5), tier(10, null, 4)]],
  ['tokens that fall', [tier(1, 10n, 5), tier(2, 9n, 4)]],
  ['no tokens', [tier(1, 0n, 5)]],
  ['a higher commission', [tier(1, null, 4), tier(2, null, 5)]],
  ['a commission above all', [tier(1, null, 1_000_001)]],
  ['tokens of another asset', [{ ...tier(1, null, 4), tokens: { asset: coin, amount: as<Balance>(5n) } }]],
  ['too many', Array.from({ length: 21 }, (_, index) => tier(index, null, 5))],
])('DEC-OPR-210: tiers with %s are refused', (_why, tiers) => {
  const desk = new RebateDesk();
  desk.run({ kind: 'configureFeeToken', token, valuedIn: usd, discountPpm: 0 });
  const before = desk.engine.digest();
  expect(set(desk, tiers)).toBe('invalidConfiguration');
  expect(desk.engine.digest()).toBe(before);
});
