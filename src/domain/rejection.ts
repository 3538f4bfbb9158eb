/**
 * Why the engine refuses a command, in order of precedence for orders: the first that applies is answered.
 * decisions.md section 3. `api/errors.ts` gives each its public code.
 */
export const rejectReasons = [
  'unknownSymbol', 'tradingSuspended', 'apiTradingOff', 'sideNotAllowed', 'kindNotAllowed', 'marketNotAllowed',
  'malformedOrder', 'belowMinimumQuantity', 'belowMinimumAmount', 'aboveMaximumAmount', 'priceOutsideBand',
  'tooManyOpenOrders', 'clientOrderIdInUse', 'wouldTakeLiquidity', 'noOpposingOrder', 'notEnoughQuote', 'notEnoughBase',
  'unknownOrder',
  'unknownAccount', 'accountNotUsable', 'unknownAsset', 'notEnoughFunds', 'aboveAssetCap', 'uidInUse',
  'accessKeyInUse', 'unknownKey', 'tooManyKeys',
  'listenKeyInUse', 'unknownListenKey', 'tooManyListenKeys',
  'groupNameInUse', 'tooManyGroups', 'unknownGroup', 'notOfThisMaster',
  'invalidConfiguration', 'digestMismatch',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
