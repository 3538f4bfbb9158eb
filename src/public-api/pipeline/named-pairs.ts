import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import { pathValuesOf } from '#public-api/pipeline/route.ts';
import { sentValue } from '#public-api/pipeline/spend-budgets.ts';

/** Parameters that name pairs or contracts: one, several, or the orders of a batch. */
export const pairParameters = ['symbol', 'symbols', 'batchOrders'] as const;

const nameInText = /[A-Z0-9_]{2,25}/g;
/** Bounded, so that text without an end is not read again and again. */
const memberOfJson = /"symbols?"\s*:\s*("[^"]{0,1000}"|\[[^\]]{0,1000}\])/g;

/** The names in JSON text, in order; those of other members are none. */
const namesInJson = (text: string): readonly string[] =>
  [...text.matchAll(memberOfJson)].flatMap(([, value = '']) => value.match(nameInText) ?? []);

/** The names in a query or a form. */
function namesInPairs(raw: string): readonly string[] {
  return pairParameters.flatMap((parameter) => {
    const value = sentValue(raw, parameter);
    return parameter === 'batchOrders' ? namesInJson(value) : (value.match(nameInText) ?? []);
  });
}

/** The pairs and contracts that a request names, before its parameters are read: what is malformed names none. */
export function namedPairs({ route, path, query, body }: EndpointRequest): readonly string[] {
  const inPath = route === null ? undefined : pathValuesOf(route, path)['symbol'];
  const text = body?.toString('latin1') ?? '';
  return [
    ...(inPath === undefined ? [] : [inPath]),
    ...namesInPairs(query),
    ...(/^\s*\{/.test(text) ? namesInJson(text) : namesInPairs(text)),
  ];
}
