import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import type { Balance, TimestampMs } from '#model/units.ts';

// A record, and each of its fields, is declared once, as a codec: its type, its bytes in journals and images, samples
// and random values for tests, and columns of history follow from the declaration. The order of members is the format.

/** What a codec holds, known at run time. */
export type Content =
  | { readonly kind: 'integer'; readonly least: number }
  | { readonly kind: 'amount' | 'text' | 'flag' | 'clientOrderId' }
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'oneOf'; readonly words: readonly string[] }
  | { readonly kind: 'nullable' | 'list'; readonly of: Content }
  | { readonly kind: 'record'; readonly members: Readonly<Record<string, FieldCodec<unknown>>> }
  /** One of several shapes. */
  | { readonly kind: 'either'; readonly of: readonly Content[] };

/** Two directions of one field: what `write` puts down, `read` gives back or throws `MalformedBytes`. */
export interface FieldCodec<Value> {
  readonly content: Content;
  write(writer: ByteWriter, value: Value): void;
  read(reader: ByteReader): Value;
}

/** What a codec writes and reads: the type of what it declares. */
export type ValueOf<Codec extends FieldCodec<unknown>> = Codec extends FieldCodec<infer Value> ? Value : never;

/** A safe integer of either sign, under any unit. */
export const integer = <Value extends number = number>(): FieldCodec<Value> => ({
  content: { kind: 'integer', least: Number.MIN_SAFE_INTEGER },
  write: (writer, value) => writer.signedVarint(value),
  read: (reader) => reader.signedVarint() as Value,
});

/** A safe integer that is not negative, under any unit. */
export const natural = <Value extends number = number>(): FieldCodec<Value> => ({
  content: { kind: 'integer', least: 0 },
  write: (writer, value) => writer.varint(value),
  read: (reader) => reader.varint() as Value,
});

/** A moment of the exchange's clock. */
export const time = (): FieldCodec<TimestampMs> => integer<TimestampMs>();

/** A 64-bit amount. */
export const amount = (): FieldCodec<Balance> => ({
  content: { kind: 'amount' },
  write: (writer, value) => writer.i64(value),
  read: (reader) => reader.i64() as Balance,
});

/** Text of any length, UTF-8 behind its size. */
export const text = <Value extends string = string>(): FieldCodec<Value> => ({
  content: { kind: 'text' },
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text() as Value,
});

/** A boolean in one byte. */
export const flag: FieldCodec<boolean> = {
  content: { kind: 'flag' },
  write: (writer, value) => writer.u8(value ? 1 : 0),
  read: (reader) => {
    const byte = reader.u8();
    if (byte > 1) throw new MalformedBytes(`${byte} is neither yes nor no`);
    return byte === 1;
  },
};

/** A word that is always the same and takes no bytes: the kind of a command. */
export const constant = <const Word extends string>(value: Word): FieldCodec<Word> => ({
  content: { kind: 'constant', value },
  write: () => {},
  read: () => value,
});

/** A member of a closed set, as its number. Numbers stay for ever: append members, never reorder them. */
export function oneOf<const Word extends string>(words: readonly Word[]): FieldCodec<Word> {
  return {
    content: { kind: 'oneOf', words },
    write: (writer, value) => {
      const index = words.indexOf(value);
      if (index < 0) throw new MalformedBytes(`unknown member: ${value}`);
      writer.u8(index);
    },
    read: (reader) => {
      const word = words[reader.u8()];
      if (word === undefined) throw new MalformedBytes(`none of ${words.join(', ')}`);
      return word;
    },
  };
}

/** A value or `null`, one byte ahead of it. */
export function nullable<Value>(inner: FieldCodec<Value>): FieldCodec<Value | null> {
  return {
    content: { kind: 'nullable', of: inner.content },
    write: (writer, value) => {
      flag.write(writer, value !== null);
      if (value !== null) inner.write(writer, value);
    },
    read: (reader) => (flag.read(reader) ? inner.read(reader) : null),
  };
}

/** Reads how many elements follow; each takes at least one byte, so damage cannot ask for more than there is. */
export function readCount(reader: ByteReader): number {
  const count = reader.varint();
  if (count > reader.left) throw new MalformedBytes(`${count} elements in ${reader.left} bytes`);
  return count;
}

/** Values behind their count. */
export function list<Value>(inner: FieldCodec<Value>): FieldCodec<readonly Value[]> {
  return {
    content: { kind: 'list', of: inner.content },
    write: (writer, values) => {
      writer.varint(values.length);
      for (const value of values) inner.write(writer, value);
    },
    read: (reader) => {
      const values: Value[] = [];
      for (let left = readCount(reader); left > 0; left -= 1) values.push(inner.read(reader));
      return values;
    },
  };
}

/** A codec for each member of a record, in the order of the bytes. */
export type Members = Readonly<Record<string, FieldCodec<unknown>>>;
/** What a record with these members is. */
export type ShapeOf<Of extends Members> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** A record whose members are known, so that others can be made of them. */
export interface RecordCodec<Of extends Members> extends FieldCodec<ShapeOf<Of>> {
  readonly members: Of;
}

/** All members of a record, in the order given here. */
export function record<const Of extends Members>(members: Of): RecordCodec<Of> {
  const names = Object.keys(members);
  const codecs = Object.values(members);
  return packed(members, {
    write: (writer, value) => {
      const values = value as Readonly<Record<string, unknown>>;
      for (let index = 0; index < names.length; index += 1) codecs[index]!.write(writer, values[names[index]!]);
    },
    read: (reader) => {
      const value: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index += 1) value[names[index]!] = codecs[index]!.read(reader);
      return value as ShapeOf<Of>;
    },
  });
}

/** A record in a form of its own: `members` say what it is, `form` what its bytes are. */
export const packed = <const Of extends Members>(
  members: Of,
  form: Omit<FieldCodec<ShapeOf<Of>>, 'content'>,
): RecordCodec<Of> => ({ content: { kind: 'record', members }, members, ...form });

/** The members of a record but these, to declare another one with them. */
export function omit<Of extends Members, Name extends keyof Of & string>(
  { members }: RecordCodec<Of>,
  ...names: readonly Name[]
): Omit<Of, Name> {
  const left = Object.entries(members).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(left) as Omit<Of, Name>;
}
