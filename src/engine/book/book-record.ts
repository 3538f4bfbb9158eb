import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { engineLimits } from '#model/limits.ts';

/** Offsets of the doubles in a book's record. `bestKey` takes two: bids, then asks, as sort keys of the side. */
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
 * Offsets of the words in the same record, behind the doubles. `bestLevel`, `allowed` and `lastBlock` take two each:
 * buy side, then sell side.
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
  isContract: 40,
} as const;
/** A record is 256 bytes, of which three cache lines are in use. */
const recordShift = 5;

/**
 * The numbers of all books that every order reads: a few cache lines side by side, instead of objects spread over the
 * heap.
 */
export class BookRecords {
  private readonly buffer = new GrowableBuffer();
  private used = 0;
  /** Views of all records; they never change. */
  readonly doubles: Float64Array = this.buffer.doubles;
  readonly words: Int32Array = this.buffer.words;

  /** Allocates a record; returns the position of its first double. Its first word is at twice that. */
  allocate(): number {
    assert(this.used < engineLimits.symbols, 'there is a record for every symbol');
    return this.used++ << recordShift;
  }
}
