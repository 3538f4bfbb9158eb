/**
 * The schema of pushes: the one place where it is written. Clients download it, the AsyncAPI document reads it, and
 * `tools/generate-wire.mjs` makes `src/streams/wire/push_pb.ts` from it; a test compares the two.
 */
export const pushProto = `// What the websocket pushes: one PushDataV3ApiWrapper a binary frame, not length-delimited.
// Names, numbers and types are those that clients of this API family know.
syntax = "proto3";

package bourse.push;

message PushDataV3ApiWrapper {
  string channel = 1;
  optional string symbol = 3;
  optional string symbolId = 4;
  // When the message was made, milliseconds since 1970 UTC.
  optional int64 createTime = 5;
  // When it was sent, milliseconds since 1970 UTC.
  optional int64 sendTime = 6;
  oneof body {
    PublicDealsV3Api publicDeals = 301;
    PublicIncreaseDepthsV3Api publicIncreaseDepths = 302;
    PublicLimitDepthsV3Api publicLimitDepths = 303;
    PrivateOrdersV3Api privateOrders = 304;
    PublicBookTickerV3Api publicBookTicker = 305;
    PrivateDealsV3Api privateDeals = 306;
    PrivateAccountV3Api privateAccount = 307;
    PublicSpotKlineV3Api publicSpotKline = 308;
    PublicMiniTickerV3Api publicMiniTicker = 309;
    PublicMiniTickersV3Api publicMiniTickers = 310;
    PublicBookTickerBatchV3Api publicBookTickerBatch = 311;
    PublicIncreaseDepthsBatchV3Api publicIncreaseDepthsBatch = 312;
    PublicAggreDepthsV3Api publicAggreDepths = 313;
    PublicAggreDealsV3Api publicAggreDeals = 314;
    PublicAggreBookTickerV3Api publicAggreBookTicker = 315;
  }
}

// A change of one asset's balance.
message PrivateAccountV3Api {
  string vcoinName = 1;
  string coinId = 2;
  // Available after the change.
  string balanceAmount = 3;
  string balanceAmountChange = 4;
  // Frozen after the change.
  string frozenAmount = 5;
  string frozenAmountChange = 6;
  // Kind of change: ENTRUST_PLACE, ENTRUST, TRADE_FEE, ENTRUST_UNFROZEN, ENTRUST_CANCEL, DEPOSIT, ...
  string type = 7;
  int64 time = 8;
}

// One fill of one side.
message PrivateDealsV3Api {
  string price = 1;
  string quantity = 2;
  string amount = 3;
  // 1 buy, 2 sell.
  int32 tradeType = 4;
  bool isMaker = 5;
  bool isSelfTrade = 6;
  string tradeId = 7;
  string clientOrderId = 8;
  string orderId = 9;
  string feeAmount = 10;
  string feeCurrency = 11;
  int64 time = 12;
}

// The state of an order after a change.
message PrivateOrdersV3Api {
  string id = 1;
  // The client's own id if it gave one, else the order id.
  string clientId = 2;
  string price = 3;
  string quantity = 4;
  string amount = 5;
  string avgPrice = 6;
  // 1 LIMIT_ORDER, 2 POST_ONLY, 3 IMMEDIATE_OR_CANCEL, 4 FILL_OR_KILL, 5 MARKET_ORDER, 100 stop.
  int32 orderType = 7;
  // 1 buy, 2 sell.
  int32 tradeType = 8;
  bool isMaker = 9;
  string remainAmount = 10;
  string remainQuantity = 11;
  optional string lastDealQuantity = 12;
  string cumulativeQuantity = 13;
  string cumulativeAmount = 14;
  // 1 not traded, 2 fully traded, 3 partially traded, 4 canceled, 5 partially canceled.
  int32 status = 15;
  int64 createTime = 16;
  optional string market = 17;
  optional int32 triggerType = 18;
  optional string triggerPrice = 19;
  optional int32 state = 20;
  optional string ocoId = 21;
  optional string routeFactor = 22;
  optional string symbolId = 23;
  optional string marketId = 24;
  optional string marketCurrencyId = 25;
  optional string currencyId = 26;
}

message PublicAggreDealsV3Api {
  repeated PublicAggreDealsV3ApiItem deals = 1;
  string eventType = 2;
}

message PublicAggreDealsV3ApiItem {
  string price = 1;
  string quantity = 2;
  // Side of the taker: 1 buy, 2 sell.
  int32 tradeType = 3;
  int64 time = 4;
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
  string eventType = 3;
  string fromVersion = 4;
  string toVersion = 5;
  int64 lastOrderCreateTime = 6;
}

message PublicAggreDepthV3ApiItem {
  string price = 1;
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
  string eventType = 3;
  string version = 4;
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
  string version = 5;
  int64 lastOrderCreateTime = 6;
}

message PublicBookTickerBatchV3Api {
  repeated PublicBookTickerV3Api items = 1;
  string version = 2;
  int64 lastOrderCreateTime = 3;
}

message PublicSpotKlineV3Api {
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
  string price = 2;
  // Change since the day began at UTC+8, a ratio.
  string rate = 3;
  // Change since the day began in the channel's zone, a ratio.
  string zonedRate = 4;
  string high = 5;
  string low = 6;
  // Turnover in the quote asset.
  string volume = 7;
  // Volume in the base asset.
  string quantity = 8;
  string lastCloseRate = 9;
  string lastCloseZonedRate = 10;
  string lastCloseHigh = 11;
  string lastCloseLow = 12;
}

message PublicMiniTickersV3Api {
  repeated PublicMiniTickerV3Api items = 1;
}
`;
