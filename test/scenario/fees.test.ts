import { describe, expect, test } from 'vitest';
import { house } from '#model/account.ts';
import type { AssetId, Lots } from '#model/units.ts';
import { as } from '#model/units.ts';
import { balancesOf, houseBalance } from '#engine/queries/engine-queries.ts';
import { parseOrder, TradingStory } from './trading-story.ts';

const freeOf = (story: TradingStory, name: string, asset: number): bigint =>
  balancesOf(story.engine.state, story.account(name)).find((row) => row.asset === asset)?.free ?? 0n;
const feesOf = (story: TradingStory, asset: number): bigint =>
  houseBalance(story.engine.state, house.fees, as<AssetId>(asset));

describe('DEC-ORD-15: commission', () => {
  test('E06: each side pays in what it receives, at its own rate, and the house gets all of it', () => {
    const story = new TradingStory();
    story.relist({ makerFeePpm: 1000, takerFeePpm: 2000 });
    story.tell(`
      bob   sell limit 1 @ 100       => new
      alice buy limit 1 @ 100        => filled: 1@100
      alice BTC                      => 10.998
      bob   USDT                     => 10099.9
      house BTC                      => 0.002
      house USDT                     => 0.1
      carol buy limit 1 @ 100        => new
      dave  sell limit 1 @ 100       => filled: 1@100
      dave  USDT                     => 10099.8
      carol BTC                      => 10.999
    `);
  });

  test('DEC-OPR-168: an account may have rates of its own, which are never above those of the pair', () => {
    const story = new TradingStory();
    story.relist({ makerFeePpm: 1000, takerFeePpm: 20_000 });
    const set = (makerFeePpm: number | null, takerFeePpm: number | null) =>
      story.run({
        kind: 'setTradingRules',
        account: story.account('alice'),
        makerFeePpm,
        takerFeePpm,
        openOrdersMax: 500,
      });
    set(0, 10_000);
    story.tell(`
      bob   sell limit 1 @ 100       => new
      alice buy limit 1 @ 100        => filled: 1@100
      alice BTC                      => 10.99
      alice sell limit 1 @ 100       => new
      bob   buy limit 1 @ 100        => filled: 1@100
      alice USDT                     => 10000
      alice sell limit 1 @ 100       => new
    `);
    set(1001, 20_001);
    story.tell(`
      bob   buy limit 1 @ 100        => filled: 1@100
      alice USDT                     => 10099.9
      bob   sell limit 1 @ 100       => new
      alice buy limit 1 @ 100        => filled: 1@100
      alice BTC                      => 9.97
    `);
    set(null, 0);
    story.relist({ makerFeePpm: 0, takerFeePpm: 0 });
    story.tell(`
      bob   sell limit 1 @ 100       => new
      alice buy limit 1 @ 100        => filled: 1@100
      alice BTC                      => 10.97
    `);
  });

  test('a commission is rounded up: a fill of the smallest size still pays one unit', () => {
    const story = new TradingStory();
    story.relist({ makerFeePpm: 1, takerFeePpm: 1 });
    story.tell(`
      bob   sell limit 0.0001 @ 0.01   => new
      alice buy limit 0.0001 @ 0.01    => filled: 0.0001@0.01
      house BTC                        => 0.00000001
      house USDT                       => 0.00000001
    `);
  });

  test('DEC-ORD-03, E17: many small fills pay no less than one of their total, and nothing disappears', () => {
    const fills = 100_000;
    const totals = [1, fills].map((parts) => {
      const story = new TradingStory();
      story.relist({ makerFeePpm: 777, takerFeePpm: 1333 });
      const lots = fills / parts;
      const terms = { ...parseOrder(['buy', 'limit', '1', '@', '3.33']), quantity: as<Lots>(lots) };
      for (let part = 0; part < parts; part += 1) {
        story.run({ kind: 'placeOrder', account: story.account('bob'), order: { ...terms, side: 'sell' } });
        story.run({ kind: 'placeOrder', account: story.account('alice'), order: terms });
      }
      const [btc, usdt] = [0, 1].map(
        (asset) => freeOf(story, 'alice', asset) + freeOf(story, 'bob', asset) + feesOf(story, asset),
      );
      expect([btc, usdt]).toEqual([20n * 10n ** 8n, 20_000n * 10n ** 8n]);
      return { btc: feesOf(story, 0), usdt: feesOf(story, 1) };
    });
    expect(totals[1]!.btc).toBeGreaterThanOrEqual(totals[0]!.btc);
    expect(totals[1]!.usdt).toBeGreaterThanOrEqual(totals[0]!.usdt);
  });

  test('DEC-ORD-16: with deduction on, commission is paid in the platform token at a discount, valued at last prices', () => {
    const story = new TradingStory();
    story.run({ kind: 'configureFeeToken', token: as(2), valuedIn: as(1), discountPpm: 200_000 });
    story.setReferencePrice(2, 3n);
    story.tell(`
      carol gets 100 TKN                           =>
      carol sell limit 1 @ 2 on TKNUSDT            => new
      dave buy limit 1 @ 2 on TKNUSDT              => filled: 1@2
      alice gets 1 TKN                             =>
      bob sell limit 1 @ 100                       => new
    `);
    story.relist({ makerFeePpm: 0, takerFeePpm: 1000 });
    story.run({ kind: 'setFeeDeduction', account: story.account('alice'), enabled: true });
    story.tell(`
      -- no price of BTC yet: in the asset received
      alice buy limit 0.5 @ 100                    => filled: 0.5@100
      alice BTC                                    => 10.4995
      -- 0.0005 BTC at 100 USDT, at 2 USDT a token, less a fifth
      alice buy limit 0.5 @ 100                    => filled: 0.5@100
      alice BTC                                    => 10.9995
      alice TKN                                    => 0.98
      house TKN                                    => 0.02
    `);
    story.relist({ makerFeePpm: 0, takerFeePpm: 10_000 });
    story.tell(`
      -- too little token for this one: back to the asset received
      bob sell limit 9 @ 100                       => new
      alice buy limit 9 @ 100                      => filled: 9@100
      alice BTC                                    => 19.9095
      alice TKN                                    => 0.98
    `);
  });
});
