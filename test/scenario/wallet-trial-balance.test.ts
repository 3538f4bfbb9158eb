import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { innerHouse } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { TrialBalance } from '#sequencer/queries/wallet-queries.ts';
import { assets, openRules, people, uidOf, WalletHarness } from './wallet-harness.ts';

const { USDT, TKN, BTC, NIL } = assets;
const day = 86_400_000;

const sumOf = ({ users, futures, house }: TrialBalance): bigint =>
  house.reduce((sum, { balance }) => sum + balance, users + futures);

test('I1, DEC-WAL-50: a trial balance names who owns what, grants included, and sums to zero', async () => {
  const harness = new WalletHarness();
  harness.give(people.alice, USDT, 100n);
  harness.give(innerHouse.dust, USDT, 7n);
  const amount = as<Balance>(30n);
  const transfer = { account: people.alice, from: 'spot', to: 'futures', asset: USDT, amount } as const;
  expect(harness.say({ kind: 'transferFunds', ...transfer, clientTranId: null })).toBe('fundsTransferred');
  const held = { symbol: as<never>(0 as never), side: 'buy', kind: 'limit', price: as<never>(5 as never) } as const;
  const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
  harness.run({ kind: 'placeOrder', account: people.alice, order: { ...held, ...rest } });
  const [ofUsdt, ...others] = await harness.questions.trialBalance();
  const house = [
    { name: 'grants', balance: -107n },
    { name: 'dust', balance: 7n },
  ];
  expect(ofUsdt).toEqual({ asset: USDT, users: 70n, futures: 30n, house });
  expect(others).toEqual([TKN, BTC, 3, NIL].map((asset) => ({ asset, users: 0n, futures: 0n, house: [] })));
});

test('I1, I2: a busy mix of transfers, sends, dust and trades leaves every trial balance at zero', async () => {
  const harness = new WalletHarness({ ...openRules, transferable: [USDT, BTC] });
  const chance = createPrng(61);
  const pick = <Value>(values: readonly Value[]): Value => values[chance.below(values.length)] as Value;
  const owners = Object.values(people);
  const ids = Object.values(assets);
  for (const [base, ticks] of [
    ['BTC', 20_000],
    ['TKN', 5000],
    ['DOG', 9000],
  ] as const)
    harness.price(base, ticks);
  const told = new Map<string, number>();
  const anyAmount = () => as<Balance>(BigInt(chance.below(pick([3, 1000, 100_000]))));
  let sent: Command | null = null;
  const makers: readonly (() => Command)[] = [
    () => ({
      kind: 'creditFunds',
      account: pick<AccountId>([...owners, innerHouse.dust]),
      asset: pick(ids),
      amount: anyAmount(),
    }),
    () => {
      if (sent !== null && chance.below(3) === 0) return sent;
      const [from, to] = pick([['spot', 'futures'] as const, ['futures', 'spot'] as const]);
      const clientTranId = pick([null, `id${chance.below(50)}`]);
      const terms = { account: pick(owners), from, to, asset: pick([USDT, BTC]), amount: anyAmount() };
      sent = { kind: 'transferFunds', ...terms, clientTranId };
      return sent;
    },
    () => {
      const target = uidOf(pick(['alice', 'bob', 'carol', 'child'] as const));
      return {
        kind: 'sendFunds',
        account: pick(owners),
        targetKind: 'uid',
        target,
        asset: pick(ids),
        amount: anyAmount(),
        clientTranId: pick([null, 'a'.repeat(32), 'b'.repeat(32)]),
      };
    },
    () => ({
      kind: 'convertDust',
      account: pick(owners),
      assets: ids.filter(() => chance.below(2) === 0) as AssetId[],
    }),
    () => {
      const side = pick(['buy', 'sell'] as const);
      const price = as<never>((5000 + chance.below(3)) as never);
      const terms = { symbol: as<never>(chance.below(3) as never), side, kind: 'limit', price } as const;
      const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
      return { kind: 'placeOrder', account: pick(owners), order: { ...terms, ...rest } };
    },
  ];
  for (let round = 0; round < 2000; round += 1) {
    if (chance.below(5) === 0) harness.at += chance.below(day / 8);
    const word = harness.say(pick(makers)());
    told.set(word, (told.get(word) ?? 0) + 1);
    if (round % 50 > 0) continue;
    for (const balance of await harness.questions.trialBalance()) expect(sumOf(balance)).toBe(0n);
  }
  for (const wanted of ['fundsTransferred', 'transferRepeated', 'fundsSent', 'notEnoughFunds', 'dustConverted'])
    expect([wanted, (told.get(wanted) ?? 0) > 20]).toEqual([wanted, true]);
});
