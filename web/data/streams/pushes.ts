/** A price with what rests there; a quantity of 0 removes it. */
export interface DepthLevel {
  readonly price: string;
  readonly quantity: string;
}

/** Changed levels of a book between two versions. */
export interface DepthPush {
  readonly asks: readonly DepthLevel[];
  readonly bids: readonly DepthLevel[];
  readonly fromVersion: string;
  readonly toVersion: string;
}

/** A trade of a pair. */
export interface DealPush {
  readonly price: string;
  readonly quantity: string;
  /** 1: the taker bought; 2: the taker sold. */
  readonly tradeType: number;
  readonly time: number;
  readonly tradeId: string;
}

/** The rolling day of a pair. */
export interface MiniTickerPush {
  readonly symbol: string;
  readonly price: string;
  readonly zonedRate: string;
  readonly high: string;
  readonly low: string;
  /** In the quote asset. */
  readonly volume: string;
  /** In the base asset. */
  readonly quantity: string;
}

/** The current candle of a pair. */
export interface CandlePush {
  readonly interval: string;
  /** Seconds since 1970 UTC. */
  readonly windowStart: number;
  readonly open: string;
  readonly close: string;
  readonly high: string;
  readonly low: string;
  readonly volume: string;
  readonly amount: string;
}

/** An order of the account after a change. */
export interface OrderPush {
  readonly id: string;
  readonly clientId: string;
  readonly price: string;
  readonly quantity: string;
  readonly amount: string;
  readonly avgPrice: string;
  readonly orderType: number;
  readonly tradeType: number;
  readonly cumulativeQuantity: string;
  readonly cumulativeAmount: string;
  readonly status: number;
  readonly createTime: number;
}

/** A fill of the account. */
export interface OwnDealPush {
  readonly price: string;
  readonly quantity: string;
  readonly amount: string;
  readonly tradeType: number;
  readonly isMaker: boolean;
  readonly tradeId: string;
  readonly orderId: string;
  readonly feeAmount: string;
  readonly feeCurrency: string;
  readonly time: number;
}

/** A balance after a change. */
export interface AccountPush {
  readonly asset: string;
  readonly free: string;
  readonly held: string;
  readonly type: string;
  readonly time: number;
}

/** What a frame holds: the channel, and exactly one of the rest. */
export interface Push {
  readonly channel: string;
  readonly symbol: string;
  readonly createTime: number;
  readonly order?: OrderPush;
  readonly ownDeal?: OwnDealPush;
  readonly account?: AccountPush;
  readonly candle?: CandlePush;
  readonly miniTickers?: { readonly items: readonly MiniTickerPush[] };
  readonly depth?: DepthPush;
  readonly deals?: { readonly items: readonly DealPush[] };
}

/** Names of channels. */
export const channels = {
  depth: (symbol: string) => `spot@public.aggre.depth.v3.api.pb@100ms@${symbol}`,
  deals: (symbol: string) => `spot@public.aggre.deals.v3.api.pb@100ms@${symbol}`,
  candle: (symbol: string, interval: string) => `spot@public.kline.v3.api.pb@${symbol}@${interval}`,
  days: () => 'spot@public.miniTickers.v3.api.pb@24H',
  private: ['spot@private.orders.v3.api.pb', 'spot@private.deals.v3.api.pb', 'spot@private.account.v3.api.pb'],
} as const;
