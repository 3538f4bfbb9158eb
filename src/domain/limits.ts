/** Every bound of the engine, with its number and where it comes from. Bounds of the wire stand in `api/limits.ts`. */
export const engineLimits = {
  /** decisions.md section 2; an account may have its own. */
  openOrdersPerAccount: 500,
  /** The most that an account's own cap may be. */
  openOrdersMaxMost: 1_000_000,
  /** Document 2, batchOrders. */
  ordersPerBatch: 20,
  /** A market maker's ladder in one command. */
  ordersPerRequote: 1000,
  /** Document 2, DELETE openOrders. */
  symbolsPerCancelAll: 5,
  clientOrderIdLength: 32,
  /** How long a closed order keeps its client id. decisions.md section 1. */
  clientOrderIdKeptMs: 60_000,
  /** Document 1, 730705. */
  keysPerAccount: 30,
  /** Document 2, STP groups. */
  stpGroupsPerMaster: 10,
  /** Document 2, Listen key. */
  listenKeysPerAccount: 60,
  listenKeyLifeMs: 3_600_000,
  assets: 4096,
  symbols: 65_536,
  assetScale: 12,
  /** Greatest number of bans; the one that ends first is evicted. */
  bans: 100_000,
  /** Tails of the journal put aside within this time because of one account that make it unusable. */
  tailsPerAccount: 3,
  tailsWindowMs: 3_600_000,
  /** Such tails that are remembered at a time. */
  tailsKept: 1000,
  /** Entries between two recorded digests, see `assertDigest`. */
  digestInterval: 4096,
} as const;

/**
 * How full the largest tables may be before a command that adds to them is refused. A table holds 2^32 bytes; an
 * eighth of it is left for the commands that were let in and wait for their turn, whose bytes are bounded.
 */
export const tableBounds = {
  /** Of 33.5 million records: open orders, and closed ones whose client ids are kept. */
  orders: 29_000_000,
  /** Of 8.4 million blocks of price levels. */
  priceBlocks: 7_300_000,
  /** Of 134 million. */
  balances: 117_000_000,
  /** Of 67 million. */
  accounts: 58_000_000,
} as const;
