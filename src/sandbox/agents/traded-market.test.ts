import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { marketOf, settlePerTickLot } from '#model/contract-market.ts';
import type { ContractRules, MarkView } from '#model/contract.ts';
import type { AccountId, AssetId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { contractHoldings } from '#sandbox/agents/holdings.ts';
import { assetProfiles, marketProfile } from '#sandbox/agents/market-profile.ts';
import { createParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { tradedMarkets } from '#sandbox/agents/traded-market.ts';
import { contractListing, demoContracts } from '#sandbox/contract-listing.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { futuresWalletOf } from '#model/account.ts';

const idOf = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));
const assets = demoAssets.map((asset, index) => ({ ...asset, id: as<AssetId>(index), isDelisted: false }));
const contracts: readonly ContractRules[] = demoContracts.map((contract, index) => ({
  ...contractListing(contract, idOf),
  id: as<SymbolId>(100 + index),
  createdAt: as(0),
}));

function market() {
  const values = createFairValues(assetProfiles, createPrng(1));
  const listing = { assets, symbols: [], contracts, isTradingOpen: true, feeToken: null };
  const traded = tradedMarkets(listing, values, { of: ({ name }) => marketProfile(name) }).contracts;
  return { values, traded, btc: traded[0]! };
}
const markOf = (index: number, fair: number): MarkView => ({
  contract: contracts[0]!.id,
  index: index * 1e8,
  fair: fair * 1e8,
  fundingRate: 0,
  predictedRate: 0,
  nextFundingAt: as(0),
  openInterest: 0,
  fund: as<Balance>(0n),
  at: as(0),
});

describe('a contract for agents', () => {
  test('is worth in dollars what the exchange counts: size, tick and lots agree', () => {
    for (const [index, contract] of market().traded.entries()) {
      const rules = contracts[index]!;
      expect(contract.rules).toEqual(marketOf(rules));
      expect(contract.notional(1, 1)).toBe(settlePerTickLot(rules, assets[rules.settle]!.scale));
      const price = Math.round(contract.fairTicks());
      const lots = contract.lotsWorth(100_000, price);
      expect(contract.notional(price, lots) / 1e9 / 100_000).toBeCloseTo(1, 2);
      expect(contract.usdOfLots(lots) / 100_000).toBeCloseTo(1, 2);
    }
  });

  test('is quoted at the fair value of its coin while there is no index', () => {
    const { btc, values } = market();
    expect(btc.fairTicks()).toBeCloseTo(values.of('BTC').usd * 10, 4);
    btc.heed(markOf(0, 0), true);
    expect(btc.fairTicks()).toBeCloseTo(values.of('BTC').usd * 10, 4);
  });

  test('then follows the index, wherever that is, half of the premium, and what is known since', () => {
    const { btc, values } = market();
    // Half way from 60,000 to 60,120 is 60,060: 600,600 ticks.
    btc.heed(markOf(60_000, 60_120), true);
    expect(btc.fairTicks()).toBeCloseTo(600_600, 3);
    values.pull('BTC', Math.log(1.01));
    expect(btc.fairTicks()).toBeCloseTo(606_606, 3);
  });

  test('takes over no more than 2 % of a premium, and of late news the premium only', () => {
    const { btc, values } = market();
    btc.heed(markOf(60_000, 70_000), true);
    expect(btc.fairTicks()).toBeCloseTo(612_000, 3);
    btc.heed(markOf(60_000, 60_120), false);
    expect(btc.fairTicks()).toBeCloseTo(values.of('BTC').usd * 10 * 1.001, 3);
  });

  test('orders of both sides share the margin that is free in the futures wallet', () => {
    const { btc } = market();
    const account = as<AccountId>(7);
    const fold = createParticipantFold([account], assets.length, { onTrade: () => {}, onFact: () => {} });
    fold.sink.posted(futuresWalletOf(account), btc.rules.quote, 1_000 * 1e9, 0, 'transfer', as(0), 0);
    const holdings = contractHoldings(btc, fold, { account, leverage: 5 });
    const thousand = 1_000 * 1e9;
    // 95 % of 1,000 at 5 times is 4,750 of notional.
    const half = holdings.coverage({ buyNotional: 4.75 * thousand, sellNotional: 4.75 * thousand, sellLots: 1 });
    expect([half.buy, half.sell].map((each) => each.toFixed(6))).toEqual(['0.500000', '0.500000']);
    expect(holdings.coverage({ buyNotional: thousand, sellNotional: thousand, sellLots: 1 })).toEqual({
      buy: 1,
      sell: 1,
    });
    expect(btc.usdOfLots(holdings.payableLots('sell'))).toBeCloseTo(5_000, 3);
    expect(holdings.inventoryUsd()).toBe(0);
  });
});
