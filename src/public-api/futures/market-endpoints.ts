import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint } from '#public-api/declaration/endpoint.ts';
import { aboutContract, ofContract, shared } from '#public-api/futures/futures-endpoints.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

/** Price, number of orders, and quantity in contracts. DEC-FUT-02. */
const level = z.tuple([z.number(), answer.count(), answer.count()]);

/** Change since the start of the day, and over so many days, as ratios. DEC-FUT-04. */
const changeRates = z.object({
  zone: z.literal('UTC'),
  r: z.number(),
  v: z.number(),
  r7: z.number(),
  r30: z.number(),
  r90: z.number(),
  r180: z.number(),
  r365: z.number(),
});

const ticker = z.object({
  contractId: answer.count(),
  symbol: z.string(),
  lastPrice: z.number(),
  bid1: z.number(),
  ask1: z.number(),
  volume24: answer.count(),
  amount24: z.number(),
  holdVol: answer.count(),
  lower24Price: z.number(),
  high24Price: z.number(),
  riseFallRate: z.number(),
  riseFallValue: z.number(),
  indexPrice: z.number(),
  fairPrice: z.number(),
  fundingRate: z.number(),
  maxBidPrice: z.number(),
  minAskPrice: z.number(),
  timestamp: answer.moment(),
  riseFallRates: changeRates,
  riseFallRatesOfTimezone: z.tuple([z.number(), z.number(), z.number()]),
});

/** Endpoints of books, trades and tickers of contracts. */
export const futuresMarketEndpoints = {
  futuresDepth: endpoint.get('/api/v1/contract/depth/{symbol}', {
    ...aboutContract,
    spec: ['SPEC-FUT-07', 'DEC-FUT-02', 'DEC-FUT-37'],
    name: 'Futures order book',
    summary: 'Levels of the book, best first.',
    notes:
      'A level is `[price, order count, quantity]`; with the setting `modelHabits` `[price, quantity, order count]`.',
    request: z.object({
      ...ofContract,
      limit: field.optional(
        field.integer({ min: 1, max: wireLimits.futures.depthLevels }, 'How many levels a side at most; else all.'),
      ),
    }),
    response: z.object({
      asks: z.array(level),
      bids: z.array(level),
      version: answer.count(),
      timestamp: answer.moment(),
    }),
    errors: ['badSymbol'],
  }),
  futuresDepthCommits: endpoint.get('/api/v1/contract/depth_commits/{symbol}/{limit}', {
    ...aboutContract,
    example: { symbol: 'BTC_USDT', limit: '20' },
    spec: ['SPEC-FUT-08', 'DEC-FUT-10'],
    name: 'Futures order book changes',
    summary: 'Levels that changed, per version of the book, newest first.',
    notes: 'A quantity of 0 removes a level.',
    request: z.object({
      ...ofContract,
      limit: field.integer({ min: 1, max: wireLimits.futures.depthCommits }, 'How many versions at most.'),
    }),
    response: z.array(z.object({ asks: z.array(level), bids: z.array(level), version: answer.count() })),
    errors: ['badSymbol'],
  }),
  futuresDeals: endpoint.get('/api/v1/contract/deals/{symbol}', {
    ...aboutContract,
    spec: ['SPEC-FUT-13', 'DEC-FUT-11'],
    name: 'Futures trades',
    summary: 'The newest trades, newest first.',
    notes:
      '`T` is 1 if the taker bought, else 2. `O` is 1 if both sides opened, 2 if neither did, else 3. ' +
      '`M` is 1 if both sides were one account, else 2.',
    request: z.object({ ...ofContract, limit: field.limit(wireLimits.futures.deals, wireLimits.futures.deals) }),
    response: z.array(
      z.object({
        p: z.number(),
        v: answer.count(),
        T: z.number().int().min(1).max(2),
        O: z.number().int().min(1).max(3),
        M: z.number().int().min(1).max(2),
        t: answer.moment(),
      }),
    ),
    errors: ['badSymbol'],
  }),
  futuresTicker: endpoint.get('/api/v1/contract/ticker', {
    ...shared,
    spec: ['SPEC-FUT-14', 'DEC-FUT-04', 'DEC-FUT-05'],
    name: 'Futures ticker',
    summary: 'Prices and the last 24 hours of one contract, or of all.',
    request: z.object({ symbol: field.optional(field.contract()) }),
    response: z.union([ticker, z.array(ticker)]),
    errors: ['badSymbol'],
  }),
};
