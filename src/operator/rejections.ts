import type { RejectReason } from '#domain/rejection.ts';
import type { ProblemSpec } from '#operator/problems.ts';

const unknown = (title: string) => ({ status: 404, title }) as const;
const conflict = (title: string) => ({ status: 409, title }) as const;
const cannot = (title: string) => ({ status: 422, title }) as const;

/** What an operator reads of each refusal of the engine; a reason without an entry does not compile. DEC-OPR-05. */
export const rejections = {
  unknownSymbol: unknown('The symbol is not listed.'),
  tradingSuspended: conflict('Trading is suspended for this symbol.'),
  apiTradingOff: conflict('Trading by API is off for this symbol.'),
  sideNotAllowed: cannot('This side is not allowed on this symbol.'),
  kindNotAllowed: cannot('This kind of order is not allowed on this symbol.'),
  marketNotAllowed: cannot('Market orders are not allowed on this symbol.'),
  malformedOrder: cannot('The order is malformed.'),
  belowMinimumQuantity: cannot('The quantity is below the minimum.'),
  belowMinimumAmount: cannot('The amount is below the minimum.'),
  aboveMaximumAmount: cannot('The amount is above the maximum.'),
  priceOutsideBand: cannot('The price is outside what the symbol allows.'),
  tooManyOpenOrders: conflict('The account has too many open orders.'),
  clientOrderIdInUse: conflict('The client order id is in use.'),
  wouldTakeLiquidity: conflict('The order would trade at once.'),
  noOpposingOrder: conflict('There is no order to trade with.'),
  notEnoughQuote: conflict('There is not enough of the quote asset.'),
  notEnoughBase: conflict('There is not enough of the base asset.'),
  unknownOrder: unknown('There is no such order.'),
  unknownAccount: unknown('There is no such account.'),
  accountNotUsable: conflict('The account is frozen.'),
  unknownAsset: unknown('The asset is not listed.'),
  notEnoughFunds: conflict('The account does not have that much.'),
  aboveAssetCap: conflict('More of the asset would exist than its cap allows.'),
  uidInUse: conflict('The uid is in use.'),
  accessKeyInUse: conflict('The access key is in use.'),
  unknownKey: unknown('There is no such API key.'),
  tooManyKeys: conflict('The account has too many API keys.'),
  listenKeyInUse: conflict('The listen key is in use.'),
  unknownListenKey: unknown('There is no such listen key.'),
  tooManyListenKeys: conflict('The account has too many listen keys.'),
  groupNameInUse: conflict('The name of the group is in use.'),
  tooManyGroups: conflict('The account has too many groups.'),
  unknownGroup: unknown('There is no such group.'),
  notOfThisMaster: conflict('The account does not belong to this master.'),
  invalidConfiguration: cannot('The exchange does not accept this configuration.'),
  digestMismatch: conflict('The digest of the replay differs.'),
} as const satisfies Record<RejectReason, ProblemSpec>;
