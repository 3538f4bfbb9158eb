import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { house, innerHouse } from '#model/account.ts';
import { noopSink } from '#model/event-record.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ConversionView, ConvertedAsset } from '#model/wallet.ts';
import { audit } from '#engine/image/audit.ts';
import type { Fraction } from '../oracle/fraction.ts';
import { dividedBy, isAtMost, ofPpm, roundedDown, roundedUp, times, whole } from '../oracle/fraction.ts';
import { assets, openRules, people, WalletHarness } from '../scenario/wallet-harness.ts';

const { TKN, BTC, DOG } = assets;
const pairs = ['BTC', 'DOG'] as const;

/** What a call is about, with prices in ten thousandths of a USDT for a whole asset. */
interface Case {
  readonly ticks: Readonly<Record<'TKN' | 'BTC' | 'DOG', number>>;
  readonly owned: Readonly<Record<'BTC' | 'DOG', bigint>>;
  readonly below: bigint;
  readonly callMax: bigint;
  readonly feePpm: number;
  readonly houseHas: bigint;
}

/** Worth of a unit in ten thousandths of a USDT: BTC and TKN have four decimals, DOG has none. */
const unitWorth = ({ ticks }: Case, name: 'TKN' | 'BTC' | 'DOG'): Fraction =>
  name === 'DOG' ? whole(BigInt(ticks.DOG)) : { over: BigInt(ticks[name]), under: 10_000n };

/** The rules of dust in fractions: what is converted, in the order of the pairs, and what token the house has left. */
function expected(given: Case): { readonly done: readonly ConvertedAsset[]; readonly houseLeft: bigint } {
  const done: ConvertedAsset[] = [];
  let houseLeft = given.houseHas;
  let worthLeft = given.callMax;
  for (const name of pairs) {
    const worth = times(whole(given.owned[name]), unitWorth(given, name));
    const gross = roundedDown(dividedBy(worth, unitWorth(given, 'TKN')));
    const fee = roundedUp(times(whole(gross), ofPpm(given.feePpm)));
    const isDust = !isAtMost(whole(given.below), worth) && gross > fee;
    if (!isDust || gross > houseLeft || roundedDown(worth) > worthLeft) continue;
    houseLeft -= gross;
    worthLeft -= roundedDown(worth);
    const amounts = { amount: given.owned[name], converted: gross - fee, fee } as Omit<ConvertedAsset, 'asset'>;
    done.push({ asset: assets[name], ...amounts });
  }
  return { done, houseLeft };
}

function rulesOf({ below, callMax, feePpm }: Case) {
  return { ...openRules, dustBelow: as<Balance>(below), dustCallMax: as<Balance>(callMax), dustFeePpm: feePpm };
}

function played(given: Case): { harness: WalletHarness; conversion: ConversionView | null } {
  const harness = new WalletHarness(rulesOf(given));
  for (const name of ['TKN', 'BTC', 'DOG'] as const) harness.setPrice(name, given.ticks[name]);
  for (const name of pairs) if (given.owned[name] > 0n) harness.give(people.alice, assets[name], given.owned[name]);
  if (given.houseHas > 0n) harness.give(innerHouse.dust, TKN, given.houseHas);
  const events = harness.run({ kind: 'convertDust', account: people.alice, assets: [BTC, DOG] });
  const fact = events.at(-1)!;
  if (fact.kind !== 'dustConverted') throw new Error(`a call was answered by ${fact.kind}`);
  return { harness, conversion: fact.conversion };
}

describe('DEC-WAL-35: dust against a model of exact fractions', () => {
  test('I1, I2: what is converted, for how much and at which fee is what the fractions say, whatever the terms', () => {
    const chance = createPrng(35);
    const pick = <Value>(values: readonly Value[]): Value => values[chance.below(values.length)] as Value;
    const anyTicks = () => pick([1, 2, 3, 7, 10_000, 1 + chance.below(100), 1 + chance.below(1_000_000)]);
    let conversions = 0;
    for (let round = 0; round < 300; round += 1) {
      const given: Case = {
        ticks: { TKN: anyTicks(), BTC: anyTicks(), DOG: anyTicks() },
        owned: { BTC: BigInt(chance.below(pick([3, 1000, 1_000_000]))), DOG: BigInt(chance.below(pick([2, 9, 2000]))) },
        below: pick([50_000n, 50_000n, 1n, 10n ** 9n]),
        callMax: pick([500_000n, 60_000n, 10n ** 10n]),
        feePpm: pick([2000, 2000, 2000, 0, 1, 999_999, 1_000_000, chance.below(1_000_001)]),
        houseHas: BigInt(pick([0, chance.below(100_000), 10 ** 12, 10 ** 12, 10 ** 12, 10 ** 12])),
      };
      const { harness, conversion } = played(given);
      const { done, houseLeft } = expected(given);
      expect({ given, done: conversion?.assets ?? [] }).toEqual({ given, done });
      expect(harness.free(innerHouse.dust, TKN)).toBe(houseLeft);
      const paid = done.reduce((sum, { converted }) => sum + converted, 0n);
      expect(harness.free(people.alice, TKN)).toBe(paid);
      expect(harness.free(house.fees, TKN)).toBe(done.reduce((sum, { fee }) => sum + fee, 0n));
      for (const name of pairs) {
        const isDone = done.some(({ asset }) => asset === assets[name]);
        expect(harness.free(people.alice, assets[name])).toBe(isDone ? 0n : given.owned[name]);
      }
      if (done.length > 0) conversions += 1;
    }
    expect(conversions).toBeGreaterThan(80);
  });
});

describe('DEC-WAL-35: small pieces', () => {
  const cases: readonly (readonly [string, 'BTC' | 'DOG', number, number, number])[] = [
    ['of which each is worth 600.9 units of the token', 'BTC', 6009, 10, 2000],
    ['without a fee, and each worth two units of the token less a hair', 'BTC', 19_999, 10_000, 0],
    ['of whole units, each worth a third of a token', 'DOG', 3333, 10_000, 2000],
    ['of which each is worth exactly one unit of the token', 'BTC', 7, 7, 2000],
  ];
  test.for(cases)(
    '10,000 conversions of one unit gain nobody anything: units %s',
    ([, name, ticks, tokenTicks, feePpm]) => {
      const harness = new WalletHarness({ ...openRules, dustFeePpm: feePpm });
      harness.setPrice(name, ticks);
      harness.setPrice('TKN', tokenTicks);
      harness.give(innerHouse.dust, TKN, 10n ** 12n);
      const { engine } = harness;
      let { at } = harness;
      const apply = (command: Parameters<WalletHarness['run']>[0]): void =>
        engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, noopSink);
      const asset: AssetId = assets[name];
      const terms: Case = {
        ticks: { TKN: tokenTicks, BTC: ticks, DOG: ticks },
        owned: { BTC: 0n, DOG: 0n },
        below: 50_000n,
        callMax: 500_000n,
        feePpm,
        houseHas: 10n ** 12n,
      };
      let owned = 0n;
      let wanted = 0n;
      for (let index = 0; index < 10_000; index += 1) {
        at += 8_640_000;
        apply({ kind: 'creditFunds', account: people.alice, asset, amount: as<Balance>(1n) });
        apply({ kind: 'convertDust', account: people.alice, assets: [asset] });
        const [done] = expected({ ...terms, owned: { ...terms.owned, [name]: owned + 1n } }).done;
        owned = done === undefined ? owned + 1n : 0n;
        wanted += done?.converted ?? 0n;
      }
      expect(audit(engine.state)).toEqual([]);
      const got = harness.free(people.alice, TKN);
      expect([got, harness.free(people.alice, asset)]).toEqual([wanted, owned]);
      const given = 10_000n - owned;
      const worthGiven = times(whole(given), unitWorth(terms, name));
      expect(isAtMost(times(whole(got), unitWorth(terms, 'TKN')), worthGiven)).toBe(true);
      expect(harness.free(innerHouse.dust, asset)).toBe(given);
    },
  );
});
