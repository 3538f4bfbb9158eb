import { parseDecimal, powersOfTen } from '#base/decimal.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, WalletRules } from '#model/wallet.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';

/*
 * The wallet of the demo market as data: on which networks each asset can be paid in and out, and under which terms.
 * DEC-WAL-08 to DEC-WAL-11. The commands that list all this are in `demo-market.ts`.
 */

/** A network of the sandbox. */
interface DemoNetwork {
  readonly label: string;
  readonly minConfirm: number;
  readonly sharesAddress: boolean;
}

const networks = {
  BTC: { label: 'BTC', minConfirm: 2, sharesAddress: false },
  ETH: { label: 'Ethereum(ERC20)', minConfirm: 12, sharesAddress: false },
  TRX: { label: 'Tron(TRC20)', minConfirm: 20, sharesAddress: false },
  BSC: { label: 'BNB Smart Chain(BEP20)', minConfirm: 15, sharesAddress: false },
  SOL: { label: 'Solana(SOL)', minConfirm: 32, sharesAddress: false },
  XRP: { label: 'XRP', minConfirm: 1, sharesAddress: true },
} as const satisfies Record<string, DemoNetwork>;

/** One asset on one network, as a person would write it. */
interface DemoAssetNetwork {
  readonly asset: string;
  readonly network: keyof typeof networks;
  readonly contract: string | null;
  /** Decimals of the chain. */
  readonly scale: number;
  /** In whole coins. */
  readonly fee: string;
  readonly min: string;
}

const assetNetworks: readonly DemoAssetNetwork[] = [
  { asset: 'BTC', network: 'BTC', contract: null, scale: 8, fee: '0.0001', min: '0.001' },
  { asset: 'ETH', network: 'ETH', contract: null, scale: 18, fee: '0.001', min: '0.01' },
  {
    asset: 'SHIB',
    network: 'ETH',
    contract: '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE',
    scale: 18,
    fee: '100000',
    min: '1000000',
  },
  {
    asset: 'SVC',
    network: 'ETH',
    contract: '0x5ec1e50F0000000000000000000000000000beeF',
    scale: 18,
    fee: '1',
    min: '10',
  },
  {
    asset: 'USDT',
    network: 'ETH',
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    scale: 6,
    fee: '3',
    min: '10',
  },
  {
    asset: 'USDT',
    network: 'TRX',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    scale: 6,
    fee: '1',
    min: '10',
  },
  {
    asset: 'USDT',
    network: 'BSC',
    contract: '0x55d398326f99059fF775485246999027B3197955',
    scale: 18,
    fee: '0.5',
    min: '10',
  },
  {
    asset: 'USDT',
    network: 'SOL',
    contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    scale: 6,
    fee: '0.5',
    min: '10',
  },
  {
    asset: 'USDC',
    network: 'ETH',
    contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    scale: 6,
    fee: '3',
    min: '10',
  },
  {
    asset: 'USDC',
    network: 'BSC',
    contract: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    scale: 18,
    fee: '0.5',
    min: '10',
  },
  {
    asset: 'USDC',
    network: 'SOL',
    contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    scale: 6,
    fee: '0.5',
    min: '10',
  },
  { asset: 'BNB', network: 'BSC', contract: null, scale: 18, fee: '0.0005', min: '0.01' },
  { asset: 'SOL', network: 'SOL', contract: null, scale: 9, fee: '0.005', min: '0.1' },
  { asset: 'TRX', network: 'TRX', contract: null, scale: 6, fee: '1', min: '10' },
  { asset: 'XRP', network: 'XRP', contract: null, scale: 6, fee: '0.2', min: '20' },
];

/** What may be withdrawn at once, in USDT at the value with which an asset is listed. */
const withdrawMaxUsd = 1_000_000;
const stepDecimalsMax = 8;
const playMoney = 'Play money. Never send real coins.';

function units(asset: AssetRules, coins: string): Balance {
  const amount = parseDecimal(coins, asset.scale);
  if (typeof amount !== 'bigint') throw new RangeError(`${coins} ${asset.code} is no amount`);
  return as<Balance>(amount);
}

/** As many whole steps as the greatest withdrawal is worth. */
function withdrawMaxOf(asset: AssetRules, step: bigint): Balance {
  const profile = assetProfiles.find(({ code }) => code === asset.code);
  if (profile === undefined) throw new RangeError(`the demo market has no value for ${asset.code}`);
  const millionths = BigInt(Math.floor((withdrawMaxUsd / profile.initialUsd) * 1e6));
  const amount = (millionths * (powersOfTen[asset.scale] as bigint)) / 1_000_000n;
  return as<Balance>(amount - (amount % step));
}

/** Every asset on its networks, in the engine's units; `assets` are those that are listed. */
export function demoAssetNetworks(assets: readonly AssetRules[]): readonly AssetNetwork[] {
  return assetNetworks.map((listed) => {
    const asset = assets.find(({ code }) => code === listed.asset);
    if (asset === undefined) throw new RangeError(`the demo market lists no ${listed.asset}`);
    const step = powersOfTen[asset.scale - Math.min(asset.scale, listed.scale, stepDecimalsMax)] as bigint;
    const fee = units(asset, listed.fee);
    return {
      asset: asset.id,
      network: listed.network,
      ...networks[listed.network],
      contract: listed.contract,
      scale: listed.scale,
      depositEnabled: true,
      withdrawEnabled: true,
      depositMin: fee,
      withdrawFee: fee,
      withdrawMin: units(asset, listed.min),
      withdrawMax: withdrawMaxOf(asset, step),
      withdrawStep: as<Balance>(step),
      depositDesc: null,
      depositTips: playMoney,
      withdrawTips: null,
    };
  });
}

/** Time between two blocks of the sandbox's chains. DEC-WAL-11. */
export const demoBlockMs = 5_000;

/** Rules of the demo wallet; `usdt` is what everything is valued in. DEC-WAL-07, 16, 24, 27, 28, 35. */
export function demoWalletRules(usdt: AssetRules): WalletRules {
  const amount = (coins: number): Balance => units(usdt, String(coins));
  const transferable: readonly AssetId[] = [usdt.id];
  return {
    valuedIn: usdt.id,
    largeDeposit: amount(100_000),
    dailyCaps: [10_000, 100_000, 1_000_000, 10_000_000].map(amount),
    riskHoldAbove: null,
    fourEyesAbove: null,
    adjustFourEyesAbove: null,
    newAddressDelayMs: 0,
    waitMs: demoBlockMs,
    transferable,
    dustBelow: amount(5),
    dustCallMax: amount(50),
    dustFeePpm: 2_000,
  };
}
