/**
 * Why the engine refuses a command, with the number that it has in digests of events: a number once given stays, a new
 * reason takes the next one. Those of orders stand in order of precedence: the first that applies is answered
 * (DEC-ORD-04). `api/errors.ts` gives each its public code.
 */
export const rejectReasonNumbers = {
  unknownSymbol: 0,
  tradingSuspended: 1,
  apiTradingOff: 2,
  sideNotAllowed: 3,
  kindNotAllowed: 4,
  marketNotAllowed: 5,
  malformedOrder: 6,
  belowMinimumQuantity: 7,
  belowMinimumAmount: 8,
  aboveMaximumAmount: 9,
  priceOutsideBand: 10,
  tooManyOpenOrders: 11,
  clientOrderIdInUse: 12,
  wouldTakeLiquidity: 13,
  noOpposingOrder: 14,
  notEnoughQuote: 15,
  notEnoughBase: 16,
  unknownOrder: 17,
  unknownAccount: 18,
  accountNotUsable: 19,
  unknownAsset: 20,
  notEnoughFunds: 21,
  aboveAssetCap: 22,
  uidInUse: 23,
  accessKeyInUse: 24,
  unknownKey: 25,
  tooManyKeys: 26,
  listenKeyInUse: 27,
  unknownListenKey: 28,
  tooManyListenKeys: 29,
  groupNameInUse: 30,
  tooManyGroups: 31,
  unknownGroup: 32,
  notOfThisMaster: 33,
  invalidConfiguration: 34,
  digestMismatch: 35,
} as const;
export type RejectReason = keyof typeof rejectReasonNumbers;

/** Every reason. */
export const rejectReasons = Object.keys(rejectReasonNumbers) as readonly RejectReason[];
