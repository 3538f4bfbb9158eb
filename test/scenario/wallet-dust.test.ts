import { describe, expect, test } from 'vitest';
import { errors, publicError } from '#http/errors.ts';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import type { Event } from '#model/event-record.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { assets, openRules, people, WalletHarness } from './wallet-harness.ts';

const { USDT, TKN, BTC, DOG, NIL } = assets;
const day = 86_400_000;

/** A BTC is worth 2 USDT, a TKN half of one, a DOG nobody knows what. The house has 100 TKN to pay with. */
function market(rules = openRules): WalletHarness {
  const harness = new WalletHarness(rules);
  harness.price('BTC', 20_000);
  harness.price('TKN', 5000);
  harness.give(innerHouse.dust, TKN, 1_000_000n);
  return harness;
}

const convert = (harness: WalletHarness, ...asked: AssetId[]): Event[] =>
  harness.run({ kind: 'convertDust', account: people.alice, assets: asked });

/** What became of each asset: how much was converted, or why not. */
function outcome(events: readonly Event[]): string {
  const fact = events.at(-1)!;
  if (fact.kind !== 'dustConverted') return fact.kind === 'commandRefused' ? fact.reason : fact.kind;
  const done = fact.conversion?.assets.map(({ asset, converted, fee }) => `${asset}: ${converted} less ${fee}`) ?? [];
  return [...done, ...fact.refused.map(({ asset, reason }) => `${asset}: ${reason}`)].join(', ');
}

describe('SPEC-WAL-17: converting dust', () => {
  test('DEC-WAL-35, DEC-WAL-36: the house buys the dust, pays in the token, and takes its fee of the gross', () => {
    const harness = market();
    harness.give(people.alice, BTC, 10_001n);
    const events = convert(harness, BTC);
    // 1.0001 BTC at 2 USDT are 4.0004 TKN at half a USDT; 0.2 % of them are 0.0080008, rounded up.
    const leg = (account: AccountId, asset: AssetId, [free, balance]: readonly [number, number], why: string) => {
      const rest = { held: 0, why, order: null, balance };
      return { kind: 'posted', account, asset, free, ...rest };
    };
    const amounts = { amount: 10_001n, converted: 39_923n, fee: 81n };
    expect(events).toEqual([
      leg(people.alice, BTC, [-10_001, 0], 'dust'),
      leg(innerHouse.dust, BTC, [10_001, 10_001], 'dust'),
      leg(innerHouse.dust, TKN, [-39_923, 960_077], 'dust'),
      leg(people.alice, TKN, [39_923, 39_923], 'dust'),
      leg(innerHouse.dust, TKN, [-81, 959_996], 'fee'),
      leg(house.fees, TKN, [81, 81], 'fee'),
      {
        kind: 'dustConverted',
        conversion: { conversion: 1, account: people.alice, at: harness.at, assets: [{ asset: BTC, ...amounts }] },
        refused: [],
      },
    ]);
  });

  type Given = (harness: WalletHarness) => void;
  const give =
    (asset: AssetId, amount: bigint): Given =>
    (harness) =>
      harness.give(people.alice, asset, amount);
  const refusals: readonly (readonly [string, AssetId, Given, RejectReason, number])[] = [
    ['F11: the platform token', TKN, give(TKN, 5n), 'notConvertible', 10_100],
    ['what the wallet is valued in', USDT, give(USDT, 5n), 'notConvertible', 10_100],
    ['an asset without a pair', NIL, give(NIL, 5n), 'notConvertible', 10_100],
    ['an asset without a price', DOG, give(DOG, 5n), 'notConvertible', 10_100],
    ['F11: an asset worth 5 USDT', BTC, give(BTC, 25_000n), 'notConvertible', 10_100],
    ['F11: an asset that nobody knows', as(77), () => {}, 'unknownAsset', 10_232],
    ['an asset below all numbers', as(-1), () => {}, 'unknownAsset', 10_232],
    ['what one does not have', BTC, () => {}, 'nothingLeft', 10_097],
    [
      'an asset of a pair that is paused',
      BTC,
      (harness) => {
        harness.give(people.alice, BTC, 10n);
        harness.relist('BTC', { status: 'paused' });
      },
      'notConvertible',
      10_100,
    ],
    [
      'any asset while the pair of the token is offline',
      BTC,
      (harness) => {
        harness.give(people.alice, BTC, 10n);
        harness.relist('TKN', { status: 'offline' });
      },
      'notConvertible',
      10_100,
    ],
    [
      'what the fee takes whole',
      BTC,
      (harness) => {
        harness.price('TKN', 20_000);
        harness.give(people.alice, BTC, 1n);
      },
      'nothingLeft',
      10_097,
    ],
    [
      'what is worth less than a unit of the token',
      BTC,
      (harness) => {
        harness.price('TKN', 20_001);
        harness.give(people.alice, BTC, 1n);
      },
      'nothingLeft',
      10_097,
    ],
    [
      'more than the house has',
      BTC,
      (harness) => {
        harness.give(people.alice, BTC, 20_000n);
        harness.price('TKN', 399);
      },
      'houseHasTooLittle',
      10_101,
    ],
  ];
  test.for(refusals)('DEC-WAL-07: %s is told as not converted, and nothing moves', ([, asset, given, reason, code]) => {
    const harness = market();
    given(harness);
    expect(convert(harness, asset)).toEqual([
      { kind: 'dustConverted', conversion: null, refused: [{ asset, reason }] },
    ]);
    expect(errors[publicError[reason]].code).toBe(code);
  });

  test('DEC-WAL-07: one unit below 5 USDT is dust', () => {
    const harness = market();
    harness.give(people.alice, BTC, 24_999n);
    expect(outcome(convert(harness, BTC))).toBe(`${BTC}: 99796 less 200`);
  });

  test('F12: what an order holds stays where it is', () => {
    const harness = market();
    harness.give(people.alice, BTC, 10_003n);
    const terms = {
      symbol: as<never>(1 as never),
      side: 'sell',
      kind: 'limit',
      price: as<never>(20_000 as never),
    } as const;
    const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    harness.run({ kind: 'placeOrder', account: people.alice, order: { ...terms, ...rest } });
    expect(convert(harness, BTC).at(-1)).toMatchObject({ conversion: { assets: [{ amount: 3n }] } });
  });

  test('F11: an asset that is named twice is converted once; those that cannot be do not stop the others', () => {
    const harness = market();
    harness.give(people.alice, BTC, 10_000n);
    harness.give(people.alice, NIL, 7n);
    expect(outcome(convert(harness, NIL, BTC, BTC, as(77), NIL))).toBe(
      `${BTC}: 39920 less 80, ${NIL}: notConvertible, 77: unknownAsset`,
    );
    expect(harness.free(people.alice, TKN)).toBe(39_920n);
  });

  test('SPEC-WAL-17: 15 assets are converted in one call, 16 and none are refused', () => {
    const harness = market();
    const ids = (count: number) => Array.from({ length: count }, (_, index) => as<AssetId>(100 + index));
    expect(outcome(convert(harness, ...ids(15)))).toContain('114: unknownAsset');
    expect(outcome(convert(harness, ...ids(16)))).toBe('invalidConfiguration');
    expect(outcome(convert(harness))).toBe('invalidConfiguration');
    expect(outcome(convert(harness, ...ids(15), ...ids(15)))).toContain('114: unknownAsset');
  });

  test('DEC-WAL-65: what exceeds the worth of a call is left, and smaller assets behind it are converted', () => {
    const harness = market({ ...openRules, dustCallMax: as<Balance>(50_000n) });
    harness.price('DOG', 30_001);
    const given = () => {
      harness.give(people.alice, BTC, 10_000n);
      harness.give(people.alice, DOG, 1n);
    };
    given();
    expect(outcome(convert(harness, BTC, DOG))).toBe(`${BTC}: 39920 less 80, ${DOG}: tooMuchDust`);
    expect(errors[publicError.tooMuchDust].code).toBe(10_097);
    harness.give(people.alice, BTC, 10_000n);
    expect(outcome(convert(harness, DOG, BTC))).toBe(`${DOG}: 59881 less 121, ${BTC}: tooMuchDust`);
    harness.price('DOG', 30_000);
    harness.give(people.alice, DOG, 1n);
    expect(outcome(convert(harness, DOG, BTC))).toBe(`${DOG}: 59880 less 120, ${BTC}: 39920 less 80`);
  });

  test('DEC-WAL-36: the last unit of the house is paid, and an empty house refuses one asset and not the next', () => {
    const harness = new WalletHarness();
    harness.price('BTC', 20_000);
    harness.price('DOG', 10_000);
    harness.price('TKN', 5000);
    harness.give(innerHouse.dust, TKN, 39_999n);
    harness.give(people.alice, BTC, 10_000n);
    harness.give(people.alice, DOG, 1n);
    expect(outcome(convert(harness, BTC, DOG))).toBe(`${DOG}: 19960 less 40, ${BTC}: houseHasTooLittle`);
    harness.give(innerHouse.dust, TKN, 20_001n);
    expect(outcome(convert(harness, BTC))).toBe(`${BTC}: 39920 less 80`);
    expect(harness.free(innerHouse.dust, TKN)).toBe(0n);
  });

  test('DEC-WAL-07: ten conversions in any 24 hours; calls that convert nothing do not count', () => {
    const harness = market();
    const start = harness.at;
    for (let index = 0; index < 10; index += 1) {
      harness.at = start + index * 1000;
      expect(outcome(convert(harness, NIL))).toBe(`${NIL}: notConvertible`);
      harness.give(people.alice, BTC, 100n);
      expect(outcome(convert(harness, BTC))).toBe(`${BTC}: 399 less 1`);
    }
    harness.give(people.alice, BTC, 100n);
    harness.restore();
    harness.at = start + day - 1;
    expect(convert(harness, BTC)).toEqual([{ kind: 'commandRefused', reason: 'tooManyConversions' }]);
    expect(errors[publicError.tooManyConversions].code).toBe(26);
    harness.at = start + day;
    expect(convert(harness, BTC).at(-1)).toMatchObject({ conversion: { conversion: 11 } });
    harness.give(people.alice, BTC, 100n);
    expect(outcome(convert(harness, BTC))).toBe('tooManyConversions');
    harness.at += 1000;
    expect(convert(harness, BTC).at(-1)).toMatchObject({ conversion: { conversion: 12 } });
  });

  test('an account that is frozen, or none at all, converts nothing; nobody does without rules or a token', () => {
    const harness = market();
    harness.give(people.alice, BTC, 100n);
    harness.run({ kind: 'setAccountStatus', account: people.alice, status: 'frozen' });
    expect(outcome(convert(harness, BTC))).toBe('accountNotUsable');
    for (const account of [house.fees, innerHouse.dust, futuresWalletOf(people.bob), as<AccountId>(99)])
      expect(harness.say({ kind: 'convertDust', account, assets: [BTC] })).toBe('unknownAccount');
    expect(outcome(convert(new WalletHarness(null), BTC))).toBe('walletNotConfigured');
    expect(outcome(convert(new WalletHarness(openRules, false), BTC))).toBe('walletNotConfigured');
  });
});

describe('SPEC-WAL-16: what could be converted', () => {
  test('DEC-WAL-64: every asset with something free but the token, with what it gives or why it does not', async () => {
    const harness = market();
    for (const [asset, amount] of [
      [USDT, 9n],
      [TKN, 8n],
      [BTC, 10_001n],
      [NIL, 7n],
    ] as const)
      harness.give(people.alice, asset, amount);
    const nothing = { value: 0n, converted: 0n, fee: 0n, refusal: 'notConvertible' };
    expect(await harness.questions.dust(people.alice)).toEqual([
      { asset: USDT, amount: 9n, ...nothing },
      { asset: BTC, amount: 10_001n, value: 20_002n, converted: 39_923n, fee: 81n, refusal: null },
      { asset: NIL, amount: 7n, ...nothing },
    ]);
    expect(await harness.questions.dust(as(99))).toEqual([]);
    expect(await new WalletHarness(openRules, false).questions.dust(people.alice)).toEqual([]);
  });
});
