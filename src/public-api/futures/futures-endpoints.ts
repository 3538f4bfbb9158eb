import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint } from '#public-api/declaration/endpoint.ts';
import { contract } from '#public-api/futures/contract-endpoints.ts';
import { shared } from '#public-api/futures/shared-fields.ts';
import * as field from '#public-api/declaration/fields.ts';

export const futuresPing = endpoint({
  ...shared,
  path: '/api/v1/contract/ping',
  spec: ['SPEC-FUT-01', 'SPEC-FUT-02'],
  name: 'Futures server time',
  summary: "The exchange's time.",
  request: field.nothing(),
  response: answer.moment(),
  errors: [],
});

export const futuresContracts = endpoint({
  ...shared,
  path: '/api/v1/contract/detail',
  spec: ['SPEC-FUT-03', 'SPEC-FUT-04', 'SPEC-FUT-17', 'DEC-FUT-05'],
  name: 'Futures contracts',
  summary: 'Rules of one contract, or of all.',
  request: z.object({ symbol: field.optional(field.contract()) }),
  response: z.union([contract, z.array(contract)]),
  errors: ['badSymbol'],
});

export const futuresCurrencies = endpoint({
  ...shared,
  path: '/api/v1/contract/support_currencies',
  spec: ['SPEC-FUT-06'],
  name: 'Futures currencies',
  summary: 'Codes of the assets that may be moved between spot and futures wallet.',
  request: field.nothing(),
  response: z.array(z.string().meta({ examples: ['USDT'] })),
  errors: [],
});
