/**
 * The schema of pushes: the one place where it is written. Clients download it, the AsyncAPI document reads it, and
 * `tools/generate-wire.mjs` makes `src/websocket/wire/push_pb.ts` from it; a test compares the two.
 */
export const pushProto = `// What the websocket pushes: one PushDataV3ApiWrapper a binary frame, not length-delimited.
// Names, numbers and types are those that clients of this API family know.
syntax = "proto3";

package bourse.push;

message PushDataV3ApiWrapper {
  // The name that was subscribed to.
  string channel = 1;
  // The pair; absent from pushes that are not about one pair.
  optional string symbol = 3;
  // Never sent.
  optional string symbolId = 4;
  // When it happened, milliseconds since 1970 UTC; of what is pushed by the clock, when it was read.
  optional int64 createTime = 5;
  // When the push was made, milliseconds since 1970 UTC.
  optional int64 sendTime = 6;
  oneof body {
    // Never sent.
    PublicDealsV3Api publicDeals = 301;
    // Never sent.
    PublicIncreaseDepthsV3Api publicIncreaseDepths = 302;
    // Of spot@public.limit.depth.v3.api.pb.
    PublicLimitDepthsV3Api publicLimitDepths = 303;
    // Of spot@private.orders.v3.api.pb.
    PrivateOrdersV3Api privateOrders = 304;
    // Never sent.
    PublicBookTickerV3Api publicBookTicker = 305;
    // Of spot@private.deals.v3.api.pb.
    PrivateDealsV3Api privateDeals = 306;
    // Of spot@private.account.v3.api.pb.
    PrivateAccountV3Api privateAccount = 307;
    // Of spot@public.kline.v3.api.pb.
    PublicSpotKlineV3Api publicSpotKline = 308;
    // Of spot@public.miniTicker.v3.api.pb.
    PublicMiniTickerV3Api publicMiniTicker = 309;
    // Of spot@public.miniTickers.v3.api.pb.
    PublicMiniTickersV3Api publicMiniTickers = 310;
    // Of spot@public.bookTicker.batch.v3.api.pb.
    PublicBookTickerBatchV3Api publicBookTickerBatch = 311;
    // Never sent.
    PublicIncreaseDepthsBatchV3Api publicIncreaseDepthsBatch = 312;
    // Of spot@public.aggre.depth.v3.api.pb.
    PublicAggreDepthsV3Api publicAggreDepths = 313;
    // Of spot@public.aggre.deals.v3.api.pb.
    PublicAggreDealsV3Api publicAggreDeals = 314;
    // Of spot@public.aggre.bookTicker.v3.api.pb.
    PublicAggreBookTickerV3Api publicAggreBookTicker = 315;
  }
}

// A change of one asset's balance.
message PrivateAccountV3Api {
  // The asset, such as USDT.
  string vcoinName = 1;
  // Id of the asset, the same as in GET /api/v3/capital/withdraw/history.
  string coinId = 2;
  // Available after the change.
  string balanceAmount = 3;
  // By how much the available balance changed; negative when it became less.
  string balanceAmountChange = 4;
  // Frozen by open orders and withdrawals after the change.
  string frozenAmount = 5;
  // By how much the frozen balance changed; negative when it became less.
  string frozenAmountChange = 6;
  // Why it changed. ENTRUST_PLACE: frozen for a new order that rests. ENTRUST: paid or received in a fill. TRADE_FEE:
  // commission. ENTRUST_UNFROZEN: frozen for a fill that turned out cheaper. ENTRUST_CANCEL: the rest of a canceled
  // order. DEPOSIT. WITHDRAW and WITHDRAW_FEE. TRANSFER: between accounts. CONTRACT_TRANSFER: between spot and
  // futures. DUST: small balances converted. REBATE: earned by inviting. ADJUSTMENT: by the operator.
  string type = 7;
  // When it changed, milliseconds since 1970 UTC.
  int64 time = 8;
}

// One fill of one side.
message PrivateDealsV3Api {
  // Price of the fill.
  string price = 1;
  // Filled quantity, in the base asset.
  string quantity = 2;
  // Price times quantity, in the quote asset.
  string amount = 3;
  // Side of the account's order: 1 buy, 2 sell.
  int32 tradeType = 4;
  // Whether the account's order rested in the book.
  bool isMaker = 5;
  // Whether the other side is an order of the same account: then there is one push for each side.
  bool isSelfTrade = 6;
  // Id of the trade, the same for both sides.
  string tradeId = 7;
  // The client's own id of the order; empty if it gave none.
  string clientOrderId = 8;
  // Id of the order that was filled.
  string orderId = 9;
  // Commission paid for this fill, in feeCurrency.
  string feeAmount = 10;
  // The asset of the commission.
  string feeCurrency = 11;
  // When it traded, milliseconds since 1970 UTC.
  int64 time = 12;
}

// The state of an order after a change.
message PrivateOrdersV3Api {
  // Id of the order, as the answer to placing it has it.
  string id = 1;
  // The client's own id if it gave one, else the order id.
  string clientId = 2;
  // Limit price; of a market order the worst price that it may trade at.
  string price = 3;
  // Ordered quantity, in the base asset; of an order by quote amount what it traded.
  string quantity = 4;
  // Price times ordered quantity, in the quote asset; of an order by quote amount that amount; of a market order by
  // quantity 0.
  string amount = 5;
  // Average price of all fills so far, cut to the tick; 0 before the first.
  string avgPrice = 6;
  // 1 LIMIT_ORDER, 2 POST_ONLY, 3 IMMEDIATE_OR_CANCEL, 4 FILL_OR_KILL, 5 MARKET_ORDER.
  int32 orderType = 7;
  // 1 buy, 2 sell.
  int32 tradeType = 8;
  // Whether the fill of this push was one of a resting order; false in pushes without a fill.
  bool isMaker = 9;
  // What is left of amount; of a closed order what its unfilled rest was worth.
  string remainAmount = 10;
  // Unfilled quantity, also of a closed order; 0 of an order by quote amount.
  string remainQuantity = 11;
  // Quantity of the fill that caused this push; absent without one.
  optional string lastDealQuantity = 12;
  // Filled so far, in the base asset.
  string cumulativeQuantity = 13;
  // Filled so far, in the quote asset.
  string cumulativeAmount = 14;
  // 1 not traded, 2 fully traded, 3 partially traded, 4 canceled, 5 partially canceled.
  int32 status = 15;
  // When the order was accepted, milliseconds since 1970 UTC. It stays the same.
  int64 createTime = 16;
  // Never sent.
  optional string market = 17;
  // Never sent.
  optional int32 triggerType = 18;
  // Never sent.
  optional string triggerPrice = 19;
  // Never sent.
  optional int32 state = 20;
  // Never sent.
  optional string ocoId = 21;
  // Never sent.
  optional string routeFactor = 22;
  // Never sent.
  optional string symbolId = 23;
  // Never sent.
  optional string marketId = 24;
  // Never sent.
  optional string marketCurrencyId = 25;
  // Never sent.
  optional string currencyId = 26;
}

message PublicAggreDealsV3Api {
  repeated PublicAggreDealsV3ApiItem deals = 1;
  // The channel without its pair.
  string eventType = 2;
}

message PublicAggreDealsV3ApiItem {
  string price = 1;
  string quantity = 2;
  // Side of the taker: 1 buy, 2 sell.
  int32 tradeType = 3;
  // When it traded, milliseconds since 1970 UTC.
  int64 time = 4;
  // Running number of the trade within its pair.
  string tradeId = 5;
}

message PublicDealsV3Api {
  repeated PublicDealsV3ApiItem deals = 1;
  string eventType = 2;
}

message PublicDealsV3ApiItem {
  string price = 1;
  string quantity = 2;
  int32 tradeType = 3;
  int64 time = 4;
}

// Changed levels between two versions; quantities are absolute, 0 removes a level.
message PublicAggreDepthsV3Api {
  repeated PublicAggreDepthV3ApiItem asks = 1;
  repeated PublicAggreDepthV3ApiItem bids = 2;
  // The channel without its pair.
  string eventType = 3;
  // Version of the book after the first change in this push.
  string fromVersion = 4;
  // Version of the book after the last change in this push.
  string toVersion = 5;
  // When the book last changed, milliseconds since 1970 UTC.
  int64 lastOrderCreateTime = 6;
}

message PublicAggreDepthV3ApiItem {
  string price = 1;
  // All that rests at this price now; 0: nothing, remove the level.
  string quantity = 2;
}

message PublicIncreaseDepthsV3Api {
  repeated PublicIncreaseDepthV3ApiItem asks = 1;
  repeated PublicIncreaseDepthV3ApiItem bids = 2;
  string eventType = 3;
  string version = 4;
}

message PublicIncreaseDepthV3ApiItem {
  string price = 1;
  string quantity = 2;
}

message PublicIncreaseDepthsBatchV3Api {
  repeated PublicIncreaseDepthsV3Api items = 1;
  string eventType = 2;
}

// The best levels, whole each time.
message PublicLimitDepthsV3Api {
  repeated PublicLimitDepthV3ApiItem asks = 1;
  repeated PublicLimitDepthV3ApiItem bids = 2;
  // The channel without its pair.
  string eventType = 3;
  // Version of the book.
  string version = 4;
  // When the book last changed, milliseconds since 1970 UTC; 0 in a first state, if it is not known.
  int64 lastOrderCreateTime = 5;
}

message PublicLimitDepthV3ApiItem {
  string price = 1;
  string quantity = 2;
}

message PublicBookTickerV3Api {
  string bidPrice = 1;
  string bidQuantity = 2;
  string askPrice = 3;
  string askQuantity = 4;
}

message PublicAggreBookTickerV3Api {
  string bidPrice = 1;
  string bidQuantity = 2;
  string askPrice = 3;
  string askQuantity = 4;
  // Version of the book.
  string version = 5;
  // When the book last changed, milliseconds since 1970 UTC; 0 in a first state, if it is not known.
  int64 lastOrderCreateTime = 6;
}

message PublicBookTickerBatchV3Api {
  repeated PublicBookTickerV3Api items = 1;
  // Version of the book.
  string version = 2;
  // When the book last changed, milliseconds since 1970 UTC; 0 in a first state, if it is not known.
  int64 lastOrderCreateTime = 3;
}

message PublicSpotKlineV3Api {
  // As in the name of the channel.
  string interval = 1;
  // Seconds since 1970 UTC.
  int64 windowStart = 2;
  string openingPrice = 3;
  string closingPrice = 4;
  string highestPrice = 5;
  string lowestPrice = 6;
  // In the base asset.
  string volume = 7;
  // In the quote asset.
  string amount = 8;
  // windowStart plus the interval, seconds.
  int64 windowEnd = 9;
}

message PublicMiniTickerV3Api {
  string symbol = 1;
  // Last price.
  string price = 2;
  // Change since the day began at UTC+8, a ratio.
  string rate = 3;
  // Change since the day began in the channel's zone, a ratio.
  string zonedRate = 4;
  // Highest price of the day in the channel's zone.
  string high = 5;
  // Lowest price of the day in the channel's zone.
  string low = 6;
  // Turnover in the quote asset.
  string volume = 7;
  // Volume in the base asset.
  string quantity = 8;
  // Change over the day before, which ended at midnight of UTC+8, a ratio.
  string lastCloseRate = 9;
  // Change over the day before in the channel's zone, a ratio.
  string lastCloseZonedRate = 10;
  // Highest price of the day before in the channel's zone.
  string lastCloseHigh = 11;
  // Lowest price of the day before in the channel's zone.
  string lastCloseLow = 12;
}

message PublicMiniTickersV3Api {
  repeated PublicMiniTickerV3Api items = 1;
}
`;
