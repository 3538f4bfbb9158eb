import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Moment } from '#sandbox/agents/agent.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { pairHoldings } from '#sandbox/agents/holdings.ts';
import type { MakerPlan } from '#sandbox/agents/ladder-maker.ts';
import { createLadderMaker } from '#sandbox/agents/ladder-maker.ts';
import { assetProfiles, marketProfile } from '#sandbox/agents/market-profile.ts';
import { createParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { createTradedPair } from '#sandbox/agents/traded-market.ts';
import { demoAssets, demoPairs, symbolListing } from '#sandbox/listing.ts';

const account = as<AccountId>(7);
const idOf = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));
const assets = demoAssets.map((asset, index) => ({ ...asset, id: as<AssetId>(index), isDelisted: false }));
const plan: MakerPlan = {
  shape: { hasBest: true, spacingTicks: 500, gapTicks: 100, zones: [{ cells: 40, stride: 1 }], salt: 5, reach: 0.4 },
  levelUsd: 10_000,
  growthPerCell: 0.02,
  intervalMs: 100,
  placeMax: 1_000,
  thinning: 0.9,
  skewHalfSpreads: 2,
};
const live: Moment = { now: 1_000, elapsedMs: 100, pace: 'live', whole: true };

/** A maker on BTCUSDT that owns `usdt` and `btc` whole coins, and what it places first. */
function maker(usdt: number, btc: number) {
  const values = createFairValues(assetProfiles, createPrng(1));
  const listing = demoPairs[0] as (typeof demoPairs)[number];
  const rules = { ...symbolListing(listing, idOf), id: as<SymbolId>(0) };
  const profile = marketProfile(listing.name)!;
  const [quote, base] = assets as [(typeof assets)[number], (typeof assets)[number]];
  const pair = createTradedPair({ rules, base, quote, profile, values });
  const fold = createParticipantFold([account], assets.length, { onTrade: () => {}, onFact: () => {} });
  fold.sink.posted(account, quote.id, usdt * 1e9, 0, 'deposit', as(0), 0);
  fold.sink.posted(account, base.id, btc * 1e8, 0, 'deposit', as(0), 0);
  const holdings = pairHoldings(pair, fold, { account, fundedBase: btc * 1e8 });
  const agent = createLadderMaker(plan, { account, market: pair, fold, prng: createPrng(2), holdings });
  const placed = (commands: readonly Command[]) =>
    commands.flatMap((command) => (command.kind === 'requote' ? command.place : []));
  const first = placed(agent.act(live));
  const worth = (side: 'buy' | 'sell'): number =>
    first
      .filter((order) => order.side === side)
      .reduce(
        (sum, order) =>
          sum + (side === 'buy' ? pair.notional(order.price ?? 0, order.quantity ?? 0) : (order.quantity ?? 0) * 100),
        0,
      );
  return { agent, pair, values, fold, first, worth, placed };
}

describe('a market maker', () => {
  test('quotes both sides around the fair price, every order inside the rules', () => {
    const { first, pair } = maker(100_000_000, 1_000);
    const fair = pair.fairTicks();
    expect(first.length).toBeGreaterThan(60);
    for (const order of first) {
      const [price, lots] = [order.price ?? 0, order.quantity ?? 0];
      expect(Number.isSafeInteger(price) && Number.isSafeInteger(lots)).toBe(true);
      expect(order.side === 'buy' ? price < fair : price > fair).toBe(true);
      expect(lots).toBeGreaterThanOrEqual(pair.rules.minLots);
      expect(pair.notional(price, lots)).toBeGreaterThanOrEqual(pair.rules.minNotional);
      expect(pair.notional(price, lots)).toBeLessThanOrEqual(pair.rules.maxNotional);
    }
    const best = (side: 'buy' | 'sell') =>
      first.filter((order) => order.side === side).map((order) => order.price ?? 0);
    expect((Math.min(...best('sell')) - Math.max(...best('buy'))) / fair).toBeLessThan(0.0001);
  });

  test('short of money it quotes less, with nothing it quotes nothing on that side', () => {
    const poor = maker(20_000, 1_000);
    expect(poor.worth('buy')).toBeLessThanOrEqual(20_000 * 1e9);
    expect(poor.worth('buy')).toBeGreaterThan(0);
    expect(poor.worth('sell')).toBeGreaterThan(3 * 1e8);
    const broke = maker(0, 0.5);
    expect(broke.first.some((order) => order.side === 'buy')).toBe(false);
    expect(broke.worth('sell')).toBeLessThanOrEqual(0.5 * 1e8);
  });

  test('with too much of the asset it leans down, with too little up', () => {
    const { agent, pair, fold } = maker(100_000_000, 1_000);
    const before = pair.quotedMid;
    fold.sink.posted(account, pair.base.id, 500 * 1e8, 0, 'fill', as(0), 0);
    agent.act({ ...live, now: 2_000 });
    expect(pair.quotedMid).toBeLessThan(before);
    fold.sink.posted(account, pair.base.id, -1_200 * 1e8, 0, 'fill', as(0), 0);
    agent.act({ ...live, now: 3_000 });
    expect(pair.quotedMid).toBeGreaterThan(before);
  });

  test('acts no more often than its interval while the fair price stays between its quotes', () => {
    const { agent, values } = maker(100_000_000, 1_000);
    values.pull('BTC', 0.000_006);
    expect(agent.act({ ...live, now: 1_050, whole: false })).toEqual([]);
    expect(agent.act({ ...live, now: 1_100, whole: false })).toHaveLength(1);
  });

  test('moves at once when the fair price leaves its quotes', () => {
    const { agent, values } = maker(100_000_000, 1_000);
    values.pull('BTC', 0.01);
    expect(agent.act({ ...live, now: 1_050, whole: false })).toHaveLength(1);
    expect(agent.act({ ...live, now: 1_060, whole: false })).toEqual([]);
  });

  test('goes on after a clock was set back', () => {
    const { agent, values } = maker(100_000_000, 1_000);
    values.pull('BTC', 0.01);
    expect(agent.act({ ...live, now: -3_600_000, whole: false })).toHaveLength(1);
  });
});
