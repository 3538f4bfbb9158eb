import {
  type ContentOf,
  type FieldRule,
  fieldsByNumber,
  type Message,
  type ScalarType,
} from '#websocket/wire/message.ts';

/*
 * Both encodings of a message. Protobuf is written from its end to its start: what a length counts is there before the
 * length is. https://protobuf.dev/programming-guides/encoding and /json.
 */

/** What a message with this name of a field may hold, whatever its type. */
type Content = Readonly<Record<string, unknown>>;

interface EncodedField {
  readonly name: string;
  readonly rule: FieldRule;
  readonly type: ScalarType | 'message';
  /** Number and wire type. */
  readonly tag: number;
  /** Fields of the message that it holds; none of a scalar. */
  readonly inner: readonly EncodedField[];
}

/** Writes messages of one kind. */
export interface Encoder<Written> {
  /** The bytes in protobuf, only valid until any encoder is called again: copy them. */
  protobuf(content: Written): Uint8Array;
  /** The text in protobuf's JSON form: 64-bit numbers are text, and plain fields are there also when empty. */
  json(content: Written): string;
}

/** @throws RangeError when a number of what is encoded is not whole, negative or above 2^53 - 1. */
export function createEncoder<Of extends Message>(message: Of): Encoder<ContentOf<Of>> {
  const fields = encodedFields(message);
  return {
    protobuf: (content) => {
      scratch.clear();
      writeMessage(fields, content as Content);
      return scratch.written();
    },
    json: (content) => messageJson(fields, content as Content),
  };
}

const varintType = 0;
const lengthDelimitedType = 2;

const encodedFields = (message: Message): readonly EncodedField[] =>
  fieldsByNumber(message).map(({ name, rule, type, number }) => {
    const isVarint = type === 'int32' || type === 'int64' || type === 'bool';
    const tag = number * 8 + (isVarint ? varintType : lengthDelimitedType);
    const isScalar = typeof type === 'string';
    return { name, rule, type: isScalar ? type : 'message', tag, inner: isScalar ? [] : encodedFields(type) };
  });

const asciiMax = 0x7f;
/** Bytes of the greatest varint, 2^53 - 1. */
const varintBytesMax = 8;

/** Bytes written from the end of a buffer that grows towards its start. */
class BackwardWriter {
  private bytes = Buffer.allocUnsafeSlow(4096);
  /** Where the byte written last stands. */
  private at = this.bytes.length;

  /** Bytes written so far. */
  get length(): number {
    return this.bytes.length - this.at;
  }

  clear(): void {
    this.at = this.bytes.length;
  }

  /** What was written since `clear`; stays as it is until the next one. */
  written(): Uint8Array {
    return this.bytes.subarray(this.at);
  }

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number that pushes have`);
    this.reserve(varintBytesMax);
    let size = 1;
    for (let rest = value; rest > asciiMax; rest = Math.floor(rest / 128)) size += 1;
    const last = this.at - 1;
    this.at -= size;
    let rest = value;
    for (let index = this.at; index < last; index += 1) {
      this.bytes[index] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[last] = rest;
  }

  /** Text in UTF-8. Nearly all of it is short and ASCII, which is quicker written byte by byte. */
  text(value: string): void {
    this.reserve(value.length);
    let { at } = this;
    for (let index = value.length - 1; index >= 0; index -= 1) {
      const code = value.charCodeAt(index);
      if (code > asciiMax) {
        this.anyText(value);
        return;
      }
      at -= 1;
      this.bytes[at] = code;
    }
    this.at = at;
  }

  private anyText(value: string): void {
    const size = Buffer.byteLength(value, 'utf8');
    this.reserve(size);
    this.at -= size;
    this.bytes.write(value, this.at, 'utf8');
  }

  private reserve(size: number): void {
    if (this.at >= size) return;
    const { length } = this;
    const grown = Buffer.allocUnsafeSlow(2 * (this.bytes.length + size));
    this.bytes.copy(grown, grown.length - length, this.at);
    this.bytes = grown;
    this.at = grown.length - length;
  }
}

/** Shared by all encoders: nothing is written by two at once. */
const scratch = new BackwardWriter();

const isDefault = (value: unknown): boolean => value === '' || value === 0 || value === false;

function writeMessage(fields: readonly EncodedField[], content: Content): void {
  for (let index = fields.length - 1; index >= 0; index -= 1) {
    const field = fields[index] as EncodedField;
    const value = content[field.name];
    if (field.rule === 'repeated') {
      const items = value as readonly unknown[];
      for (let last = items.length - 1; last >= 0; last -= 1) writeValue(field, items[last]);
    } else if (value !== undefined && (field.rule === 'optional' || !isDefault(value))) writeValue(field, value);
  }
}

function writeValue({ type, tag, inner }: EncodedField, value: unknown): void {
  if (type === 'string' || type === 'message') {
    const before = scratch.length;
    if (type === 'string') scratch.text(value as string);
    else writeMessage(inner, value as Content);
    scratch.varint(scratch.length - before);
  } else scratch.varint(Number(value));
  scratch.varint(tag);
}

/** Text that JSON writes as it is; nearly all is, and quoting it is quicker than `JSON.stringify`. */
const plainText = /^[ !#-[\]-~]*$/;

function messageJson(fields: readonly EncodedField[], content: Content): string {
  let members = '';
  for (const field of fields) {
    const value = content[field.name];
    if (value === undefined) continue;
    const text =
      field.rule === 'repeated'
        ? `[${(value as readonly unknown[]).map((item) => valueJson(field, item)).join(',')}]`
        : valueJson(field, value);
    members += `${members === '' ? '' : ','}"${field.name}":${text}`;
  }
  return `{${members}}`;
}

function valueJson({ type, inner }: EncodedField, value: unknown): string {
  if (type === 'message') return messageJson(inner, value as Content);
  if (type === 'string') return plainText.test(value as string) ? `"${value}"` : JSON.stringify(value);
  return type === 'int64' ? `"${value}"` : String(value);
}
