import type { ContractRules, ContractListing } from '#model/contract.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';

/** Kinds of orders for contracts: all but those that fill wholly or not at all. DEC-FUT-22. */
const orderKinds = ['limit', 'postOnly', 'immediateOrCancel', 'market'] as const;

/**
 * What one contract costs at one tick, in smallest units of the settle asset; `null` unless that is a whole number and
 * a safe integer. The terms are whole numbers that are not negative.
 */
export function settlePerTickLot(
  { size, sizeDecimals, priceDecimals }: Pick<ContractListing, 'size' | 'sizeDecimals' | 'priceDecimals'>,
  settleScale: number,
): number | null {
  const decimals = settleScale - sizeDecimals - priceDecimals;
  const power = 10n ** BigInt(Math.abs(decimals));
  const scaled = decimals >= 0 ? BigInt(size) * power : BigInt(size) / power;
  const isWhole = decimals >= 0 || BigInt(size) % power === 0n;
  return isWhole && scaled > 0n && scaled <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(scaled) : null;
}

/** The market of a contract: the rules that its book and its orders follow as those of a pair do. */
export const marketOf = (contract: ContractRules): SymbolRules => ({
  id: contract.id,
  name: contract.name,
  base: contract.base,
  quote: contract.settle,
  priceDecimals: contract.priceDecimals,
  quantityDecimals: 0,
  status: contract.state === 'enabled' ? 'online' : 'paused',
  openAt: null,
  tradeSideType: 'all',
  orderKinds,
  apiTradingAllowed: true,
  minLots: contract.minLots,
  minNotional: as(1),
  minNotionalMarket: as(1),
  maxNotional: as(Number.MAX_SAFE_INTEGER),
  maxNotionalMarket: as(Number.MAX_SAFE_INTEGER),
  makerFeePpm: contract.makerFeePpm,
  takerFeePpm: contract.takerFeePpm,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
  collarPpm: contract.collarPpm,
  fullName: contract.name,
  contractAddress: '',
  specialTreatment: false,
});
