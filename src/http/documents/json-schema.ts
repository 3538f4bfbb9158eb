import { z } from 'zod';

/** A JSON Schema as OpenAPI 3.1 embeds it. */
export type JsonSchema = { readonly [member: string]: unknown };

/** JSON Schema of what is answered, with every member that it may have, or of what is sent (`input`). */
export function jsonSchemaOf(shape: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // All integers are safe integers; the bounds would only add noise.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema as JsonSchema;
}

/** Values of samples by the name of their member; the first pattern that fits. */
const samples: readonly (readonly [RegExp, string])[] = [
  [/clientOrderId/i, 'my-order-1'],
  [/^orderId$/, 'C02__100000000000000001'],
  [/^id$/, '100000000000000001X1'],
  [/percent|change/i, '0.0173'],
  [/commission$/i, '0.0005'],
  [/commissionAsset|quoteAsset/, 'USDT'],
  [/asset|coin/i, 'BTC'],
  [/multiplierUp/i, '1.2'],
  [/multiplierDown/i, '0.8'],
  [/price/i, '50000.5'],
  [/quoteQty|quoteVolume|quoteOrderQty|quoteAmount/i, '12500'],
  [/qty|quantity|volume|free|locked|available|^[pq]$/i, '0.25'],
  [/^uid$/, '10000001'],
  [/^msg$/, 'success'],
  [/fullName|^name$/, 'Bitcoin'],
  [/^permissions$/, 'SPOT'],
  [/filterType/, 'EXCHANGE_MAX_NUM_ORDERS'],
  [/^network$/, 'Ethereum(ERC20)'],
  [/^netWork$/, 'ETH'],
  [/^symbol$|displayName/, 'BTC_USDT'],
  [/listenKey/i, '5f3c'.repeat(16)],
  [/address$/i, '0x52908400098527886E0F7030069857D2E4169EE7'],
  [/^txId$/, `0x${'5f3c'.repeat(16)}`],
  [/^memo$/, '10000001'],
];
const sampleOfName = (name: string): string | undefined => samples.find(([pattern]) => pattern.test(name))?.[1];

const membersOf = (schema: JsonSchema): readonly [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
const listOf = (schema: JsonSchema, name: string): readonly JsonSchema[] | null =>
  Array.isArray(schema[name]) ? (schema[name] as readonly JsonSchema[]) : null;

function sampleOfText(schema: JsonSchema, name: string): unknown {
  const pattern = schema['pattern'];
  const example = listOf(schema, 'examples')?.[0];
  if (pattern === undefined && example !== undefined) return example;
  const byName = sampleOfName(name);
  if (byName !== undefined && (typeof pattern !== 'string' || new RegExp(pattern).test(byName))) return byName;
  return example ?? (schema['minLength'] === undefined ? '' : 'text');
}

/**
 * An example value for a schema of a response: its only value, its own example, or a plausible one by the name of the
 * member.
 */
export function sampleOf(schema: JsonSchema, name = ''): unknown {
  const words = listOf(schema, 'enum');
  if (words !== null) return words[0];
  if ('const' in schema) return schema['const'];
  const either = listOf(schema, 'anyOf') ?? listOf(schema, 'oneOf');
  if (either !== null) return sampleOf(either[0] ?? {}, name);
  if (schema['type'] === 'string') return sampleOfText(schema, name);
  const examples = listOf(schema, 'examples');
  if (examples !== null) return examples[0];
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(membersOf(schema).map(([member, inner]) => [member, sampleOf(inner, member)]));
    case 'array': {
      const tuple = listOf(schema, 'prefixItems');
      if (tuple !== null) return tuple.map((inner) => sampleOf(inner));
      return schema['items'] === undefined ? [] : [sampleOf(schema['items'] as JsonSchema, name)];
    }
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    default:
      return null;
  }
}
