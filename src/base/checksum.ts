import { assert } from '#base/assert.ts';

/** Table `k` at `k * 256`: the checksum of a byte followed by `k` zero bytes. Castagnoli polynomial, reflected. */
const crcTables: Int32Array = (() => {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ 0x82f63b78;
    tables[byte] = rest;
  }
  for (let index = 256; index < 8 * 256; index += 1) {
    const before = tables[index - 256] as number;
    tables[index] = (before >>> 8) ^ (tables[before & 0xff] as number);
  }
  return tables;
})();

/** CRC32C of the bytes from `start` to `end` (exclusive), unsigned 32-bit; `seed`: the CRC of the bytes before them. */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, seed = 0): number {
  assert(start >= 0 && start <= end && end <= bytes.length, 'the range lies within the bytes');
  const tables = crcTables;
  let crc = ~seed;
  let at = start;
  for (const stop = end - 7; at < stop; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    crc =
      (tables[1792 + (low & 0xff)] as number) ^
      (tables[1536 + ((low >>> 8) & 0xff)] as number) ^
      (tables[1280 + ((low >>> 16) & 0xff)] as number) ^
      (tables[1024 + (low >>> 24)] as number) ^
      (tables[768 + (bytes[at + 4] as number)] as number) ^
      (tables[512 + (bytes[at + 5] as number)] as number) ^
      (tables[256 + (bytes[at + 6] as number)] as number) ^
      (tables[bytes[at + 7] as number] as number);
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (tables[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}

/** State of a running hash, four words. */
export type Hash128State = readonly [number, number, number, number];

/**
 * A running 128-bit hash of a sequence of values, equal on every machine. It detects mistakes and damage, not forgery.
 * The hash does not mark the kinds of values: the caller fixes their order and number.
 */
export interface Hash128 {
  /** The low 32 bits of `word`. */
  u32(word: number): void;
  /** A safe integer of either sign. */
  number(value: number): void;
  /** Length and content. */
  bytes(bytes: Uint8Array, start?: number, end?: number): void;
  /** Length and UTF-16 code units. */
  text(text: string): void;
  /** Hash of the values so far as 32 lower-case hex characters; further values may follow. */
  digest(): string;
  /** Complete state to continue from later, as signed 32-bit words. */
  save(): Hash128State;
  load(state: Hash128State): void;
}

const fresh: Hash128State = [0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344];
/**
 * Prefix of a number outside the signed 32-bit range. Such a number itself, so that no two sequences of numbers hash
 * the same words.
 */
const wideMark = -0x80000000;

const finish = (word: number): number => {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
};
const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** A shift register of four words: each input word is mixed with two of them into the new last word. */
class ShiftHash implements Hash128 {
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  u32(word: number): void {
    const scrambled = Math.imul(word, 0xcc9e2d51);
    let mixed = this.a ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    this.a = this.b;
    this.b = this.c;
    this.c = this.d;
    this.d = (((mixed ^ (mixed >>> 13)) + ((this.d << 7) | (this.d >>> 25))) ^ this.a) | 0;
  }

  number(value: number): void {
    const low = value | 0;
    if (low === value && low !== wideMark) {
      this.u32(low);
      return;
    }
    assert(Number.isSafeInteger(value), 'only safe integers are hashed');
    this.u32(wideMark);
    this.u32(low);
    this.u32(Math.floor(value / 4294967296));
  }

  bytes(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    assert(start >= 0 && start <= end && end <= bytes.length, 'the range lies within the bytes');
    this.number(end - start);
    let at = start;
    for (; at + 4 <= end; at += 4) {
      this.u32(
        (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24),
      );
    }
    let rest = 0;
    for (let shift = 0; at < end; at += 1, shift += 8) rest |= (bytes[at] as number) << shift;
    if (((end - start) & 3) !== 0) this.u32(rest);
  }

  text(text: string): void {
    const length = text.length;
    this.u32(length);
    for (let index = 0; index + 1 < length; index += 2) {
      this.u32(text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16));
    }
    if ((length & 1) === 1) this.u32(text.charCodeAt(length - 1));
  }

  digest(): string {
    const end = new ShiftHash();
    end.load(this.save());
    for (let round = 0; round < 8; round += 1) end.u32(0x9e3779b9 + round);
    const a = finish(end.a);
    const b = finish(end.b ^ a);
    const c = finish(end.c ^ b);
    const d = finish(end.d ^ c);
    return hex(a ^ d) + hex(b) + hex(c) + hex(d);
  }

  save(): Hash128State {
    return [this.a, this.b, this.c, this.d];
  }

  load(state: Hash128State): void {
    this.a = state[0] | 0;
    this.b = state[1] | 0;
    this.c = state[2] | 0;
    this.d = state[3] | 0;
  }
}

/** Starts a hash, or continues a saved one. */
export function createHash128(state: Hash128State = fresh): Hash128 {
  const hash = new ShiftHash();
  hash.load(state);
  return hash;
}

/**
 * A value as text that depends only on its content: members sorted by name, bigints marked. Used for digests; not meant
 * to be parsed.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
}
