import { powersOfTen } from '#base/decimal.ts';
import type { ReferencePrice } from '#model/reference-price.ts';
import type { AssetId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { isBelow, itself, lastUnitValue, timesValue, type UnitValue } from '#engine/state/prices/unit-value.ts';
import type { GuardedPrice } from '#engine/state/prices/price-trail.ts';
import { middleValue } from '#engine/money/book-middle.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Depth that each side of a book needs for its middle to count, in whole coins of the reference asset. */
const depthNeeded = 1000n;

const exactly = (value: UnitValue): GuardedPrice => ({ low: value, high: value });

/**
 * The guarded price of an asset now: the operator's reference price; else the median of last price, volume-weighted
 * price and middle of its pair with the reference asset; else the same over one hop. `null`: fewer than two are known,
 * or nothing is valued yet. DEC-WAL-140, DEC-WAL-141.
 */
export function guardedPrice(state: EngineState, asset: AssetId, valuedIn: AssetId): GuardedPrice | null {
  return directPrice(state, asset, valuedIn) ?? priceOverOneHop(state, asset, valuedIn);
}

function directPrice(state: EngineState, asset: AssetId, valuedIn: AssetId): GuardedPrice | null {
  if (asset === valuedIn) return exactly(itself);
  const reference = state.referencePrices.inForce(asset, state.at);
  if (reference !== null) return exactly(referenceValue(state, reference, valuedIn));
  const book = state.symbols.ofAssets(asset, valuedIn);
  return book === null ? null : medianPrice(state, book, depthIn(state, valuedIn));
}

/** Over the pair that was listed first of those that give a price. */
function priceOverOneHop(state: EngineState, asset: AssetId, valuedIn: AssetId): GuardedPrice | null {
  for (const book of state.symbols.ofBase(asset)) {
    if (book.quote === valuedIn) continue;
    const quote = directPrice(state, book.quote, valuedIn);
    if (quote === null || quote.low.numerator === 0n) continue;
    const depth = (depthIn(state, valuedIn) * quote.low.denominator) / quote.low.numerator;
    const price = medianPrice(state, book, depth);
    if (price !== null) return { low: timesValue(price.low, quote.low), high: timesValue(price.high, quote.high) };
  }
  return null;
}

const depthIn = ({ assets }: EngineState, valuedIn: AssetId): bigint =>
  depthNeeded * (powersOfTen[assets.at(valuedIn).scale] as bigint);

/** Value of a unit by a price per whole coin. */
function referenceValue(
  { assets }: EngineState,
  { asset, digits, decimals }: ReferencePrice,
  valuedIn: AssetId,
): UnitValue {
  return {
    numerator: digits * (powersOfTen[assets.at(valuedIn).scale] as bigint),
    denominator: (powersOfTen[decimals] as bigint) * (powersOfTen[assets.at(asset).scale] as bigint),
  };
}

/** Of three known prices the middle one; of two both; `null` of fewer. */
function medianPrice(state: EngineState, book: Book, depth: bigint): GuardedPrice | null {
  const known = [lastUnitValue(book), weightedValue(state, book), middleValue(state, book, depth)]
    .filter((value) => value !== null)
    .sort((one, other) => (isBelow(one, other) ? -1 : 1));
  if (known.length === 3) return exactly(known[1]!);
  return known.length === 2 ? { low: known[0]!, high: known[1]! } : null;
}

/** The volume-weighted price of 15 minutes. */
function weightedValue({ at }: EngineState, book: Book): UnitValue | null {
  const traded = book.traded.volume(at);
  return traded === null ? null : { numerator: traded.quote, denominator: traded.lots * BigInt(book.basePerLot) };
}
