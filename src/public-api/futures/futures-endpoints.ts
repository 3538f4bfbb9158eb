import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import { z } from 'zod';
import { endpoint, isPublic } from '#public-api/declaration/endpoint.ts';
import { contract } from '#public-api/futures/contract-endpoints.ts';
import { wireLimits } from '#http/limits.ts';

/** What every endpoint of the futures side has in common. */
export const shared = {
  surface: 'futures',
  access: isPublic,
  envelope: 'futures',
  weight: {},
} as const;

/** What every endpoint about one contract has in common. */
export const aboutContract = { ...shared, example: { symbol: 'BTC_USDT' } } as const;

/** Parameters of an endpoint about one contract. */
export const ofContract = { symbol: field.contract() } as const;

/** Parameters of a history by pages. SPEC-FUT-15, SPEC-FUT-16. */
export const pages = (sizeMax: number) => ({
  ...ofContract,
  page_num: field.withDefault(field.integer({ min: 1, max: 1_000_000 }, 'Which page, from 1.'), '1'),
  page_size: field.withDefault(field.integer({ min: 1, max: sizeMax }, 'Entries of a page.'), '20'),
});

/** A page of a history, newest first. */
export const page = <S extends z.ZodType>(entry: S) =>
  z.object({
    pageSize: answer.count(),
    totalCount: answer.count(),
    totalPage: answer.count(),
    currentPage: answer.count(),
    resultList: z.array(entry),
  });

/** Endpoints of time, contracts and currencies of the futures side. */
export const futuresEndpoints = {
  futuresPing: endpoint.get('/api/v1/contract/ping', {
    ...shared,
    spec: ['SPEC-FUT-01', 'SPEC-FUT-02'],
    name: 'Futures server time',
    summary: "The exchange's time.",
    response: answer.moment(),
  }),
  futuresContracts: endpoint.get('/api/v1/contract/detail', {
    ...shared,
    spec: ['SPEC-FUT-03', 'SPEC-FUT-04', 'SPEC-FUT-17', 'DEC-FUT-05'],
    name: 'Futures contracts',
    summary: 'Rules of one contract, or of all.',
    request: z.object({ symbol: field.optional(field.contract()) }),
    response: z.union([contract, z.array(contract)]),
    errors: ['badSymbol'],
  }),
  futuresCurrencies: endpoint.get('/api/v1/contract/support_currencies', {
    ...shared,
    spec: ['SPEC-FUT-06'],
    name: 'Futures currencies',
    summary: 'Codes of the assets that may be moved between spot and futures wallet.',
    response: z.array(z.string().meta({ examples: ['USDT'] })),
  }),
};

const fund = {
  ...shared,
  spec: ['SPEC-FUT-15'],
  response: z.array(
    z.object({ symbol: z.string(), currency: z.string(), available: z.number(), timestamp: answer.moment() }),
  ),
} as const;

/** Endpoints of insurance funds. */
export const futuresFundEndpoints = {
  futuresFund: endpoint.get('/api/v1/contract/risk_reverse/{symbol}', {
    ...fund,
    ...aboutContract,
    name: 'Futures insurance fund',
    summary: 'Balance of the insurance fund of a contract.',
    request: z.object(ofContract),
    errors: ['badSymbol'],
  }),
  futuresFundHistory: endpoint.get('/api/v1/contract/risk_reverse/history', {
    ...aboutContract,
    spec: ['SPEC-FUT-15', 'DEC-FUT-17'],
    name: 'Futures insurance fund history',
    summary: 'Balances of the insurance fund of a contract over time, newest first.',
    readsHistory: true,
    request: z.object(pages(wireLimits.futures.fundPageSize)),
    response: page(
      z.object({ symbol: z.string(), currency: z.string(), available: z.number(), snapshotTime: answer.moment() }),
    ),
    errors: ['badSymbol'],
  }),
};

/** Other paths of some of them, for existing client libraries. */
export const futuresFundAliases = {
  futuresFunds: endpoint.get('/api/v1/contract/risk_reverse', {
    ...fund,
    aliasOf: 'futuresFund',
    name: 'Futures insurance funds',
    summary: 'Balances of the insurance funds of all contracts.',
  }),
};
