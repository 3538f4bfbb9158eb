/** A JSON schema, as far as it is shown. */
export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  readonly 'x-protobuf-number'?: number;
}

/** A member of what is sent or answered. */
export interface SchemaRow {
  /** How deep it stands. */
  readonly depth: number;
  /** Where it stands, which no other row has. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly about: string;
  /** Values that it may have. */
  readonly values: readonly string[];
  readonly isOptional: boolean;
}

const depthMax = 6;
/** Greater bounds are those of all numbers, and tell nothing. */
const toldBelow = 1e14;
const decimalPattern = /^\^\((?:\?:)?0\|\[1-9\]/;

/** Alternatives other than `null`. */
const eitherOf = ({ anyOf, oneOf }: Schema): readonly Schema[] =>
  (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');

/** The one schema that says what a value is: nothing but `null` stands beside it. */
function plainOf(schema: Schema): Schema {
  const either = eitherOf(schema);
  return either.length === 1 ? { ...schema, anyOf: undefined as never, ...plainOf(either[0] as Schema) } : schema;
}

const mayBeNull = ({ anyOf, oneOf }: Schema): boolean => (anyOf ?? oneOf ?? []).some(({ type }) => type === 'null');

/** What a value is, in a word or two. */
export function typeText(schema: Schema): string {
  const plain = plainOf(schema);
  const { type, $ref, items, prefixItems, format, pattern } = plain;
  const orNull = mayBeNull(schema) ? ' or null' : '';
  if ($ref !== undefined) return `${$ref.split('/').at(-1)}${orNull}`;
  if (type === 'array') {
    if (prefixItems !== undefined) return `list of ${prefixItems.length}${orNull}`;
    return `${items ? typeText(items) : 'any'}[]${orNull}`;
  }
  if (type === 'string' && pattern !== undefined && decimalPattern.test(pattern)) return `decimal${orNull}`;
  if (type === undefined) {
    const either = eitherOf(plain);
    return either.length === 0 ? `any${orNull}` : `${[...new Set(either.map(typeText))].join(' or ')}${orNull}`;
  }
  return `${format ?? (type === 'string' ? 'text' : type)}${orNull}`;
}

/** Words that a value may be. */
export function valuesOf(schema: Schema): readonly string[] {
  const plain = plainOf(schema);
  if (plain.enum !== undefined) return plain.enum.map((value) => JSON.stringify(value).replace(/^"(.+)"$/, '$1'));
  if ('const' in plain) return [JSON.stringify(plain.const).replace(/^"(.+)"$/, '$1')];
  return plain.items ? valuesOf(plain.items) : [];
}

/** Bounds and what stands by itself, as a sentence; empty: there are none. */
export function boundsText({ minimum, maximum, maxLength, default: byItself }: Schema): string {
  const parts = [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined || maximum >= toldBelow ? '' : `up to ${maximum}`,
    maxLength === undefined ? '' : `up to ${maxLength} characters`,
    byItself === undefined ? '' : `by itself ${JSON.stringify(byItself).replaceAll('"', '')}`,
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The members of a schema, those within others below them. Lists show what an item has. */
export function rowsOf(schema: Schema, depth = 0, above = ''): readonly SchemaRow[] {
  const plain = plainOf(schema);
  if (depth > depthMax) return [];
  if (plain.items) return rowsOf(plain.items, depth, `${above}[]`);
  const either = eitherOf(plain);
  if (either.length > 1) {
    const rows = either.flatMap((each, index) => rowsOf(each, depth, `${above}|${index}`));
    // One thing or a list of them: their members are told once.
    const places = rows.map((row) => row.path.slice(above.length).replace(/^\|\d+(?:\[\])?/, ''));
    return rows.filter((_, index) => places.indexOf(places[index] as string) === index);
  }
  const { properties = {}, required = [], prefixItems = [], additionalProperties } = plain;
  const members: readonly (readonly [string, Schema, boolean])[] = [
    ...Object.entries(properties).map(([name, member]) => [name, member, !required.includes(name)] as const),
    ...prefixItems.map((member, index) => [`${index}`, member, false] as const),
    ...(typeof additionalProperties === 'object' ? [['any name', additionalProperties, true] as const] : []),
  ];
  return members.flatMap(([name, member, isOptional]) => {
    const path = `${above}.${name}`;
    const about = member.description ?? plainOf(member).description ?? '';
    // Fields of protobuf have numbers, and all of them may lack.
    const number = member['x-protobuf-number'];
    const type = `${typeText(member)}${number === undefined ? '' : `, field ${number}`}`;
    const mayLack = isOptional && number === undefined;
    const row = { depth, path, name, type, about, values: valuesOf(member), isOptional: mayLack };
    return [row, ...rowsOf(member, depth + 1, path)];
  });
}
