import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { MalformedBytes } from '#base/bytes.ts';

/** Length marks that stand before a client id, in six bits. */
const none = 0;
const packedLengthMax = 32;
const asText = 63;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const outside = 255;
const codeOfSymbol: readonly number[] = Array.from(alphabet, (symbol) => symbol.charCodeAt(0));
const symbolOfCode: Uint8Array = (() => {
  const symbols = new Uint8Array(128).fill(outside);
  codeOfSymbol.forEach((code, symbol) => {
    symbols[code] = symbol;
  });
  return symbols;
})();
/** Scratch of each length: filling a plain array and applying it is the fastest way to a flat short string. */
const scratchOfLength: readonly number[][] = Array.from({ length: packedLengthMax + 1 }, (_, length) =>
  new Array<number>(length).fill(0),
);

/** Six bits that say how `writeClientId` writes this id: 0 absent, 1 to 32 that many packed symbols, 63 plain text. */
export function clientIdMark(id: string | null): number {
  if (id === null) return none;
  const length = id.length;
  if (length === 0 || length > packedLengthMax) return asText;
  for (let index = 0; index < length; index += 1) {
    const code = id.charCodeAt(index);
    if (code > 127 || symbolOfCode[code] === outside) return asText;
  }
  return length;
}

/** Writes the id under the mark that `clientIdMark` gave: six bits a symbol, the last byte filled up with zeros. */
export function writeClientId(writer: ByteWriter, id: string | null, mark: number): void {
  if (id === null) return;
  if (mark === asText) {
    writer.text(id);
    return;
  }
  let bits = 0;
  let count = 0;
  for (let index = 0; index < mark; index += 1) {
    bits = (bits << 6) | (symbolOfCode[id.charCodeAt(index)] as number);
    count += 6;
    if (count >= 8) {
      count -= 8;
      writer.u8(bits >>> count);
      bits &= (1 << count) - 1;
    }
  }
  if (count > 0) writer.u8(bits << (8 - count));
}

/** Reads the id that stands under `mark`. @throws MalformedBytes for what `writeClientId` never writes. */
export function readClientId(reader: ByteReader, mark: number): string | null {
  if (mark === none) return null;
  if (mark === asText) {
    const id = reader.text();
    if (clientIdMark(id) !== asText) throw new MalformedBytes('packable client id as text');
    return id;
  }
  if (mark > packedLengthMax) throw new MalformedBytes(`client id of ${mark} symbols`);
  const codes = scratchOfLength[mark] as number[];
  let bits = 0;
  let count = 0;
  for (let index = 0; index < mark; index += 1) {
    if (count < 6) {
      bits = (bits << 8) | reader.u8();
      count += 8;
    }
    count -= 6;
    codes[index] = codeOfSymbol[bits >>> count] as number;
    bits &= (1 << count) - 1;
  }
  if (bits !== 0) throw new MalformedBytes('bits after the client id');
  return String.fromCharCode.apply(null, codes);
}
