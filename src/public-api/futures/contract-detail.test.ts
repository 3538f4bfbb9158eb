import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '#public-api/futures/contract-endpoints.ts';
import type { AssetRules } from '#model/asset.ts';
import { contractStates, type ContractRules, type ContractState } from '#model/contract.ts';
import { marketOf } from '#model/contract-market.ts';
import type { AssetId, Balance, Lots, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { contractDetail } from '#public-api/futures/contract-detail.ts';
import { exactAnswer } from '#public-api/spot/exact-json.ts';
import type { ListedContract } from '#market-data/symbol-directory.ts';

const coin = (id: number, code: string, scale: number): AssetRules => ({
  id: as<AssetId>(id),
  code,
  fullName: code,
  scale,
  cap: as<Balance>(10n ** 18n),
  coinId: `${id}`.repeat(32),
  isDelisted: false,
});

const base = coin(1, 'BTC', 8);
const settle = coin(0, 'USDT', 9);
const rulesOf = (state: ContractState): ContractRules => ({
  id: as<SymbolId>(7),
  name: 'BTC_USDT',
  base: as<AssetId>(1),
  settle: as<AssetId>(0),
  size: 1,
  sizeDecimals: 4,
  priceDecimals: 1,
  state,
  minLots: as<Lots>(1),
  maxLots: as<Lots>(4_500_000),
  makerFeePpm: 100,
  takerFeePpm: 400,
  fairLimitPpm: 10_000,
  bidLimitPpm: 100_000,
  askLimitPpm: 100_000,
  collarPpm: 50_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  fundingHours: 8,
  liquidationFeePpm: 400,
  tiers: [
    { maxLots: as<Lots>(50_000), maintenancePpm: 1000, initialPpm: 2000, maxLeverage: 500 },
    { maxLots: as<Lots>(4_500_000), maintenancePpm: 50_000, initialPpm: 100_000, maxLeverage: 10 },
  ],
  createdAt: as<TimestampMs>(1_600_000_000_000),
});
const listed = (state: ContractState): ListedContract => {
  const rules = rulesOf(state);
  return { rules, base, settle, market: { rules: marketOf(rules), base, quote: settle } };
};
const detail = (state: ContractState) =>
  z
    .strictObject(contract.shape)
    .parse(JSON.parse(exactAnswer('futuresContracts', contractDetail(listed(state), ['BOURSE'])).text));

test('SPEC-FUT-04, SPEC-FUT-17, DEC-FUT-08, DEC-FUT-36: a contract has every field, in numbers of its scales', () => {
  expect(detail('enabled')).toMatchObject({
    symbol: 'BTC_USDT',
    displayNameEn: 'BTC_USDT PERPETUAL',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    settleCoin: 'USDT',
    contractSize: 0.0001,
    minLeverage: 1,
    maxLeverage: 500,
    priceScale: 1,
    priceUnit: 0.1,
    volScale: 0,
    volUnit: 1,
    minVol: 1,
    maxVol: 4_500_000,
    bidLimitPriceRate: 0.1,
    askLimitPriceRate: 0.1,
    takerFeeRate: 0.0004,
    makerFeeRate: 0.0001,
    liquidationFeeRate: 0.0004,
    maintenanceMarginRate: 0.001,
    initialMarginRate: 0.002,
    riskIncrVol: 0,
    riskLevelLimit: 2,
    riskLimitMode: 'CUSTOM',
    riskLimitCustom: [
      { level: 1, maxVol: 50_000, mmr: 0.001, imr: 0.002, maxLeverage: 500 },
      { level: 2, maxVol: 4_500_000, mmr: 0.05, imr: 0.1, maxLeverage: 10 },
    ],
    indexOrigin: ['BOURSE'],
    depthStepList: ['0.1', '1', '10', '100'],
    id: 7,
    baseCoinId: '1'.repeat(32),
    createTime: 1_600_000_000_000,
    type: 1,
  });
});

test('SPEC-FUT-05: states count from 0, and only an enabled contract is of type 1', () => {
  const shown = contractStates.map((state) => [state, detail(state).state, detail(state).type]);
  expect(shown).toEqual([
    ['enabled', 0, 1],
    ['delivery', 1, 2],
    ['delivered', 2, 2],
    ['offline', 3, 2],
    ['paused', 4, 2],
  ]);
});

test('DEC-FUT-107: vid is 32 hex digits, of a contract always the same', () => {
  expect(detail('enabled').vid).toMatch(/^[0-9a-f]{32}$/);
  expect(detail('paused').vid).toBe(detail('enabled').vid);
});
