/** What a record is of: trades one by one, or candles. */
export const recordFormats = ['trades', 'candles'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** One trade of a recording. */
export interface RecordedTrade {
  /** Milliseconds since the beginning of the recording. */
  readonly atMs: number;
  /** Of a whole coin, in the quote coin. */
  readonly price: number;
  /** Coins; 0: the price moved, and nobody traded. */
  readonly quantity: number;
  /** Whether who took was the buyer. */
  readonly isBuy: boolean;
}

/** Trades one after the other. */
export interface TradeCursor {
  /** The next trade if it was up to this time; `null`: it was later, or there is none. */
  take(upToMs: number): RecordedTrade | null;
  /** Entries of the recording that have begun. */
  readonly taken: number;
}

/** What was recorded of a market, in the order of its times. */
export interface Recording {
  readonly format: RecordFormat;
  /** Trades or candles, at least one. */
  readonly entries: number;
  /** When the first one was: milliseconds since 1970. */
  readonly firstAt: number;
  /** From there to the end of the last one, above 0. */
  readonly lengthMs: number;
  /** Prices of a whole coin in the quote coin. */
  readonly prices: { readonly first: number; readonly least: number; readonly most: number };
  /** Its trades from the beginning; the seed decides what a record leaves open. */
  play(seed: string): TradeCursor;
}

/** Columns of a record, each as long as the others. Times are milliseconds since 1970. */
export type Columns<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/** Bounds of what is replayed. */
export const replayLimits = {
  /** Characters of a record. */
  textLength: 16 * 1024 * 1024,
  entries: 500_000,
  lineLength: 1000,
  /** Replays that are kept, those that are over included, and entries of all of them. */
  replays: 20,
  keptEntries: 1_000_000,
  /** How many times what was recorded is traded. */
  volumeFactor: 1000,
} as const;

/** First, least and greatest price, over the ends of entries. */
export function pricesOf(first: number, ...lists: readonly (readonly number[])[]): Recording['prices'] {
  let [least, most] = [first, first];
  for (const list of lists)
    for (const price of list) {
      least = Math.min(least, price);
      most = Math.max(most, price);
    }
  return { first, least, most };
}
