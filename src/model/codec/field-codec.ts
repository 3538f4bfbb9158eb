import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { MalformedBytes } from '#base/bytes.ts';

/** Two directions of one field: what `write` puts down, `read` gives back or throws `MalformedBytes`. */
export interface FieldCodec<Value> {
  readonly write: (writer: ByteWriter, value: Value) => void;
  readonly read: (reader: ByteReader) => Value;
}

/** A safe integer of either sign, under any unit. */
export const integer = <Value extends number>(): FieldCodec<Value> => ({
  write: (writer, value) => writer.signedVarint(value),
  read: (reader) => reader.signedVarint() as Value,
});

/** A 64-bit amount, under any unit. */
export const amount = <Value extends bigint>(): FieldCodec<Value> => ({
  write: (writer, value) => writer.i64(value),
  read: (reader) => reader.i64() as Value,
});

/** Text of any length, UTF-8 behind its size. */
export const text = <Value extends string>(): FieldCodec<Value> => ({
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text() as Value,
});

/** A boolean in one byte. */
export const flag: FieldCodec<boolean> = {
  write: (writer, value) => writer.u8(value ? 1 : 0),
  read: (reader) => {
    const byte = reader.u8();
    if (byte > 1) throw new MalformedBytes(`${byte} is neither yes nor no`);
    return byte === 1;
  },
};

/** A member of a closed set, as its number. Numbers stay for ever: append members, never reorder them. */
export function oneOf<const Value extends string>(members: readonly Value[]): FieldCodec<Value> {
  return {
    write: (writer, value) => {
      const index = members.indexOf(value);
      if (index < 0) throw new MalformedBytes(`unknown member: ${value}`);
      writer.u8(index);
    },
    read: (reader) => {
      const member = members[reader.u8()];
      if (member === undefined) throw new MalformedBytes(`none of ${members.join(', ')}`);
      return member;
    },
  };
}

/** A value or `null`, one byte ahead of it. */
export function nullable<Value>(inner: FieldCodec<Value>): FieldCodec<Value | null> {
  return {
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

/** A codec for each field of a record, in the order of the bytes. */
export type RecordFields<Shape> = { readonly [Name in keyof Shape]-?: FieldCodec<Shape[Name]> };

/** All fields of a shape, in the order given here: a new field does not compile until it has its codec. */
export function record<Shape extends object>(fields: RecordFields<Shape>): FieldCodec<Shape> {
  const names = Object.keys(fields) as (keyof Shape)[];
  return {
    write: (writer, value) => {
      for (const name of names) fields[name].write(writer, value[name]);
    },
    read: (reader) => {
      const value: Partial<Shape> = {};
      for (const name of names) value[name] = fields[name].read(reader);
      return value as Shape;
    },
  };
}
