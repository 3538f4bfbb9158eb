import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';

/** Rules of a wallet that only trades: worth is told in this asset, and it can be moved to futures wallets. */
export const walletValuedIn = (asset: AssetId): WalletRules => ({
  valuedIn: asset,
  largeDeposit: as<Balance>(1n),
  dailyCaps: [1n, 1n, 1n, 1n].map((cap) => as<Balance>(cap)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [asset],
  dustBelow: as<Balance>(1n),
  dustCallMax: as<Balance>(1n),
  dustFeePpm: 0,
});
