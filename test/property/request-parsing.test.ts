import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { ApiError } from '#http/errors.ts';
import { draftOrder, orderParameters } from '#public-api/spot/order-draft.ts';
import { parameterNames, parseRequest } from '#public-api/declaration/request.ts';

const endpoints = Object.values(catalogue as Record<string, AnyEndpoint>);
const names = [...new Set([...endpoints.flatMap(parameterNames), 'toString', '__proto__', 'constructor'])];

/** Values near what is accepted, and anything at all. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '1e3',
    'BTCUSDT',
    'btcusdt',
    'BUY',
    'LIMIT',
    'MARKET',
    '1m',
    '1M',
    'true',
    '[{}]',
    '[]',
  ),
  fc.maxSafeNat().map(String),
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.json({ maxDepth: 3 }),
);
const parameters = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 });

test('whatever is sent, a request is read or refused by name, never with another error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...endpoints), parameters, (endpoint, sent) => {
      try {
        parseRequest(endpoint, sent);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).text).toMatch(/\.$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('whatever is sent, a draft has a fault or every term it needs', () => {
  const own = fc.dictionary(fc.constantFrom(...Object.keys(orderParameters.shape)), value, { maxKeys: 8 });
  fc.assert(
    fc.property(own, (sent) => {
      const draft = draftOrder(sent);
      if (draft.fault !== null) return;
      const { price, quantity, budget } = draft.terms;
      expect(price === null).toBe(draft.kind === 'market');
      expect(quantity === null).toBe(budget !== null);
    }),
    { numRuns: 2000 },
  );
});
