import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, isPublic } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { candleIntervalOfWord, orderKindWord, tradeSideTypeWord } from '#http/words.ts';

const market = wireLimits.market;
const shared = { surface: 'spot', access: isPublic, envelope: 'bare' } as const;
const oneOrAllWeight = (given: number, omitted: number) =>
  ({ parameter: 'symbol', several: 'symbols', given, omitted }) as const;
const oneOrSeveral = () => ({
  symbol: field.optional(field.symbol()),
  symbols: field.optional(field.symbolNames(market.symbolsPerQuery)),
});
const from = () => field.optional(field.timestampMs('First moment, inclusive.'));
const to = () => field.optional(field.timestampMs('Last moment, inclusive.'));
const example = { symbol: 'BTCUSDT' } as const;

const symbolEntry = z.object({
  symbol: answer.symbolName(),
  status: z.enum(['1', '2', '3']),
  baseAsset: z.string(),
  baseAssetPrecision: answer.count(),
  quoteAsset: z.string(),
  quotePrecision: answer.count(),
  quoteAssetPrecision: answer.count(),
  baseCommissionPrecision: answer.count(),
  quoteCommissionPrecision: answer.count(),
  orderTypes: z.array(z.enum(orderKindWord)),
  isSpotTradingAllowed: z.boolean(),
  isMarginTradingAllowed: z.boolean(),
  permissions: z.array(z.string()),
  filters: z.array(
    z.object({
      filterType: z.literal('PERCENT_PRICE_BY_SIDE'),
      bidMultiplierUp: answer.decimalText(),
      askMultiplierDown: answer.decimalText(),
    }),
  ),
  maxQuoteAmount: answer.decimalText(),
  makerCommission: answer.decimalText(),
  takerCommission: answer.decimalText(),
  quoteAmountPrecision: answer.decimalText(),
  baseSizePrecision: answer.decimalText(),
  maxQuantity: answer.decimalText(),
  quoteAmountPrecisionMarket: answer.decimalText(),
  maxQuoteAmountMarket: answer.decimalText(),
  fullName: z.string(),
  tradeSideType: z.enum(tradeSideTypeWord),
  contractAddress: z.string(),
  st: z.boolean(),
});

const level = z.tuple([answer.decimalText(), answer.decimalText()]).meta({ examples: [['50000.5', '0.25']] });

const dayTicker = z.object({
  symbol: answer.symbolName(),
  priceChange: answer.signedDecimalText(),
  priceChangePercent: answer.signedDecimalText(),
  prevClosePrice: answer.decimalText(),
  lastPrice: answer.decimalText(),
  lastQty: answer.decimalOrEmpty(),
  bidPrice: answer.decimalOrEmpty(),
  bidQty: answer.decimalOrEmpty(),
  askPrice: answer.decimalOrEmpty(),
  askQty: answer.decimalOrEmpty(),
  openPrice: answer.decimalText(),
  highPrice: answer.decimalText(),
  lowPrice: answer.decimalText(),
  volume: answer.decimalText(),
  quoteVolume: answer.decimalText(),
  openTime: answer.moment(),
  closeTime: answer.moment(),
  count: answer.count().nullable(),
});

const lastPrice = z.object({ symbol: answer.symbolName(), price: answer.decimalText() });

const bestPrices = z.object({
  symbol: answer.symbolName(),
  bidPrice: answer.decimalOrEmpty(),
  bidQty: answer.decimalOrEmpty(),
  askPrice: answer.decimalOrEmpty(),
  askQty: answer.decimalOrEmpty(),
});

/** Endpoints of public spot market data. */
export const marketEndpoints = {
  ping: endpoint.get('/api/v3/ping', {
    ...shared,
    spec: ['SPEC-MKT-01'],
    name: 'Test connectivity',
    summary: 'Tells that the exchange answers.',
    weight: { ip: 1 },
    response: z.object({}),
  }),
  serverTime: endpoint.get('/api/v3/time', {
    ...shared,
    spec: ['SPEC-MKT-02'],
    name: 'Server time',
    summary: "The exchange's time.",
    weight: { ip: 1 },
    response: z.object({ serverTime: answer.moment() }),
  }),
  defaultSymbols: endpoint.get('/api/v3/defaultSymbols', {
    ...shared,
    spec: ['SPEC-MKT-03'],
    name: 'Default symbols',
    summary: 'Names of the pairs that can be traded by API.',
    envelope: 'codeDataMsg',
    weight: { ip: 1 },
    response: z.array(answer.symbolName()),
  }),
  exchangeInfo: endpoint.get('/api/v3/exchangeInfo', {
    ...shared,
    spec: ['SPEC-MKT-04', 'SPEC-MKT-05', 'SPEC-MKT-06', 'SPEC-MKT-07', 'SPEC-MKT-08', 'SPEC-MKT-09', 'DEC-MKT-11'],
    name: 'Exchange information',
    summary: 'Rules of one pair, of several, or of all.',
    weight: { ip: 10 },
    request: z.object(oneOrSeveral()),
    response: z.object({
      timezone: z.literal('UTC'),
      serverTime: answer.moment(),
      rateLimits: z.array(
        z.object({
          rateLimitType: z.enum(['REQUEST_WEIGHT', 'UID_WEIGHT', 'RAW_REQUESTS', 'ORDERS']),
          interval: z.enum(['SECOND', 'MINUTE', 'DAY']),
          intervalNum: answer.count(),
          limit: answer.count(),
        }),
      ),
      exchangeFilters: z.array(z.object({ filterType: z.string(), maxNumOrders: answer.count() })),
      symbols: z.array(symbolEntry),
    }),
    errors: ['badSymbol'],
  }),
  depth: endpoint.get('/api/v3/depth', {
    ...shared,
    spec: ['SPEC-MKT-10', 'SPEC-MKT-11'],
    name: 'Order book',
    summary: 'The order book, best prices first.',
    weight: { ip: 1 },
    request: z.object({ symbol: field.symbol(), limit: field.limit(market.depthDefault, market.depthMax) }),
    response: z.object({ lastUpdateId: answer.count(), bids: z.array(level), asks: z.array(level) }),
    errors: ['badSymbol'],
    example,
  }),
  trades: endpoint.get('/api/v3/trades', {
    ...shared,
    spec: ['SPEC-MKT-12'],
    name: 'Recent trades',
    summary: 'The latest trades, newest first.',
    weight: { ip: 5 },
    request: z.object({ symbol: field.symbol(), limit: field.limit(market.tradesDefault, market.tradesMax) }),
    response: z.array(
      z.object({
        id: answer.count().nullable(),
        price: answer.decimalText(),
        qty: answer.decimalText(),
        quoteQty: answer.decimalText(),
        time: answer.moment(),
        isBuyerMaker: z.boolean(),
        isBestMatch: z.boolean(),
      }),
    ),
    errors: ['badSymbol'],
    example,
  }),
  aggregatedTrades: endpoint.get('/api/v3/aggTrades', {
    ...shared,
    spec: ['SPEC-MKT-13', 'SPEC-MKT-14', 'SPEC-MKT-15'],
    name: 'Aggregate trades',
    summary: 'Trades of one order at one time and price as one, oldest first.',
    weight: { ip: 1 },
    request: z.object({
      symbol: field.symbol(),
      startTime: from(),
      endTime: to(),
      limit: field.limit(market.aggregatedTradesDefault, market.aggregatedTradesMax),
    }),
    rules: [
      { kind: 'together', parameters: ['startTime', 'endTime'] },
      { kind: 'ascending', parameters: ['startTime', 'endTime'] },
    ],
    response: z.array(
      z.object({
        a: answer.count().nullable(),
        f: answer.count().nullable(),
        l: answer.count().nullable(),
        p: answer.decimalText(),
        q: answer.decimalText(),
        T: answer.moment(),
        m: z.boolean(),
        M: z.boolean(),
      }),
    ),
    errors: ['badSymbol'],
    example,
  }),
  candles: endpoint.get('/api/v3/klines', {
    ...shared,
    spec: ['SPEC-MKT-16', 'SPEC-MKT-17'],
    name: 'Candles',
    summary: 'Candles, oldest first.',
    notes: 'Each is [open time, open, high, low, close, volume, close time, quote volume].',
    weight: { ip: 1 },
    request: z.object({
      symbol: field.symbol(),
      interval: field.word(candleIntervalOfWord, 'Length of a candle; case matters.'),
      startTime: from(),
      endTime: to(),
      limit: field.limit(market.candlesDefault, market.candlesMax),
    }),
    rules: [{ kind: 'ascending', parameters: ['startTime', 'endTime'] }],
    response: z.array(
      z
        .tuple([
          answer.moment(),
          answer.decimalText(),
          answer.decimalText(),
          answer.decimalText(),
          answer.decimalText(),
          answer.decimalText(),
          answer.moment(),
          answer.decimalText(),
        ])
        .meta({
          examples: [[1_700_000_000_000, '50000.5', '50010', '49990', '50005', '3.5', 1_700_000_060_000, '175010']],
        }),
    ),
    errors: ['badSymbol'],
    example: { symbol: 'BTCUSDT', interval: '1m' },
  }),
  averagePrice: endpoint.get('/api/v3/avgPrice', {
    ...shared,
    spec: ['SPEC-MKT-18'],
    name: 'Average price',
    summary: 'Volume-weighted average price of the last minutes.',
    weight: { ip: 1 },
    request: z.object({ symbol: field.symbol() }),
    response: z.object({ mins: answer.count(), price: answer.decimalText() }),
    errors: ['badSymbol'],
    example,
  }),
  ticker24h: endpoint.get('/api/v3/ticker/24hr', {
    ...shared,
    spec: ['SPEC-MKT-19', 'SPEC-MKT-20', 'SPEC-MKT-21', 'DEC-MKT-11'],
    name: 'Ticker 24h',
    summary: 'Rolling statistics of 24 hours, of one pair, of several, or of all.',
    notes: 'priceChangePercent is a ratio: 0.0173 is 1.73 %.',
    weight: { ip: oneOrAllWeight(1, 40) },
    request: z.object(oneOrSeveral()),
    response: z.union([dayTicker, z.array(dayTicker)]),
    errors: ['badSymbol'],
  }),
  priceTicker: endpoint.get('/api/v3/ticker/price', {
    ...shared,
    spec: ['SPEC-MKT-20', 'SPEC-MKT-22', 'DEC-MKT-11'],
    name: 'Price ticker',
    summary: 'Last price, of one pair, of several, or of all.',
    weight: { ip: oneOrAllWeight(1, 2) },
    request: z.object(oneOrSeveral()),
    response: z.union([lastPrice, z.array(lastPrice)]),
    errors: ['badSymbol'],
  }),
  bookTicker: endpoint.get('/api/v3/ticker/bookTicker', {
    ...shared,
    spec: ['SPEC-MKT-23', 'DEC-MKT-11'],
    name: 'Book ticker',
    summary: 'Best prices and their quantities, of one pair, of several, or of all.',
    weight: { ip: 1 },
    request: z.object(oneOrSeveral()),
    response: z.union([bestPrices, z.array(bestPrices)]),
    errors: ['badSymbol'],
  }),
};

/** Other paths of some of them, for existing client libraries. */
export const marketAliases = {
  historicalTrades: endpoint.get('/api/v3/historicalTrades', {
    ...marketEndpoints.trades,
    spec: ['DEC-CMP-03'],
    name: 'Historical trades',
    summary: 'The same as trades, for existing client libraries.',
    aliasOf: 'trades',
  }),
};
