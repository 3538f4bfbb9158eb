import type { OrderKind } from '#model/order.ts';
import type { AssetId, Lots, Quanta, SymbolId } from '#model/units.ts';

/** In the order of the numbers on the wire, which count from 1. SPEC-MKT-06, SPEC-MKT-07. */
export const symbolStatuses = ['online', 'paused', 'offline'] as const;
export type SymbolStatus = (typeof symbolStatuses)[number];
/** In the order of the numbers on the wire, which count from 1. */
export const tradeSideTypes = ['all', 'buyOnly', 'sellOnly', 'closed'] as const;
export type TradeSideType = (typeof tradeSideTypes)[number];

/** The rules of one pair, in the engine's units. Rates are parts per million. */
export interface SymbolRules {
  readonly id: SymbolId;
  /** For example `BTCUSDT`. */
  readonly name: string;
  readonly base: AssetId;
  readonly quote: AssetId;
  /** Price tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Quantity step is 10^-quantityDecimals. */
  readonly quantityDecimals: number;
  readonly status: SymbolStatus;
  readonly tradeSideType: TradeSideType;
  readonly orderKinds: readonly OrderKind[];
  /** False answers 30016 to orders that come by API key. */
  readonly apiTradingAllowed: boolean;
  readonly minLots: Lots;
  readonly minNotional: Quanta;
  readonly minNotionalMarket: Quanta;
  readonly maxNotional: Quanta;
  readonly maxNotionalMarket: Quanta;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  /** PERCENT_PRICE_BY_SIDE as multipliers of the last price; `null`: the filter is off. */
  readonly bidMultiplierUpPpm: number | null;
  readonly askMultiplierDownPpm: number | null;
  /** Market collar: greatest distance of a market order's fills from the last price. */
  readonly collarPpm: number;
  readonly fullName: string;
  readonly contractAddress: string;
  readonly specialTreatment: boolean;
}
/** What is asked for when a symbol is listed or changed; the engine gives the id. */
export type SymbolListing = Omit<SymbolRules, 'id'>;
