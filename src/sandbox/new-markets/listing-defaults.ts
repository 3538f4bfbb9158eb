import { createHash } from 'node:crypto';
import type { AssetListing, AssetRules } from '#model/asset.ts';
import type { ContractListing } from '#model/contract.ts';
import { orderKinds } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { Balance, Lots, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';

/*
 * What a coin, a pair and a contract are listed with where nobody says: from the worth of the coin in US dollars, so
 * that ticks are fine, lots are worth cents, and orders up to some million dollars fit. DEC-KIT-54, DEC-KIT-55.
 */

/** Worth of all coins that may exist. */
const capUsd = 1e10;
const scaleMost = 8;
/** Digits of a price. */
const priceDigits = 5;
const lotUsd = 0.1;
const orderUsd = { least: 1, most: 2_000_000 } as const;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
/** Decimals in which a price has so many digits. */
const decimalsFor = (price: number, digits: number): number => digits - 1 - Math.floor(Math.log10(price));

/** A coin that is worth so much. */
export function newAsset(code: string, fullName: string, usd: number): AssetListing {
  const coins = 10n ** BigInt(clamp(Math.ceil(Math.log10(capUsd / usd)), 4, 17));
  // Balances are below 2^62.
  const scale = clamp(18 - String(coins).length + 1, 0, scaleMost);
  const coinId = createHash('sha256').update(`bourse/coin/${code}`).digest('hex').slice(0, 32);
  return { code, fullName, scale, cap: as<Balance>(coins * 10n ** BigInt(scale)), coinId };
}

/** A pair to list, by its assets and its price. */
export interface PairToList {
  readonly base: AssetRules;
  readonly quote: AssetRules;
  /** Of a whole base coin in the quote coin. */
  readonly price: number;
  readonly baseUsd: number;
  readonly fullName: string;
}

/** A pair that is open. */
export function newPair({ base, quote, price, baseUsd, fullName }: PairToList): SymbolListing {
  const priceDecimals = clamp(decimalsFor(price, priceDigits), 0, quote.scale);
  const lotDecimals = Math.ceil(Math.log10(baseUsd / lotUsd));
  const quantityDecimals = clamp(lotDecimals, 0, Math.min(base.scale, quote.scale - priceDecimals));
  const inQuote = (usd: number): Quanta => {
    const amount = Math.round((usd / (baseUsd / price)) * 10 ** quote.scale);
    return as<Quanta>(clamp(amount, 1, Number.MAX_SAFE_INTEGER));
  };
  const [least, most] = [inQuote(orderUsd.least), inQuote(orderUsd.most)];
  return {
    ...{ name: `${base.code}${quote.code}`, base: base.id, quote: quote.id, priceDecimals, quantityDecimals },
    ...{ status: 'online', openAt: null, tradeSideType: 'all', orderKinds, apiTradingAllowed: true },
    ...{ minLots: as<Lots>(1), minNotional: least, minNotionalMarket: least },
    ...{ maxNotional: most, maxNotionalMarket: most, makerFeePpm: 0, takerFeePpm: 500 },
    ...{ bidMultiplierUpPpm: 1_200_000, askMultiplierDownPpm: 800_000, collarPpm: 50_000 },
    ...{ fullName, contractAddress: '', specialTreatment: false },
  };
}

/** Worth of one contract, about. */
const contractUsd = 5;
const contractsMost = 4_500_000;
/** Greatest position in US dollars, maintenance and initial margin in parts per million. */
const tiers = [
  [100_000, 5_000, 10_000],
  [500_000, 10_000, 20_000],
  [1_500_000, 20_000, 50_000],
] as const;

/** A contract that is open. `settle` counts as a dollar. */
export function newContract(
  base: AssetRules,
  settle: Pick<AssetRules, 'id' | 'code' | 'scale'>,
  usd: number,
): ContractListing {
  const power = Math.floor(Math.log10(contractUsd / usd));
  const sizeDecimals = clamp(-power, 0, settle.scale);
  const size = power > 0 ? 10 ** power : 1;
  const priceDecimals = clamp(decimalsFor(usd, priceDigits), 0, Math.min(8, settle.scale - sizeDecimals));
  const worth = (size / 10 ** sizeDecimals) * usd;
  const tierOf = (maxLots: number, maintenancePpm: number, initialPpm: number) => ({
    maxLots: as<Lots>(maxLots),
    ...{ maintenancePpm, initialPpm, maxLeverage: 1_000_000 / initialPpm },
  });
  return {
    ...{ name: `${base.code}_${settle.code}`, base: base.id, settle: settle.id },
    ...{ size, sizeDecimals, priceDecimals, state: 'enabled' },
    ...{ minLots: as<Lots>(1), maxLots: as<Lots>(contractsMost), makerFeePpm: 100, takerFeePpm: 400 },
    ...{ bidLimitPpm: 100_000, askLimitPpm: 100_000, collarPpm: 50_000, fairLimitPpm: 10_000 },
    ...{ minFundingPpm: -1_800, maxFundingPpm: 1_800, fundingHours: 8, liquidationFeePpm: 400 },
    tiers: [
      ...tiers.map(([most, maintenance, initial]) => tierOf(Math.floor(most / worth), maintenance, initial)),
      tierOf(contractsMost, 50_000, 100_000),
    ],
  };
}

/** What a new coin may be worth, in US dollars: below, ticks would be coarse, above, amounts could not be counted. */
export const usdBounds = { least: 1e-6, most: 1e6 } as const;
