import { type ProtoField, type ProtoMessage, readProto } from './proto-messages.ts';

/**
 * Reads protobuf as a client does that has nothing but the schema for download: bytes to what the JSON encoding says.
 * https://protobuf.dev/programming-guides/encoding and /json.
 */
export class ProtoReader {
  private readonly messages: ReadonlyMap<string, ProtoMessage>;

  constructor(schema: string) {
    this.messages = new Map(readProto(schema).map((message) => [message.name, message]));
  }

  read(name: string, bytes: Uint8Array): Record<string, unknown> {
    const { fields } = this.messages.get(name) as ProtoMessage;
    const read: Record<string, unknown> = {};
    for (const { rule, type, name: member } of fields) {
      if (rule === 'repeated') read[member] = [];
      else if (rule === 'plain') read[member] = { string: '', int64: '0', int32: 0, bool: false }[type];
    }
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        if (byte === undefined) throw new RangeError('a message ends within a number');
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const field = fields.find(({ number }) => number === tag >> 3);
      if (field === undefined) throw new RangeError(`${name} has no field ${tag >> 3}`);
      const size = Number(varint());
      if ((tag & 7) === 2) at += size;
      const value = (tag & 7) === 2 ? this.bytesOf(field, bytes.subarray(at - size, at)) : numberOf(field, size);
      if (field.rule === 'repeated') (read[field.name] as unknown[]).push(value);
      else read[field.name] = value;
    }
    return read;
  }

  private bytesOf({ type }: ProtoField, bytes: Uint8Array): unknown {
    return type === 'string' ? Buffer.from(bytes).toString('utf8') : this.read(type, bytes);
  }
}

/** Numbers of the examples are not negative and below 2^53. */
const numberOf = ({ type }: ProtoField, value: number): unknown =>
  type === 'bool' ? value === 1 : type === 'int64' ? String(value) : value;
