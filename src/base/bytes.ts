import { utf8Size, writeUtf8, readUtf8 } from '#base/utf8.ts';

/** Bytes that do not have the expected form: truncated, out of range, or not encoded as the writer encodes them. */
export class MalformedBytes extends Error {
  override name = 'MalformedBytes';
}

const twoTo28 = 0x10000000;
const varintSizeMax = 8;

/**
 * Grows as it is written to. Numbers are little-endian; lengths and counts are varints. Every value has exactly one
 * encoding, so equal values give equal bytes.
 */
export class ByteWriter {
  private buffer: Uint8Array;
  private view: DataView;
  private end = 0;

  constructor(sizeAtFirst = 1024) {
    this.buffer = new Uint8Array(sizeAtFirst);
    this.view = new DataView(this.buffer.buffer);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.end;
  }

  /** Grows the buffer for `size` more bytes. */
  reserve(size: number): void {
    if (this.end + size <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.end + size));
    larger.set(this.buffer.subarray(0, this.end));
    this.buffer = larger;
    this.view = new DataView(larger.buffer);
  }

  u8(value: number): void {
    if (this.end === this.buffer.length) this.reserve(1);
    this.buffer[this.end] = value;
    this.end += 1;
  }

  u16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.end, value, true);
    this.end += 2;
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.end, value, true);
    this.end += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.end, value, true);
    this.end += 8;
  }

  /** A bigint of the signed 64-bit range. @throws MalformedBytes outside of it. */
  i64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new MalformedBytes('bigint outside of 64 bits');
    this.reserve(8);
    this.view.setBigInt64(this.end, value, true);
    this.end += 8;
  }

  /** A safe integer from 0, seven bits a byte. @throws MalformedBytes for any other number. */
  varint(value: number): void {
    if (value < 0 || !Number.isSafeInteger(value)) throw new MalformedBytes(`not a safe integer from 0: ${value}`);
    this.reserve(varintSizeMax);
    this.seven(value);
  }

  /** A safe integer of either sign: the sign and six bits in the first byte, then as `varint`. */
  signedVarint(value: number): void {
    if (!Number.isSafeInteger(value)) throw new MalformedBytes(`not a safe integer: ${value}`);
    this.reserve(varintSizeMax + 1);
    const magnitude = value < 0 ? -value : value;
    const sign = value < 0 ? 1 : 0;
    if (magnitude < 64) {
      this.buffer[this.end++] = (magnitude << 1) | sign;
      return;
    }
    this.buffer[this.end++] = ((magnitude % 64) << 1) | sign | 0x80;
    this.seven(Math.floor(magnitude / 64));
  }

  /** Writes a varint; the buffer is large enough. */
  private seven(value: number): void {
    const buffer = this.buffer;
    let at = this.end;
    let rest = value;
    if (value >= twoTo28) {
      const low = value % twoTo28;
      buffer[at] = (low & 0x7f) | 0x80;
      buffer[at + 1] = ((low >>> 7) & 0x7f) | 0x80;
      buffer[at + 2] = ((low >>> 14) & 0x7f) | 0x80;
      buffer[at + 3] = (low >>> 21) | 0x80;
      at += 4;
      rest = (value - low) / twoTo28;
    }
    while (rest > 0x7f) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at++] = rest;
    this.end = at;
  }

  /** Varint of the size in UTF-8, then the text. A lone surrogate survives as the three bytes of its code. */
  text(value: string): void {
    const size = utf8Size(value);
    this.reserve(size + varintSizeMax);
    this.seven(size);
    writeUtf8(value, size, this.buffer, this.end);
    this.end += size;
  }

  /** The bytes as they are, without a length. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** The bytes from `start` to before `end` as they are. */
  part(bytes: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { buffer } = this;
    let to = this.end;
    for (let at = start; at < end; at += 1) buffer[to++] = bytes[at]!;
    this.end = to;
  }

  /** Leaves `size` zero bytes to be patched later. Answers their position. */
  skip(size: number): number {
    this.reserve(size);
    const at = this.end;
    this.buffer.fill(0, at, at + size);
    this.end += size;
    return at;
  }

  /** Overwrites four bytes at a position that `skip` or `size` gave. @throws MalformedBytes beyond what is written. */
  patchU32(at: number, value: number): void {
    if (at < 0 || at + 4 > this.end) throw new MalformedBytes(`no four bytes written at ${at}`);
    this.view.setUint32(at, value, true);
  }

  /** The written bytes as a view, valid until the next write or `reset`. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.end);
  }

  /** The written bytes, which now belong to the caller; the writer continues with a new buffer. */
  take(): Uint8Array {
    const taken = this.buffer.subarray(0, this.end);
    this.buffer = new Uint8Array(Math.min(this.buffer.length, 1 << 16));
    this.view = new DataView(this.buffer.buffer);
    this.end = 0;
    return taken;
  }

  /** Discards the written bytes and keeps the buffer. */
  reset(): void {
    this.end = 0;
  }

  /** Discards what was written after the first `size` bytes. */
  truncate(size: number): void {
    this.end = Math.min(this.end, size);
  }
}

/** Reads what a `ByteWriter` wrote. Every read throws `MalformedBytes` if the bytes end early or are malformed. */
export class ByteReader {
  private bytes: Uint8Array;
  private view: DataView;
  private at: number;
  private end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.end = 0;
    this.window(start, end);
  }

  /** Reads other bytes from now on. */
  reset(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.window(start, end);
  }

  /** Reads another part of the same bytes from now on: `start` inclusive, `end` exclusive. */
  window(start: number, end: number): void {
    if (!(start >= 0 && start <= end && end <= this.bytes.length))
      throw new MalformedBytes(`no bytes ${start} to ${end}`);
    this.at = start;
    this.end = end;
  }

  /** Position of the next read within the bytes. */
  get position(): number {
    return this.at;
  }

  /** Bytes left. */
  get left(): number {
    return this.end - this.at;
  }

  /** @throws MalformedBytes if unread bytes remain. */
  finish(): void {
    if (this.at !== this.end) throw new MalformedBytes(`${this.end - this.at} bytes too many`);
  }

  /** Position of the next `size` bytes, which count as read. */
  private pass(size: number): number {
    const at = this.at;
    if (!(size >= 0 && at + size <= this.end))
      throw new MalformedBytes(`bytes end at ${this.end}, wanted ${size} from ${at}`);
    this.at = at + size;
    return at;
  }

  u8(): number {
    const at = this.at;
    if (at >= this.end) throw new MalformedBytes(`bytes end at ${at}`);
    this.at = at + 1;
    return this.bytes[at] as number;
  }

  u16(): number {
    return this.view.getUint16(this.pass(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.pass(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.pass(8), true);
  }

  i64(): bigint {
    return this.view.getBigInt64(this.pass(8), true);
  }

  varint(): number {
    const first = this.at < this.end ? (this.bytes[this.at] as number) : 0x80;
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    return this.longVarint(0, 1);
  }

  signedVarint(): number {
    const first = this.u8();
    const low = (first & 0x7f) >>> 1;
    const magnitude = first < 0x80 ? low : this.longVarint(low, 64);
    if (first === 1) throw new MalformedBytes('minus zero');
    return (first & 1) === 0 ? magnitude : -magnitude;
  }

  /** `start` plus the varint that follows, times `unit`; the encoding must be the shortest and the sum safe. */
  private longVarint(start: number, unit: number): number {
    let value = start;
    let scale = unit;
    for (let count = 0; count < varintSizeMax; count += 1) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if ((byte === 0 && (count > 0 || unit > 1)) || !Number.isSafeInteger(value)) break;
        return value;
      }
      scale *= 128;
    }
    throw new MalformedBytes(`no varint before ${this.at}`);
  }

  /** Text of at most `sizeMax` bytes of UTF-8. */
  text(sizeMax: number = Number.MAX_SAFE_INTEGER): string {
    const size = this.varint();
    if (size > sizeMax) throw new MalformedBytes(`text of ${size} bytes at ${this.at}`);
    const at = this.pass(size);
    const value = readUtf8(this.bytes, at, at + size);
    if (value === null) throw new MalformedBytes(`no UTF-8 at ${at}`);
    return value;
  }

  /** The next `size` bytes as a view into the bytes being read. */
  raw(size: number): Uint8Array {
    const at = this.pass(size);
    return this.bytes.subarray(at, at + size);
  }
}
