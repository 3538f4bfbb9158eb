import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint } from '#public-api/declaration/endpoint.ts';
import { aboutContract, ofContract, page, pages, shared } from '#public-api/futures/shared-fields.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

const fund = {
  ...shared,
  spec: ['SPEC-FUT-15'],
  response: z.array(
    z.object({ symbol: z.string(), currency: z.string(), available: z.number(), timestamp: answer.moment() }),
  ),
} as const;

export const futuresFund = endpoint({
  ...fund,
  ...aboutContract,
  path: '/api/v1/contract/risk_reverse/{symbol}',
  name: 'Futures insurance fund',
  summary: 'Balance of the insurance fund of a contract.',
  request: z.object(ofContract),
  errors: ['badSymbol'],
});

export const futuresFunds = endpoint({
  ...fund,
  path: '/api/v1/contract/risk_reverse',
  aliasOf: 'futuresFund',
  name: 'Futures insurance funds',
  summary: 'Balances of the insurance funds of all contracts.',
  request: field.nothing(),
  errors: [],
});

export const futuresFundHistory = endpoint({
  ...aboutContract,
  path: '/api/v1/contract/risk_reverse/history',
  spec: ['SPEC-FUT-15', 'DEC-FUT-17'],
  name: 'Futures insurance fund history',
  summary: 'Balances of the insurance fund of a contract over time, newest first.',
  request: z.object(pages(wireLimits.futures.fundPageSize)),
  response: page(
    z.object({ symbol: z.string(), currency: z.string(), available: z.number(), snapshotTime: answer.moment() }),
  ),
  errors: ['badSymbol'],
});
