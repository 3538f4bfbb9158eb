import { pushTable, wrapperName } from '#client/push-table.ts';
import type { PushHead } from '#client/push-types.ts';

/** A push: what it is about, and what it says. */
export interface ReadPush {
  readonly head: PushHead;
  readonly content: unknown;
}

type Content = Record<string, unknown>;

/** A field of a message, as `push-table.ts` says it. */
interface PushField {
  readonly name: string;
  readonly number: number;
  /** `s`, `n`, `b` or the name of a message. */
  readonly kind: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
}

const fieldOf = (text: string): PushField => {
  const [number = '', name = '', kind = ''] = text.split(':');
  return {
    ...{ name, number: Number(number), kind: kind.replace(/[?*]$/, '') },
    ...{ isList: kind.endsWith('*'), isOptional: kind.endsWith('?') },
  };
};

const messages: ReadonlyMap<string, readonly PushField[]> = new Map(
  Object.entries(pushTable).map(([name, fields]) => [name, fields.split(' ').map(fieldOf)]),
);
const fieldsOf = (name: string): readonly PushField[] => messages.get(name) as readonly PushField[];
const headNames: ReadonlySet<string> = new Set(
  fieldsOf(wrapperName).flatMap(({ name, kind }) => (messages.has(kind) ? [] : [name])),
);

/** What a field is without a value. */
const emptyOf = ({ kind, isList }: PushField): unknown => {
  if (isList) return [];
  return kind === 's' ? '' : kind === 'n' ? 0 : false;
};

/** A push in protobuf; fields that are not known are passed over. @throws RangeError where it is cut short */
export const readProtobufPush = (bytes: Uint8Array): ReadPush =>
  pushOf(new ProtobufReader(bytes).message(fieldsOf(wrapperName), bytes.length));

/** A push as JSON has it, where integers of 64 bits are text: here they are numbers. */
export const readJsonPush = (json: object): ReadPush => pushOf(shaped(fieldsOf(wrapperName), json as Content));

function pushOf(wrapper: Content): ReadPush {
  const members = Object.entries(wrapper);
  const head = Object.fromEntries(members.filter(([name]) => headNames.has(name)));
  const [, content] = members.find(([name]) => !headNames.has(name)) ?? [];
  return { head: head as unknown as PushHead, content };
}

function shaped(fields: readonly PushField[], json: Content): Content {
  const content: Content = {};
  for (const field of fields) {
    const value = json[field.name];
    if (value === undefined) {
      if (!field.isOptional) content[field.name] = emptyOf(field);
    } else if (field.isList) content[field.name] = (value as unknown[]).map((item) => shapedValue(field, item));
    else content[field.name] = shapedValue(field, value);
  }
  return content;
}

function shapedValue({ kind }: PushField, value: unknown): unknown {
  const inner = messages.get(kind);
  if (inner !== undefined) return shaped(inner, value as Content);
  return kind === 'n' ? Number(value) : value;
}

const decoder = new TextDecoder();

/** Reads https://protobuf.dev/programming-guides/encoding as far as pushes go. */
class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  message(fields: readonly PushField[], end: number): Content {
    const content: Content = {};
    for (const field of fields) if (!field.isOptional) content[field.name] = emptyOf(field);
    while (this.#at < end) {
      const tag = this.#number();
      const field = fields.find(({ number }) => number === Math.floor(tag / 8));
      const wire = tag % 8;
      if (field === undefined) this.#skip(wire);
      else if (field.isList) (content[field.name] as unknown[]).push(this.#value(field, wire));
      else content[field.name] = this.#value(field, wire);
    }
    return content;
  }

  #value({ kind }: PushField, wire: number): unknown {
    if (wire === 0) return kind === 'b' ? this.#number() !== 0 : this.#number();
    if (wire !== 2) throw new RangeError(`a field has the kind ${wire}`);
    const size = this.#number();
    const from = this.#at;
    const end = this.#end(size);
    const inner = messages.get(kind);
    if (inner !== undefined) return this.message(inner, end);
    this.#at = end;
    return decoder.decode(this.#bytes.subarray(from, end));
  }

  /** A number; those beyond 2^53, which are negative ones, are no part of pushes. */
  #number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || factor > 2 ** 63) throw new RangeError('a message ends within a number');
      this.#at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  #skip(wire: number): void {
    if (wire === 0) this.#number();
    else if (wire === 2) this.#at = this.#end(this.#number());
    else if (wire === 1 || wire === 5) this.#at = this.#end(wire === 1 ? 8 : 4);
    else throw new RangeError(`a field has the kind ${wire}`);
  }

  #end(size: number): number {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new RangeError('a message is cut short');
    return end;
  }
}
