import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { engineLimits } from '#domain/limits.ts';

/** Where the doubles of a book's record are. `bestKey`: of bids, then of asks, as the sides sort their prices. */
export const bookDoubleOffset = {
  quotePerTickLot: 0,
  basePerLot: 1,
  lastPrice: 2,
  version: 3,
  trades: 4,
  bestKey: 5,
  minLots: 7,
  minNotional: 8,
  minNotionalMarket: 9,
  maxNotional: 10,
  maxNotionalMarket: 11,
  bidMultiplierUpPpm: 12,
  askMultiplierDownPpm: 13,
} as const;
/**
 * Where the words of the same record are: after the doubles. `bestLevel`, `allowed` and `lastBlock` are two each,
 * buying first.
 */
export const bookWordOffset = {
  symbol: 28,
  base: 29,
  quote: 30,
  makerFeePpm: 31,
  takerFeePpm: 32,
  collarPpm: 33,
  bestLevel: 34,
  allowed: 36,
  lastBlock: 38,
} as const;
/** A record is 256 bytes, of which three cache lines are in use. */
const recordShift = 5;

/**
 * The numbers of all books that every order passes: a few lines of memory side by side, where objects of their own
 * would lie about the heap.
 */
export class BookRecords {
  private readonly buffer = new GrowableBuffer();
  private used = 0;
  /** Views of all records there may ever be: who has a record keeps them. */
  readonly doubles: Float64Array = this.buffer.doubles;
  readonly words: Int32Array = this.buffer.words;

  /** A new record; answers the place of its first double. Its words start at twice that. */
  take(): number {
    assert(this.used < engineLimits.symbols, 'there is a record for every symbol');
    return this.used++ << recordShift;
  }
}
