import type { JsonSchema } from '#http/documents/json-schema.ts';

/*
 * Schemas as TypeScript, for declarations that are written out of a catalogue: readers need neither this project's
 * types nor its packages.
 */

/** A comment in front of a member; empty without a text. */
export const commentText = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '';

/** A name as a member has it: in quotes where it has to be. */
export const memberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Members of an object's schema as lines. */
export function membersText({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .map(([name, schema]) => {
      const mark = (required as readonly string[]).includes(name) ? '' : '?';
      return `${commentText(schema['description'])}${memberName(name)}${mark}: ${typeText(schema)};\n`;
    })
    .join('');
}

/** A schema as a type. @throws TypeError where it is of a kind that no endpoint had */
export function typeText(schema: JsonSchema): string {
  const { type, anyOf, oneOf, allOf } = schema as Readonly<Record<string, readonly JsonSchema[] | undefined>>;
  const some = anyOf ?? oneOf;
  if (some !== undefined) return some.map((each) => `(${typeText(each)})`).join(' | ');
  if (allOf !== undefined) return allOf.map((each) => `(${typeText(each)})`).join(' & ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeText({ ...schema, type: each })).join(' | ');
  return kindText(schema);
}

function kindText(schema: JsonSchema): string {
  const { type, prefixItems, items, properties, additionalProperties } = schema;
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      if (Array.isArray(prefixItems)) return `[${prefixItems.map((each: JsonSchema) => typeText(each)).join(', ')}]`;
      return `Array<${typeText(items as JsonSchema)}>`;
    case 'object':
      if (properties !== undefined) return `{\n${membersText(schema)}}`;
      if (typeof additionalProperties === 'object')
        return `Record<string, ${typeText(additionalProperties as JsonSchema)}>`;
      return 'Record<string, unknown>';
    case undefined:
      return 'unknown';
    default:
      throw new TypeError(`no type is known for the schema ${JSON.stringify(schema)}`);
  }
}
