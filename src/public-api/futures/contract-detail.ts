import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { contract } from '#public-api/futures/contract-endpoints.ts';
import { contractStates, type RiskTier } from '#model/contract.ts';
import { engineLimits } from '#model/limits.ts';
import { formatDecimal } from '#base/decimal.ts';
import { exact, type ExactNumber, type WithExact } from '#public-api/spot/exact-json.ts';
import type { ListedContract } from '#market-data/symbol-directory.ts';

type ContractDetail = WithExact<z.input<typeof contract>>;

const rateOf = (ppm: number): ExactNumber => exact(ppm, 6);

/** Lasting id of a contract: 32 hex digits that follow from its name. DEC-FUT-107. */
const vidOf = (name: string): string => createHash('sha256').update(`contract ${name}`).digest('hex').slice(0, 32);

/** Steps, in ticks, that a display may merge levels by. */
const depthSteps = [1, 10, 100, 1000];

const tierOf = ({ maxLots, maintenancePpm, initialPpm, maxLeverage }: RiskTier, index: number) => ({
  level: index + 1,
  maxVol: maxLots,
  mmr: rateOf(maintenancePpm),
  imr: rateOf(initialPpm),
  maxLeverage,
});

/** Tiers of risk: they are listed one by one, so the increments are 0. DEC-FUT-08. */
function riskOf({ rules: { tiers } }: ListedContract) {
  const last = tiers.at(-1)?.maxLots ?? 0;
  return {
    riskBaseVol: last,
    riskIncrVol: 0,
    riskLongShortSwitch: 0,
    riskBaseVolLong: last,
    riskIncrVolLong: 0,
    riskBaseVolShort: last,
    riskIncrVolShort: 0,
    riskIncrMmr: 0,
    riskIncrImr: 0,
    riskLevelLimit: tiers.length,
    riskLimitType: 'BY_VOLUME',
    riskLimitMode: 'CUSTOM',
    riskLimitCustom: tiers.map(tierOf),
  } as const;
}

function marginOf({ rules }: ListedContract) {
  const [first] = rules.tiers;
  return {
    minLeverage: 1,
    maxLeverage: Math.max(1, ...rules.tiers.map(({ maxLeverage }) => maxLeverage)),
    takerFeeRate: rateOf(rules.takerFeePpm),
    makerFeeRate: rateOf(rules.makerFeePpm),
    maintenanceMarginRate: rateOf(first?.maintenancePpm ?? 0),
    initialMarginRate: rateOf(first?.initialPpm ?? 0),
    liquidationFeeRate: rateOf(rules.liquidationFeePpm),
  };
}

function scalesOf({ rules, settle }: ListedContract) {
  return {
    contractSize: exact(rules.size, rules.sizeDecimals),
    priceScale: rules.priceDecimals,
    volScale: 0,
    amountScale: settle.scale,
    priceUnit: exact(1, rules.priceDecimals),
    volUnit: 1,
    minVol: rules.minLots,
    maxVol: rules.maxLots,
    limitMaxVol: rules.maxLots,
    bidLimitPriceRate: rateOf(rules.bidLimitPpm),
    askLimitPriceRate: rateOf(rules.askLimitPpm),
    marketOrderMaxLevel: 0,
    marketOrderPriceLimitRate1: rateOf(rules.collarPpm),
    marketOrderPriceLimitRate2: rateOf(rules.collarPpm),
    depthStepList: depthSteps.map((step) => formatDecimal(step, rules.priceDecimals)),
  };
}

/** Fields of features that this exchange does not have. DEC-FUT-36. */
const withoutFeature = {
  countryConfigContractMaxLeverage: 0,
  conceptPlate: [],
  conceptPlateId: [],
  isNew: false,
  isHot: false,
  isHidden: false,
  triggerProtect: 0,
  priceCoefficientVariation: 0,
  appraisal: 0,
  showAppraisalCountdown: 0,
  automaticDelivery: 0,
  threshold: 0,
  baseCoinIconUrl: '',
  openingTime: 0,
  openingCountdownOption: 3,
  showBeforeOpen: false,
  isMaxLeverage: false,
  feeRateMode: 'NORMAL',
  leverageFeeRates: [],
  tieredFeeRates: [],
  tieredDealAmount: 0,
  tieredEffectiveDay: 0,
  tieredAppointContract: false,
  tieredExcludeContractId: false,
  tieredContractIds: [],
  tieredExcludeZeroFee: false,
  stopOnlyFair: false,
  statisticType: 'ROLLING',
  fixedStartTime: 0,
  fixedEndTime: 0,
} as const;

/** A contract as clients see it. SPEC-FUT-04, SPEC-FUT-05, SPEC-FUT-17. */
export function contractDetail(listed: ListedContract, indexOrigin: readonly string[]): ContractDetail {
  const { rules, base, settle } = listed;
  const isFree = rules.makerFeePpm === 0 && rules.takerFeePpm === 0;
  const title = `${rules.name} PERPETUAL`;
  return {
    ...withoutFeature,
    symbol: rules.name,
    displayName: title,
    displayNameEn: title,
    positionOpenType: 3,
    baseCoin: base.code,
    quoteCoin: settle.code,
    settleCoin: settle.code,
    baseCoinName: base.code,
    quoteCoinName: settle.code,
    baseCoinId: base.coinId,
    futureType: 1,
    ...scalesOf(listed),
    ...marginOf(listed),
    ...riskOf(listed),
    indexOrigin: [...indexOrigin],
    state: contractStates.indexOf(rules.state),
    // Contracts are traded by other ways than keys of this API.
    apiAllowed: false,
    maxNumOrders: [engineLimits.openOrdersPerAccount, engineLimits.openOrdersPerAccount],
    type: rules.state === 'enabled' ? 1 : 2,
    id: rules.id,
    vid: vidOf(rules.name),
    createTime: rules.createdAt,
    isZeroFeeRate: isFree,
    isZeroFeeSymbol: isFree,
  };
}
