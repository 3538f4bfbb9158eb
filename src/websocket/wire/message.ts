/**
 * The messages that the websocket pushes, as data: declared once, next to what fills them. Their encodings
 * (`encode.ts`), the schema that clients download and the AsyncAPI document follow from that, and so do the types of
 * their content.
 */

/** Types of numbers, text and flags on the wire; numbers are whole and not negative. */
export type ScalarType = 'string' | 'int32' | 'int64' | 'bool';
/** A plain field always has a value, an optional one may be absent, a repeated one is a list. */
export type FieldRule = 'plain' | 'optional' | 'repeated';

/** One field of a message, under its name. */
export interface Field<Rule extends FieldRule = FieldRule, Type = ScalarType | Message> {
  /** Its number in protobuf: unique in its message, never given to another field. */
  readonly number: number;
  readonly rule: Rule;
  readonly type: Type;
  /** What readers of the schema are told; empty where the name says it all. */
  readonly description: string;
}
type Fields = Readonly<Record<string, Field>>;

/** A message of the schema. */
export interface Message<Declared extends Fields = Fields> {
  readonly name: string;
  readonly description: string;
  readonly fields: Declared;
}

interface ScalarValues {
  readonly string: string;
  readonly int32: number;
  readonly int64: number;
  readonly bool: boolean;
}
type ValueOf<Type> = Type extends Message ? ContentOf<Type> : Type extends ScalarType ? ScalarValues[Type] : never;
type FieldContent<Of> =
  Of extends Field<infer Rule, infer Type>
    ? Rule extends 'repeated'
      ? readonly ValueOf<Type>[]
      : ValueOf<Type>
    : never;
type OptionalNames<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends Field<'optional', unknown> ? Name : never;
}[keyof Declared];

/** What a message holds: a value for each field, under the field's name. */
export type ContentOf<Of> =
  Of extends Message<infer Declared>
    ? { readonly [Name in Exclude<keyof Declared, OptionalNames<Declared>>]: FieldContent<Declared[Name]> } & {
        readonly [Name in OptionalNames<Declared>]?: FieldContent<Declared[Name]>;
      }
    : never;

type PlainField = <Type extends ScalarType>(number: number, type: Type, description?: string) => Field<'plain', Type>;
type OptionalField = <Type extends ScalarType | Message>(
  number: number,
  type: Type,
  description?: string,
) => Field<'optional', Type>;

/** A field that always has a value. */
export const field: PlainField = (number, type, description = '') => ({ number, rule: 'plain', type, description });

/** A field that may be absent. */
export const optional: OptionalField = (number, type, description = '') => ({
  number,
  rule: 'optional',
  type,
  description,
});

/** A list of messages. */
export const repeated = <Item extends Message>(number: number, type: Item): Field<'repeated', Item> => ({
  number,
  rule: 'repeated',
  type,
  description: '',
});

/** What is told of fields that clients may know from elsewhere. */
export const neverSent = 'Never sent.';

/** A field that clients of this API family know and that never has a value. */
export const unsent = <Type extends ScalarType>(number: number, type: Type): Field<'optional', Type> =>
  optional(number, type, neverSent);

/** A message; `description` may be empty. @throws TypeError if two fields have one number. */
export function declareMessage<Declared extends Fields>(
  name: string,
  description: string,
  fields: Declared,
): Message<Declared> {
  const numbers = Object.values(fields).map(({ number }) => number);
  if (new Set(numbers).size < numbers.length) throw new TypeError(`${name} gives a number twice`);
  return { name, description, fields };
}

/** The fields of a message with their names, by number: the order in which they are written. */
export const fieldsByNumber = ({ fields }: Message): readonly (Field & { readonly name: string })[] =>
  Object.entries(fields)
    .map(([name, each]) => ({ name, ...each }))
    .sort((one, other) => one.number - other.number);
