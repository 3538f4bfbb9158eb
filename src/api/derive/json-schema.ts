import { z } from 'zod';

/** A JSON Schema as OpenAPI 3.1 embeds it. */
export type JsonSchema = { readonly [member: string]: unknown };

/** JSON Schema of an answer; every member that it may have. */
export function jsonSchemaOf(answer: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { io: 'output', target: 'draft-2020-12' });
  return schema as JsonSchema;
}

const membersOf = (schema: JsonSchema): readonly [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
const listOf = (schema: JsonSchema, name: string): readonly JsonSchema[] | null =>
  Array.isArray(schema[name]) ? (schema[name] as readonly JsonSchema[]) : null;

/** A value that fits a schema made of this project's answers: its example, its only value, or the plainest one. */
export function sampleOf(schema: JsonSchema): unknown {
  const given = listOf(schema, 'examples') ?? listOf(schema, 'enum');
  if (given !== null) return given[0];
  if ('const' in schema) return schema['const'];
  const either = listOf(schema, 'anyOf') ?? listOf(schema, 'oneOf');
  if (either !== null) return sampleOf(either[0] ?? {});
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(membersOf(schema).map(([name, member]) => [name, sampleOf(member)]));
    case 'array': {
      const tuple = listOf(schema, 'prefixItems');
      if (tuple !== null) return tuple.map(sampleOf);
      return schema['items'] === undefined ? [] : [sampleOf(schema['items'] as JsonSchema)];
    }
    case 'string':
      return '';
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    default:
      return null;
  }
}
