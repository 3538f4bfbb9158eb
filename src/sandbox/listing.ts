import { createHash } from 'node:crypto';
import { powersOfTen } from '#base/decimal.ts';
import type { AssetListing } from '#model/asset.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { orderKinds } from '#model/order.ts';
import type { AssetId, Balance, Lots, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';

/*
 * The demo market as data: what is listed and under which rules. How lively each pair trades stands in
 * `agents/market-profile.ts`; who trades, in `demo-accounts.ts`; the commands that list all this, in `demo-market.ts`.
 * Every number obeys DEC-ORD-01 and DEC-ORD-02; the test beside this file proves it.
 */

interface DemoAsset {
  readonly code: string;
  readonly fullName: string;
  readonly scale: number;
  /** Whole coins that may exist here. */
  readonly capCoins: bigint;
  readonly coinId?: string;
  readonly contractAddress?: string;
}

const assets: readonly DemoAsset[] = [
  { code: 'USDT', fullName: 'Tether', scale: 9, capCoins: 4_600_000_000n, coinId: '128f589271cb4951b03e71e6323eb7be' },
  { code: 'BTC', fullName: 'Bitcoin', scale: 8, capCoins: 21_000_000n },
  { code: 'ETH', fullName: 'Ethereum', scale: 9, capCoins: 130_000_000n },
  { code: 'SOL', fullName: 'Solana', scale: 9, capCoins: 700_000_000n },
  { code: 'XRP', fullName: 'XRP', scale: 6, capCoins: 100_000_000_000n },
  { code: 'DOGE', fullName: 'Dogecoin', scale: 6, capCoins: 200_000_000_000n },
  { code: 'SVC', fullName: 'Service Token', scale: 8, capCoins: 1_000_000_000n },
  {
    code: 'SHIB',
    fullName: 'Shiba Inu',
    scale: 2,
    capCoins: 589_000_000_000_000n,
    contractAddress: '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce',
  },
  { code: 'LTC', fullName: 'Litecoin', scale: 8, capCoins: 84_000_000n },
  { code: 'BNB', fullName: 'BNB', scale: 8, capCoins: 200_000_000n },
  { code: 'TRX', fullName: 'TRON', scale: 6, capCoins: 100_000_000_000n },
  {
    code: 'USDC',
    fullName: 'USD Coin',
    scale: 6,
    capCoins: 60_000_000_000n,
    contractAddress: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  },
];

/** The rules of a pair in whole coins, as a person would write them; units are made when it is listed. */
export interface DemoPair {
  readonly name: string;
  readonly base: string;
  readonly quote: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Smallest quantity in quantity steps. */
  readonly minLots: number;
  /** Bounds of one order's notional in smallest units of the quote asset. */
  readonly minNotional: number;
  readonly maxNotional: number;
  readonly maxNotionalMarket: number;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
}

const usdt = 1e9;
const inUsdt = { quote: 'USDT', minNotional: usdt, makerFeePpm: 0, takerFeePpm: 500 } as const;
const major = { ...inUsdt, maxNotional: 4_000_000 * usdt, maxNotionalMarket: 4_000_000 * usdt } as const;
const minor = { ...inUsdt, maxNotional: 2_000_000 * usdt, maxNotionalMarket: 1_000_000 * usdt } as const;
const inBtc = {
  quote: 'BTC',
  minNotional: 1_000,
  maxNotional: 40e8,
  maxNotionalMarket: 20e8,
  makerFeePpm: 0,
  takerFeePpm: 500,
} as const;
const inEth = {
  quote: 'ETH',
  minNotional: 300_000,
  maxNotional: 1_000e9,
  maxNotionalMarket: 500e9,
  makerFeePpm: 0,
  takerFeePpm: 500,
} as const;

/** Every pair of the demo market, most traded first. */
export const demoPairs: readonly DemoPair[] = [
  { ...major, name: 'BTCUSDT', base: 'BTC', priceDecimals: 2, quantityDecimals: 6, minLots: 1 },
  { ...major, name: 'ETHUSDT', base: 'ETH', priceDecimals: 2, quantityDecimals: 5, minLots: 1 },
  { ...major, name: 'SOLUSDT', base: 'SOL', priceDecimals: 2, quantityDecimals: 4, minLots: 10 },
  { ...major, name: 'XRPUSDT', base: 'XRP', priceDecimals: 4, quantityDecimals: 2, minLots: 10 },
  { ...minor, name: 'DOGEUSDT', base: 'DOGE', priceDecimals: 5, quantityDecimals: 1, minLots: 10 },
  { ...minor, name: 'SVCUSDT', base: 'SVC', priceDecimals: 4, quantityDecimals: 2, minLots: 10, takerFeePpm: 200 },
  { ...inBtc, name: 'ETHBTC', base: 'ETH', priceDecimals: 5, quantityDecimals: 3, minLots: 1 },
  {
    ...minor,
    name: 'SHIBUSDT',
    base: 'SHIB',
    priceDecimals: 9,
    quantityDecimals: 0,
    minLots: 1,
    makerFeePpm: 200,
    takerFeePpm: 1_000,
  },
  { ...minor, name: 'LTCUSDT', base: 'LTC', priceDecimals: 2, quantityDecimals: 4, minLots: 10 },
  { ...minor, name: 'BNBUSDT', base: 'BNB', priceDecimals: 2, quantityDecimals: 4, minLots: 10 },
  { ...minor, name: 'TRXUSDT', base: 'TRX', priceDecimals: 5, quantityDecimals: 1, minLots: 10 },
  { ...minor, name: 'USDCUSDT', base: 'USDC', priceDecimals: 4, quantityDecimals: 2, minLots: 100, takerFeePpm: 0 },
  { ...inEth, name: 'SOLETH', base: 'SOL', priceDecimals: 5, quantityDecimals: 3, minLots: 1, takerFeePpm: 1_000 },
  { ...inBtc, name: 'XRPBTC', base: 'XRP', priceDecimals: 8, quantityDecimals: 0, minLots: 1, takerFeePpm: 1_000 },
];

/** The platform token: pays commission at a discount, valued in `valuedIn`. DEC-ORD-16. */
export const demoFeeToken = { token: 'SVC', valuedIn: 'USDT', discountPpm: 200_000 } as const;

const coinIdOf = (code: string): string =>
  createHash('sha256').update(`bourse/coin/${code}`).digest('hex').slice(0, 32);

/** Every asset of the demo market, in the order in which it is configured. */
export const demoAssets: readonly AssetListing[] = assets.map((asset) => ({
  code: asset.code,
  fullName: asset.fullName,
  scale: asset.scale,
  cap: as<Balance>(asset.capCoins * (powersOfTen[asset.scale] as bigint)),
  coinId: asset.coinId ?? coinIdOf(asset.code),
}));

/** Amount of whole coins in the asset's smallest unit; parts below it are cut. */
export function coins(code: string, amount: number): Balance {
  const asset = demoAssets.find((listed) => listed.code === code);
  if (asset === undefined) throw new RangeError(`the demo market lists no ${code}`);
  const micro = BigInt(Math.floor(amount * 1e6));
  return as<Balance>((micro * (powersOfTen[asset.scale] as bigint)) / 1_000_000n);
}

/** The rules of a pair in the engine's units; `assetId` maps the ticker to the id the engine gave it. */
export function symbolListing(pair: DemoPair, assetId: (code: string) => AssetId): SymbolListing {
  const base = assets.find((asset) => asset.code === pair.base);
  if (base === undefined) throw new RangeError(`the demo market lists no ${pair.base}`);
  return {
    name: pair.name,
    base: assetId(pair.base),
    quote: assetId(pair.quote),
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    status: 'online',
    openAt: null,
    tradeSideType: 'all',
    orderKinds,
    apiTradingAllowed: true,
    minLots: as<Lots>(pair.minLots),
    minNotional: as<Quanta>(pair.minNotional),
    minNotionalMarket: as<Quanta>(pair.minNotional),
    maxNotional: as<Quanta>(pair.maxNotional),
    maxNotionalMarket: as<Quanta>(pair.maxNotionalMarket),
    makerFeePpm: pair.makerFeePpm,
    takerFeePpm: pair.takerFeePpm,
    bidMultiplierUpPpm: 1_200_000,
    askMultiplierDownPpm: 800_000,
    collarPpm: 50_000,
    fullName: base.fullName,
    contractAddress: base.contractAddress ?? '',
    specialTreatment: false,
  };
}
