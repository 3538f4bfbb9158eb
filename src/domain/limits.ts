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
  /** Bans kept at a time; the one that ends first makes room. */
  bans: 100_000,
  /** Entries between two recorded digests, see `assertDigest`. */
  digestInterval: 4096,
} as const;
