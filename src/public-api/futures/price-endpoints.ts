import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint } from '#public-api/declaration/endpoint.ts';
import { aboutContract, ofContract, page, pages } from '#public-api/futures/futures-endpoints.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

/** Names of candle lengths on the futures side. SPEC-FUT-11. */
const intervals = {
  Min1: '1m',
  Min5: '5m',
  Min15: '15m',
  Min30: '30m',
  Min60: '60m',
  Hour4: '4h',
  Hour8: '8h',
  Day1: '1d',
  Week1: '1W',
  Month1: '1M',
} as const;

const second = (description: string) => field.optional(field.integer({ min: 0, max: 999_999_999_999 }, description));

const candleRange = {
  ...ofContract,
  interval: field.withDefault(field.word(intervals, 'Length of a candle.'), 'Min1'),
  start: second('First open time, in seconds since 1970.'),
  end: second('Last open time, in seconds since 1970.'),
};

/** Of every member one entry a candle, oldest first. */
const candleArrays = z.object({
  time: z.array(answer.count()),
  open: z.array(z.number()),
  close: z.array(z.number()),
  high: z.array(z.number()),
  low: z.array(z.number()),
  vol: z.array(z.number()),
  amount: z.array(z.number()),
  realOpen: z.array(z.number()),
  realClose: z.array(z.number()),
  realHigh: z.array(z.number()),
  realLow: z.array(z.number()),
});

const candles = {
  ...aboutContract,
  spec: ['SPEC-FUT-11', 'SPEC-FUT-12', 'DEC-FUT-16'],
  notes: `At most ${wireLimits.futures.candles} candles: the first from \`start\`, else the newest up to \`end\`.`,
  request: z.object(candleRange),
  rules: [{ kind: 'ascending', parameters: ['start', 'end'] }],
  response: candleArrays,
  errors: ['badSymbol'],
} as const;

/** Endpoints of prices and funding. */
export const futuresPriceEndpoints = {
  futuresIndexPrice: endpoint.get('/api/v1/contract/index_price/{symbol}', {
    ...aboutContract,
    spec: ['SPEC-FUT-09'],
    name: 'Futures index price',
    summary: 'Mean price of the underlying on the spot markets that make the index.',
    request: z.object(ofContract),
    response: z.object({ symbol: z.string(), indexPrice: z.number(), timestamp: answer.moment() }),
    errors: ['badSymbol'],
  }),
  futuresFairPrice: endpoint.get('/api/v1/contract/fair_price/{symbol}', {
    ...aboutContract,
    spec: ['SPEC-FUT-09'],
    name: 'Futures fair price',
    summary: 'Price that positions are valued at.',
    request: z.object(ofContract),
    response: z.object({ symbol: z.string(), fairPrice: z.number(), timestamp: answer.moment() }),
    errors: ['badSymbol'],
  }),
  futuresFundingRate: endpoint.get('/api/v1/contract/funding_rate/{symbol}', {
    ...aboutContract,
    spec: ['SPEC-FUT-10', 'DEC-FUT-15'],
    name: 'Futures funding rate',
    summary: 'Rate that longs would pay to shorts if the cycle ended now, its bounds, and when it is settled next.',
    request: z.object(ofContract),
    response: z.object({
      symbol: z.string(),
      fundingRate: z.number(),
      maxFundingRate: z.number(),
      minFundingRate: z.number(),
      collectCycle: answer.count(),
      nextSettleTime: answer.moment(),
      timestamp: answer.moment(),
    }),
    errors: ['badSymbol'],
  }),
  futuresFundingHistory: endpoint.get('/api/v1/contract/funding_rate/history', {
    ...aboutContract,
    spec: ['SPEC-FUT-16'],
    name: 'Futures funding history',
    summary: 'Rates that were settled, newest first.',
    readsHistory: true,
    request: z.object(pages(wireLimits.futures.fundingPageSize)),
    response: page(
      z.object({
        symbol: z.string(),
        fundingRate: z.number(),
        settleTime: answer.moment(),
        collectCycle: answer.count(),
      }),
    ),
    errors: ['badSymbol'],
  }),
};

/** Endpoints of candles of contracts. */
export const futuresCandleEndpoints = {
  futuresCandles: endpoint.get('/api/v1/contract/kline/{symbol}', {
    ...candles,
    name: 'Futures candles',
    summary: 'Candles of trades as parallel arrays, oldest first.',
  }),
  futuresIndexCandles: endpoint.get('/api/v1/contract/kline/index_price/{symbol}', {
    ...candles,
    name: 'Futures index candles',
    summary: 'Candles of the index price as parallel arrays, oldest first.',
  }),
  futuresFairCandles: endpoint.get('/api/v1/contract/kline/fair_price/{symbol}', {
    ...candles,
    name: 'Futures fair candles',
    summary: 'Candles of the fair price as parallel arrays, oldest first.',
  }),
};
