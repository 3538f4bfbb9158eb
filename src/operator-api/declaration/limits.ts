/** Limits of the operator API; those of the transport are in `api/limits.ts`. Counts are inclusive. */
export const operatorLimits = {
  pageItemsDefault: 50,
  pageItemsMax: 500,
  cursorLengthMax: 128,
  /** DEC-OPR-06. */
  idempotencyKeyLengthMax: 64,
  /** Length of a token in a request; tokens that are made have 64 characters. */
  tokenLengthMin: 16,
  tokenLengthMax: 128,
  /** Longest life of a token: 366 days. */
  tokenHoursMax: 8784,
  /** Characters of what an act was about: a payment of a network. */
  targetIdLengthMax: 160,
  /** Characters of the reason of an act. */
  reasonLengthMax: 500,
  /** How long an operator's reference price counts at most: 366 days. */
  referencePriceHoursMax: 8784,
  /** Addresses that one API key may be bound to. DEC-OPR-21. */
  addressesPerApiKey: 20,
  /** How failed authentications of an address are slowed. DEC-OPR-197. */
  failedAuthentications: {
    windowMs: 60_000,
    /** So many are answered at once; the next is held back for the first delay, each further one twice as long. */
    freePerWindow: 5,
    firstDelayMs: 100,
    longestDelayMs: 5000,
    /** While so many answers of an address are held back, its requests are refused unread. */
    waitingMax: 10,
    addressesKept: 100_000,
  },
  /** Answers that are streamed. DEC-OPR-227. */
  streams: {
    /** So many go on at a time; further ones are refused. */
    atOnce: 4,
    /** Longest time that one goes on, however slowly it is read. */
    longestMs: 1_800_000,
    retryAfterSeconds: 10,
    /** Bytes that are made before they are read. */
    aheadBytes: 65_536,
  },
  /** Log lines about failed authentications and refused requests. DEC-OPR-198. */
  log: { windowMs: 60_000, linesPerAddress: 10, lines: 120, addressesKept: 10_000 },
  /** Idempotency keys of writes that are no commands and are remembered at a time, and how long. DEC-OPR-06. */
  requestKeysKept: 1000,
  requestKeysKeptMs: 86_400_000,
} as const;
