import type { CandleInterval, restCandleIntervals } from '#model/candle.ts';
import type { OrderKind, OrderStatus, Side, StpMode } from '#model/order.ts';
import type { SymbolStatus, TradeSideType } from '#model/symbol.ts';
import type { Product } from '#model/rebate.ts';
import type { OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ContactKind, DepositStatus, WalletKind, WithdrawalStatus } from '#model/wallet.ts';
import { withdrawalStatuses } from '#model/wallet.ts';

/**
 * Values of the API and what they mean inside. `…OfWord` reads requests, aliases included; `…Word` writes responses,
 * with the canonical value.
 */
export const sideOfWord = { BUY: 'buy', SELL: 'sell' } as const satisfies Record<string, Side>;
export const sideWord = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, string>;

/** The last three are the names of the push messages, accepted everywhere. DEC-ORD-05. */
export const orderKindOfWord = {
  LIMIT: 'limit',
  MARKET: 'market',
  LIMIT_MAKER: 'postOnly',
  IMMEDIATE_OR_CANCEL: 'immediateOrCancel',
  FILL_OR_KILL: 'fillOrKill',
  LIMIT_ORDER: 'limit',
  POST_ONLY: 'postOnly',
  MARKET_ORDER: 'market',
} as const satisfies Record<string, OrderKind>;
/** Wire word of each order kind. */
export const orderKindWord = {
  limit: 'LIMIT',
  postOnly: 'LIMIT_MAKER',
  immediateOrCancel: 'IMMEDIATE_OR_CANCEL',
  fillOrKill: 'FILL_OR_KILL',
  market: 'MARKET',
} as const satisfies Record<OrderKind, string>;

/** Implied by the type; requests carry none. DEC-ORD-07. */
export const timeInForceWord = {
  limit: 'GTC',
  postOnly: 'GTC',
  immediateOrCancel: 'IOC',
  fillOrKill: 'FOK',
  market: 'IOC',
} as const satisfies Record<OrderKind, string>;

/** An empty value, or none, is `none`. */
export const stpModeOfWord = {
  cancel_maker: 'cancelMaker',
  cancel_taker: 'cancelTaker',
  cancel_both: 'cancelBoth',
} as const satisfies Record<string, StpMode>;
/** Wire word of each mode of self-trade prevention. */
export const stpModeWord = {
  none: '',
  cancelMaker: 'cancel_maker',
  cancelTaker: 'cancel_taker',
  cancelBoth: 'cancel_both',
} as const satisfies Record<StpMode, string>;

/** Wire word of each order status. */
export const orderStatusWord = {
  new: 'NEW',
  filled: 'FILLED',
  partiallyFilled: 'PARTIALLY_FILLED',
  canceled: 'CANCELED',
  partiallyCanceled: 'PARTIALLY_CANCELED',
} as const satisfies Record<OrderStatus, string>;

/** `cancelReason` of an order that self-trade prevention closed; of other orders it is null. */
export const stpCancelWord = 'stp_cancel';

type RestCandleInterval = (typeof restCandleIntervals)[number];
/** Case matters: `1M` is a month. DEC-MKT-01. */
export const candleIntervalOfWord = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '30m': '30m',
  '60m': '60m',
  '4h': '4h',
  '1d': '1d',
  '1W': '1W',
  '1M': '1M',
} as const satisfies Record<RestCandleInterval, CandleInterval>;

/** Numbers as strings. SPEC-MKT-06, SPEC-MKT-07. */
export const symbolStatusWord = {
  online: '1',
  paused: '2',
  cancelOnly: '2',
  offline: '3',
  delisted: '3',
} as const satisfies Record<SymbolStatus, string>;
/** Wire number of the sides that a symbol allows. */
export const tradeSideTypeWord = {
  all: '1',
  buyOnly: '2',
  sellOnly: '3',
  closed: '4',
} as const satisfies Record<TradeSideType, string>;

const orderIdMark = 'C02__';
const shardPrefix = '100';
const orderDigits = 15;
const orderIdPattern = /^C02__100(\d{15})$/;

const orderNumberText = (order: number): string => shardPrefix + `${order}`.padStart(orderDigits, '0');

/** Public id of an order: `C02__`, the prefix of the shard, and 15 digits. DEC-ORD-22. */
export const orderIdText = (order: OrderNumber): string => orderIdMark + orderNumberText(order);

/** The number behind a public order id; `null` for a text that names no order here. */
export function orderOfId(text: string): OrderNumber | null {
  const match = orderIdPattern.exec(text);
  if (match === null) return null;
  const order = Number(match[1]);
  return order === 0 ? null : as<OrderNumber>(order);
}

/** Public id of an account's trade, the same for both sides: the taker's number, `X`, and its running fill from 1. */
export const tradeIdText = (taker: OrderNumber, fillOfTaker: number): string =>
  `${orderNumberText(taker)}X${fillOfTaker}`;

/** Number of each deposit status; a removed deposit is never shown. DEC-WAL-01. */
export const depositStatusNumber = {
  small: 1,
  largeDelay: 3,
  pending: 4,
  success: 5,
  auditing: 6,
  rejected: 7,
  lost: 7,
  refund: 8,
  refunded: 8,
  refunding: 8,
  invalid: 10,
  restricted: 11,
} as const satisfies Record<Exclude<DepositStatus, 'removed'>, number>;
/** Statuses behind each number; the reserved ones stand for none. DEC-WAL-01, DEC-WAL-77. */
const depositStatusesOfWord = {
  1: ['small'],
  2: [],
  3: ['largeDelay'],
  4: ['pending'],
  5: ['success'],
  6: ['auditing'],
  7: ['rejected', 'lost'],
  8: ['refund', 'refunded', 'refunding'],
  9: [],
  10: ['invalid'],
  11: ['restricted'],
  12: [],
} as const satisfies Record<number, readonly DepositStatus[]>;

/** Names of the numbers from 1. */
const depositStatusNames = [
  'SMALL',
  'TIME_DELAY',
  'LARGE_DELAY',
  'PENDING',
  'SUCCESS',
  'AUDITING',
  'REJECTED',
  'REFUND',
  'PRE_SUCCESS',
  'INVALID',
  'RESTRICTED',
  'COMPLETED',
] as const;
/** The same by number and by name. DEC-SUB-19, DEC-WAL-175. */
export const depositStatusesOfName = {
  ...depositStatusesOfWord,
  ...Object.fromEntries(
    depositStatusNames.map((name, index) => [
      name,
      depositStatusesOfWord[(index + 1) as keyof typeof depositStatusesOfWord],
    ]),
  ),
} as Readonly<Record<string, readonly DepositStatus[]>>;

/** Number of a withdrawal status, from 1. DEC-WAL-02. */
export const withdrawalStatusNumber = (status: WithdrawalStatus): number => withdrawalStatuses.indexOf(status) + 1;
/** Names of the numbers from 1. */
const withdrawalStatusNames = [
  'APPLY',
  'AUDITING',
  'WAIT',
  'PROCESSING',
  'WAIT_PACKAGING',
  'WAIT_CONFIRM',
  'SUCCESS',
  'FAILED',
  'CANCEL',
  'MANUAL',
] as const;
/** The status behind each number and each name. DEC-WAL-175. */
export const withdrawalStatusOfName: Readonly<Record<string, WithdrawalStatus>> = Object.fromEntries([
  ...withdrawalStatuses.map((status) => [`${withdrawalStatusNumber(status)}`, status] as const),
  ...withdrawalStatuses.map((status, index) => [withdrawalStatusNames[index] as string, status] as const),
]);

/** Kinds of accounts that money can be moved between. DEC-WAL-31. */
export const walletKindOfWord = { SPOT: 'spot', FUTURES: 'futures', FUTURE: 'futures' } as const satisfies Record<
  string,
  WalletKind
>;
/** Wire word of each. */
export const walletKindWord = { spot: 'SPOT', futures: 'FUTURES' } as const satisfies Record<WalletKind, string>;

/** By what a receiver is named. SPEC-WAL-19. */
export const contactKindOfWord = { EMAIL: 'email', UID: 'uid', MOBILE: 'mobile' } as const satisfies Record<
  string,
  ContactKind
>;
/** Wire word of each. */
export const contactKindWord = { email: 'EMAIL', uid: 'UID', mobile: 'MOBILE' } as const satisfies Record<
  ContactKind,
  string
>;

/** What transfers and sends answer; only the first is ever produced. SPEC-WAL-21, DEC-WAL-31. */
export const transferStatuses = ['SUCCESS', 'FAILED', 'WAIT'] as const;

/** Number of each product in reports of affiliates. SPEC-AFF-04. */
export const productNumber = { spot: 1, futures: 2, etf: 3 } as const satisfies Record<Product, number>;
/** The product behind each number. */
export const productOfWord = { 1: 'spot', 2: 'futures', 3: 'etf' } as const satisfies Record<number, Product>;

/** Number of each state of a commission. DEC-SUB-25. */
export const commissionStateNumber = { pending: 1, paid: 2, rejected: 3 } as const;

/** Bands that the worth of an account is told in, the lowest first. DEC-SUB-28. */
export const balanceBands = [
  '0 USDT',
  '1-1,000 USDT',
  '1,000 - 10,000 USDT',
  '10,000 - 50,000 USDT',
  '50,000 - 100,000 USDT',
  '100,000 - 500,000 USDT',
  '500,000 - 1,000,000 USDT',
  '1,000,000 - 5,000,000 USDT',
  '>5,000,000 USDT',
] as const;
