import type { JsonSchema } from '#http/documents/json-schema.ts';
import { docstring, isName, pascalCase } from './python-text.ts';

/** Whether a type is of what is sent or of what is answered: what is sent may be any sequence or mapping. */
export type Direction = 'sent' | 'answered';

/** Types of Python made of schemas. Objects become `TypedDict` classes, which are declared once each. */
export class PythonTypes {
  readonly #declared = new Map<string, string>();
  readonly #direction: Direction;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** All classes so far, each behind those that it names. */
  declarations(): string {
    return [...this.#declared.values()].join('\n\n');
  }

  /** A schema as a type; `name` is that of its class where it is an object. @throws TypeError where a schema is new */
  typeOf(schema: JsonSchema, name: string): string {
    const { type, anyOf, oneOf } = schema as Readonly<Record<string, readonly JsonSchema[] | undefined>>;
    const some = anyOf ?? oneOf;
    if (some !== undefined) return unionOf(some.map((each, index) => this.typeOf(each, branchName(name, each, index))));
    if ('const' in schema) return literal([schema['const']]);
    if (Array.isArray(schema['enum'])) return literal(schema['enum']);
    if (Array.isArray(type)) return unionOf(type.map((each) => this.#typeOfKind({ ...schema, type: each }, name)));
    return this.#typeOfKind(schema, name);
  }

  #typeOfKind(schema: JsonSchema, name: string): string {
    switch (schema['type']) {
      case 'string':
        return 'str';
      case 'number':
        return this.#direction === 'sent' ? 'float' : 'int | Decimal';
      case 'integer':
        return 'int';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return this.#listOf(schema, name);
      case 'object':
        return this.#objectOf(schema, name);
      case undefined:
        return 'Any';
      default:
        throw new TypeError(`no type of Python is known for the schema ${JSON.stringify(schema)}`);
    }
  }

  #listOf({ prefixItems, items }: JsonSchema, name: string): string {
    const each = (prefixItems ?? (items === undefined ? [] : [items])) as readonly JsonSchema[];
    const inner = unionOf(each.map((item, index) => this.typeOf(item, branchName(`${name}Item`, item, index))));
    return `${this.#direction === 'sent' ? 'Sequence' : 'list'}[${inner === '' ? 'Any' : inner}]`;
  }

  #objectOf(schema: JsonSchema, name: string): string {
    const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
    if (properties.length > 0) {
      this.#declare(name, properties, (schema['required'] ?? []) as readonly string[]);
      return name;
    }
    const values = schema['additionalProperties'];
    const inner = typeof values === 'object' ? this.typeOf(values as JsonSchema, `${name}Value`) : 'Any';
    return `${this.#direction === 'sent' ? 'Mapping' : 'dict'}[str, ${inner}]`;
  }

  #declare(name: string, properties: readonly [string, JsonSchema][], required: readonly string[]): void {
    const members = properties.map(([member, schema]) => {
      const type = this.typeOf(schema, `${name}${pascalCase(member)}`);
      const { description } = schema as { readonly description?: string };
      return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, description };
    });
    if (this.#declared.has(name)) throw new TypeError(`two types of Python would be called ${name}`);
    if (members.every(({ member }) => isName(member))) {
      const lines = members.map(
        ({ member, type, description }) => `    ${member}: ${type}\n${docstring(description, '    ')}`,
      );
      this.#declared.set(name, `class ${name}(TypedDict):\n${lines.join('')}`);
      return;
    }
    const entries = members.map(({ member, type }) => `        ${JSON.stringify(member)}: ${type},\n`);
    this.#declared.set(name, `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`);
  }
}

/** The types of a union: bars within brackets part nothing, and no word of the catalogue has one. */
function partsOf(type: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  for (const part of type.split(' | ')) {
    if (depth > 0) parts.push(`${parts.pop()} | ${part}`);
    else parts.push(part);
    depth += part.split('[').length - part.split(']').length;
  }
  return parts;
}

/** Types beside each other, each once. */
function unionOf(types: readonly string[]): string {
  const all = [...new Set(types.flatMap(partsOf))];
  // None last, as people write it.
  return [...all.filter((type) => type !== 'None'), ...all.filter((type) => type === 'None')].join(' | ');
}

/** The text of a value in Python. */
const valueText = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** A type of these values only. */
export function literal(values: readonly unknown[]): string {
  const some = values.filter((value) => value !== null);
  const texts = some.length === 0 ? [] : [`Literal[${some.map(valueText).join(', ')}]`];
  return [...texts, ...(some.length < values.length ? ['None'] : [])].join(' | ');
}

/** The name of one of several: by the word that tells it apart, else by its place. */
function branchName(name: string, schema: JsonSchema, index: number): string {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const [told] = Object.values(properties).filter((each) => typeof each['const'] === 'string');
  if (told !== undefined) return `${name}${pascalCase(told['const'] as string)}`;
  return index === 0 ? name : `${name}${index + 1}`;
}
