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
  /** Idempotency keys of writes that are no commands and are remembered at a time, and how long. DEC-OPR-06. */
  requestKeysKept: 1000,
  requestKeysKeptMs: 86_400_000,
} as const;
