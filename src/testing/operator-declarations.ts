import { descriptionOf } from '#http/declared-endpoint.ts';
import { type JsonSchema, jsonSchemaOf } from '#http/documents/json-schema.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';

/*
 * The declarations of `OperatorCalls` as the package has them: written out from the catalogue, so that who installs it
 * needs no further types, and reads what each call is about where it is typed.
 */

/** `operator-calls.d.ts` of the package. DEC-KIT-83. */
export function operatorDeclarations(): string {
  const methods = Object.entries<AnyOperatorEndpoint>(catalogue).map(([id, endpoint]) => {
    const described = comment(descriptionOf(endpoint));
    return `${described}  ${id}(${asked(endpoint)}): Promise<${answered(endpoint)}>;\n`;
  });
  const head = '/** Every endpoint of the operator API as a method. */\nexport interface OperatorCalls {\n';
  return `${head}${methods.join('')}}\n`;
}

const comment = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '';

function asked({ parameters, query, body, isStreamed }: AnyOperatorEndpoint): string {
  const parts = [
    parameters,
    isStreamed === true ? query.omit({ format: true }) : query,
    ...(body === null ? [] : [body]),
  ];
  const schemas = parts.map((part) => jsonSchemaOf(part, 'input'));
  const isOptional = schemas.every(({ required }) => required === undefined || (required as string[]).length === 0);
  const all = schemas.map(membersOf).join('');
  return all === '' ? '' : `members${isOptional ? '?' : ''}: {\n${all}}`;
}

function answered({ answer, isStreamed }: AnyOperatorEndpoint): string {
  const type = typeOf(jsonSchemaOf(answer));
  return isStreamed === true ? `Array<${type}>` : type;
}

/** Members of an object as lines. */
function membersOf({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .map(([name, schema]) => {
      const mark = (required as readonly string[]).includes(name) ? '' : '?';
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      return `${comment(schema['description'])}${key}${mark}: ${typeOf(schema)};\n`;
    })
    .join('');
}

/** A schema as a type. @throws TypeError where it is of a kind that no endpoint had */
function typeOf(schema: JsonSchema): string {
  const { type, anyOf, oneOf, allOf } = schema as Readonly<Record<string, readonly JsonSchema[] | undefined>>;
  const some = anyOf ?? oneOf;
  if (some !== undefined) return some.map((each) => `(${typeOf(each)})`).join(' | ');
  if (allOf !== undefined) return allOf.map((each) => `(${typeOf(each)})`).join(' & ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  return typeOfKind(schema);
}

function typeOfKind(schema: JsonSchema): string {
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
      if (Array.isArray(prefixItems)) return `[${prefixItems.map((each: JsonSchema) => typeOf(each)).join(', ')}]`;
      return `Array<${typeOf(items as JsonSchema)}>`;
    case 'object':
      if (properties !== undefined) return `{\n${membersOf(schema)}}`;
      if (typeof additionalProperties === 'object')
        return `Record<string, ${typeOf(additionalProperties as JsonSchema)}>`;
      return 'Record<string, unknown>';
    case undefined:
      return 'unknown';
    default:
      throw new TypeError(`no type is known for the schema ${JSON.stringify(schema)}`);
  }
}
