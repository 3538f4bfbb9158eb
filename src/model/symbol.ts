import { type OrderKind, orderKinds, type Side } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { flag, integer, list, nullable, omit, oneOf, record, text, type ValueOf } from '#model/codec/field-codec.ts';
import type { AssetId, Lots, Quanta, SymbolId, TimestampMs } from '#model/units.ts';

/**
 * Of a pair that is paused or cancel-only, resting orders stay and can be cancelled; new ones are refused. The two
 * differ for people alone. A pair that is offline has no orders. SPEC-MKT-06, SPEC-MKT-07, DEC-OPR-161.
 */
export const settableStatuses = ['online', 'paused', 'cancelOnly', 'offline'] as const;
/** One that was delisted stays so: nothing of it changes any more; what it traded can be read. DEC-OPR-169. */
export const symbolStatuses = [...settableStatuses, 'delisted'] as const;
export type SymbolStatus = (typeof symbolStatuses)[number];
/** In the order of the numbers on the wire, which count from 1. */
export const tradeSideTypes = ['all', 'buyOnly', 'sellOnly', 'closed'] as const;
export type TradeSideType = (typeof tradeSideTypes)[number];

/** The rules of one pair, in the engine's units. Rates are parts per million. */
export const symbolRules = record({
  id: integer<SymbolId>(),
  /** For example `BTCUSDT`. */
  name: text(),
  base: integer<AssetId>(),
  quote: integer<AssetId>(),
  /** Price tick is 10^-priceDecimals. */
  priceDecimals: integer(),
  /** Quantity step is 10^-quantityDecimals. */
  quantityDecimals: integer(),
  status: oneOf(symbolStatuses),
  /** When a pair that is not online goes online by itself; `null`: by an operator alone. DEC-OPR-162. */
  openAt: nullable(integer<TimestampMs>()),
  tradeSideType: oneOf(tradeSideTypes),
  orderKinds: list(oneOf(orderKinds)),
  /** False answers 30016 to orders that come by API key. */
  apiTradingAllowed: flag,
  minLots: integer<Lots>(),
  minNotional: integer<Quanta>(),
  minNotionalMarket: integer<Quanta>(),
  maxNotional: integer<Quanta>(),
  maxNotionalMarket: integer<Quanta>(),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
  /** PERCENT_PRICE_BY_SIDE as multipliers of the last price; `null`: the filter is off. */
  bidMultiplierUpPpm: nullable(integer()),
  askMultiplierDownPpm: nullable(integer()),
  /** Market collar: greatest distance of a market order's fills from the last price. */
  collarPpm: integer(),
  fullName: text(),
  contractAddress: text(),
  specialTreatment: flag,
});
export type SymbolRules = ValueOf<typeof symbolRules>;
/** What is asked for when a symbol is listed or changed; the engine gives the id. */
export const symbolListing = record(omit(symbolRules, 'id'));
export type SymbolListing = ValueOf<typeof symbolListing>;

/**
 * Why the rules of a symbol allow no such order now, the first reason in the order of DEC-ORD-04; `null`: they allow
 * it. `side` and `kind` are `null` where they could not be read: what depends on them is not judged. DEC-ORD-47.
 */
export function refusalBySymbol(
  { status, apiTradingAllowed, tradeSideType, orderKinds }: SymbolRules,
  side: Side | null,
  kind: OrderKind | null,
): RejectReason | null {
  if (status === 'delisted') return 'unknownSymbol';
  if (status !== 'online') return 'tradingSuspended';
  if (!apiTradingAllowed) return 'apiTradingOff';
  const isSideAllowed = tradeSideType === 'all' || tradeSideType === (side === 'buy' ? 'buyOnly' : 'sellOnly');
  if (side !== null && !isSideAllowed) return 'sideNotAllowed';
  if (kind === null || orderKinds.includes(kind)) return null;
  return kind === 'market' ? 'marketNotAllowed' : 'kindNotAllowed';
}
