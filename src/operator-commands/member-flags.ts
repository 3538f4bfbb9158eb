import { type JsonSchema, jsonSchemaOf } from '#http/documents/json-schema.ts';
import { type AnyOperatorEndpoint, type FixedMembers, isWrite } from '#operator-api/declaration/endpoint.ts';
import { fileFormat, momentFormat, momentUnit } from '#operator-api/declaration/fields.ts';

/** How the text of a flag becomes a value. */
export type Notation = 'text' | 'file' | 'whole' | 'moment' | 'switch' | 'list' | 'json';

/** A flag for a member of a query or a body, or the argument for one of a path. */
export interface Member {
  readonly place: 'path' | 'query' | 'body';
  /** Names from the outermost: more than one for a member of a member. */
  readonly path: readonly string[];
  /** `--min-quantity`, `--rule.min-amount`; of a member of the path its bare name. */
  readonly flag: string;
  readonly notation: Notation;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** Words that it takes; `null`: others too. Of a list: words of its items. */
  readonly choices: readonly string[] | null;
  readonly description: string;
  /** Of a list: how its items are written. */
  readonly items: Notation | null;
}

/** Flags of the commands themselves: a member of such a name gets `--set-…`. */
const ownFlags: ReadonlySet<string> = new Set([
  ...['--help', '--url', '--token-file', '--exchange', '--data', '--json', '--columns', '--limit', '--all'],
  ...['--cursor', '--out', '--yes', '--idempotency-key', '--if-match', '--body'],
]);

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flag of a member that is not in the path. */
function flagOf(path: readonly string[]): string {
  const flag = `--${path.map(kebab).join('.')}`;
  return ownFlags.has(flag) ? flag.replace('--', '--set-') : flag;
}

const isOfType = (schema: JsonSchema, type: string): boolean => schema['type'] === type;
const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as readonly JsonSchema[];
const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;

/** What a member may be but null and a fixed text. */
function plainOf(schema: JsonSchema): JsonSchema {
  const alternatives = alternativesOf(schema).filter((each) => !isOfType(each, 'null'));
  return alternatives.find((each) => !('const' in each)) ?? alternatives[0] ?? schema;
}

function notationOf(schema: JsonSchema): Notation {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return schema['format'] === momentFormat ? 'moment' : 'whole';
    case 'boolean':
      return 'switch';
    case 'string':
      return schema['format'] === fileFormat ? 'file' : 'text';
    case 'array': {
      const items = notationOf(plainOf((schema['items'] ?? {}) as JsonSchema));
      return items === 'list' || items === 'json' || items === 'switch' ? 'json' : 'list';
    }
    default:
      return 'json';
  }
}

/** What documents say of a member: its own words, else those of what it may be. */
function descriptionOf(schema: JsonSchema): string {
  const { description } = schema;
  if (typeof description === 'string') return description;
  const alternatives = alternativesOf(schema);
  if (alternatives[0] === schema) return '';
  return alternatives.map(descriptionOf).find((text) => text !== '') ?? '';
}

/** `1 to 500`, where both bounds are worth telling. */
function boundsOf({ minimum, maximum }: JsonSchema): string {
  return minimum === undefined || maximum === undefined ? '' : `${String(minimum)} to ${String(maximum)}`;
}

/** A member in words, as it is written in a command. */
function toldOf(schema: JsonSchema, notation: Notation, bounds: string): string {
  const described = descriptionOf(schema);
  if (notation === 'moment') return described.replace(momentUnit, 'Such as 2026-01-31T12:00:00Z.');
  return bounds === '' ? described : `${described} ${bounds}.`;
}

interface Placed {
  readonly place: Member['place'];
  readonly path: readonly string[];
  readonly isRequired: boolean;
}

function memberOf(schema: JsonSchema, { place, path, isRequired }: Placed): Member {
  const plain = plainOf(schema);
  const notation = notationOf(plain);
  const items = notation === 'list' ? plainOf(plain['items'] as JsonSchema) : null;
  const words = (items ?? plain)['enum'] as readonly string[] | undefined;
  const bounds = notation === 'whole' ? boundsOf(plain) : '';
  const description = toldOf(schema, notation, bounds);
  return {
    place,
    path,
    flag: place === 'path' ? path.join('.') : flagOf(path),
    notation,
    isNullable: alternativesOf(schema).some((each) => isOfType(each, 'null')),
    isRequired,
    choices: words ?? null,
    description,
    items: items === null ? null : notationOf(items),
  };
}

/** Members of a schema, those of its objects in their place. */
function membersOf(schema: JsonSchema, { place, path, isRequired }: Placed): readonly Member[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(propertiesOf(schema)).flatMap(([name, member]) => {
    const placed = { place, path: [...path, name], isRequired: isRequired && required.includes(name) };
    const isNested = isOfType(member, 'object') && Object.keys(propertiesOf(member)).length > 0;
    return isNested ? membersOf(member, placed) : [memberOf(member, placed)];
  });
}

/** Whether an endpoint answers a list page by page. */
export const isPaged = (endpoint: AnyOperatorEndpoint): boolean =>
  !isWrite(endpoint) && 'cursor' in endpoint.query.shape && 'limit' in endpoint.query.shape;

/** The arguments of a command: the members of the path, in its order. */
export const argumentsOf = ({ parameters }: AnyOperatorEndpoint): readonly Member[] =>
  membersOf(jsonSchemaOf(parameters, 'input'), { place: 'path', path: [], isRequired: true });

/**
 * The flags of a command: the members of query and body, without those that its words fix and those that say which page
 * of a list.
 */
export function flagsOf(endpoint: AnyOperatorEndpoint, fixed: FixedMembers): readonly Member[] {
  const { query, body } = endpoint;
  const inQuery = membersOf(jsonSchemaOf(query, 'input'), { place: 'query', path: [], isRequired: true });
  const inBody =
    body === null ? [] : membersOf(jsonSchemaOf(body, 'input'), { place: 'body', path: [], isRequired: true });
  const paging: readonly string[] = isPaged(endpoint) ? ['limit', 'cursor'] : [];
  return [
    ...inQuery.filter(({ path }) => !paging.includes(path[0]!)),
    ...inBody.filter(({ path }) => !Object.hasOwn(fixed, path[0]!)),
  ];
}
