import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { FieldCodec } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';

/** Marks that stand before a client id, in six bits; every other one is a length. */
const none = 0;
const asText = 63;

/** Six bits that say how `writeClientId` writes this id: 0 absent, 1 to 32 that many packed symbols, 63 plain text. */
export const clientIdMark = (id: ClientOrderId | null): number => (id === null ? none : id.length || asText);

/** Writes the id under the mark that `clientIdMark` gave: six bits a symbol, the last byte filled up with zeros. */
export function writeClientId(writer: ByteWriter, id: ClientOrderId | null): void {
  if (id === null) return;
  if (id.length === 0) {
    writer.text(id.text);
    return;
  }
  let bits = 0;
  let count = 0;
  for (let index = 0; index < id.length; index += 1) {
    bits = (bits << 6) | id.code(index);
    count += 6;
    if (count >= 8) {
      count -= 8;
      writer.u8(bits >>> count);
      bits &= (1 << count) - 1;
    }
  }
  if (count > 0) writer.u8(bits << (8 - count));
}

/**
 * Reads what stands under `mark` into `id`; answers whether there was one. @throws MalformedBytes for what
 * `writeClientId` never writes.
 */
export function readClientId(reader: ByteReader, mark: number, id: ClientOrderId): boolean {
  if (mark === none) return false;
  if (mark === asText) {
    if (id.read(reader.text()).length > 0) throw new MalformedBytes('packable client id as text');
    return true;
  }
  if (mark > engineLimits.clientOrderIdLength) throw new MalformedBytes(`client id of ${mark} symbols`);
  let bits = 0;
  let count = 0;
  id.begin();
  for (let index = 0; index < mark; index += 1) {
    if (count < 6) {
      bits = (bits << 8) | reader.u8();
      count += 8;
    }
    count -= 6;
    id.append(bits >>> count);
    bits &= (1 << count) - 1;
  }
  if (bits !== 0) throw new MalformedBytes('bits after the client id');
  return true;
}

/** A client id behind its mark. */
export const clientOrderId: FieldCodec<ClientOrderId> = {
  content: { kind: 'clientOrderId' },
  write: (writer, id) => {
    writer.u8(clientIdMark(id));
    writeClientId(writer, id);
  },
  read: (reader) => {
    const id = new ClientOrderId();
    if (!readClientId(reader, reader.u8(), id)) throw new MalformedBytes('no client id');
    return id;
  },
};
