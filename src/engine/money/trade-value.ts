import type { AssetId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Writes what one unit of an asset is worth during a trade of `book` at `price`, as a fraction in units of what the
 * wallet is valued in: that asset itself, at the price of the trade, or at the last price of its own book with that
 * asset; both parts are 0 without a price. They are safe integers, because such a price had a safe quote amount.
 * DEC-SUB-38.
 */
export function writeValue(
  into: [numerator: number, denominator: number],
  state: EngineState,
  asset: AssetId,
  book: Book,
  price: number,
): void {
  into[0] = 0;
  into[1] = 0;
  if (state.walletRules.value === null) return;
  const { valuedIn } = state.walletRules.value;
  if (asset === valuedIn) {
    into[0] = 1;
    into[1] = 1;
    return;
  }
  const isOwn = book.base === asset && book.quote === valuedIn;
  const priced = isOwn ? book : state.symbols.ofAssets(asset, valuedIn);
  const unitPrice = isOwn ? price : (priced?.lastPrice ?? 0);
  if (priced === null || unitPrice === 0) return;
  into[0] = unitPrice * priced.quotePerTickLot;
  into[1] = priced.basePerLot;
}
