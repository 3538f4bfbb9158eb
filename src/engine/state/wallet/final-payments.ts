import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { createHash128 } from '#base/checksum.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { HashIndex } from '#base/hash-index.ts';

/** Names one payment on its network for ever. */
export interface PaymentKey {
  readonly network: string;
  readonly txId: string;
  readonly output: number;
}

const wordsShift = 2;
const wordsPerKey = 1 << wordsShift;

/**
 * Payments that were credited, rejected or refunded, for ever: none of them is credited again. DEC-WAL-18. Each is kept
 * as a hash of 16 bytes, in that order.
 */
export class FinalPayments {
  count = 0;
  private readonly buffer = new GrowableBuffer();
  private readonly index = new HashIndex();

  has(payment: PaymentKey): boolean {
    return this.find(hashOf(payment)) >= 0;
  }

  /** Adds a payment, unless it is there. */
  add(payment: PaymentKey): void {
    const words = hashOf(payment);
    if (this.find(words) < 0) this.append(words);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.count);
    const { words } = this.buffer;
    for (let at = 0; at < this.count << wordsShift; at += 1) writer.u32(words[at]! >>> 0);
  }

  read(reader: ByteReader): void {
    for (let left = reader.varint(); left > 0; left -= 1)
      this.append([reader.u32() | 0, reader.u32() | 0, reader.u32() | 0, reader.u32() | 0]);
  }

  private append(key: readonly number[]): void {
    const place = this.count;
    if ((place + 1) << wordsShift > this.buffer.words.length) this.buffer.grow();
    this.buffer.words.set(key, place << wordsShift);
    this.index.insert(key[0]!, place);
    this.count += 1;
  }

  private find(key: readonly number[]): number {
    const { index } = this;
    const { words } = this.buffer;
    for (let at = index.first(key[0]!); at !== -1; at = index.next(at, key[0]!)) {
      const place = index.reference(at);
      const base = place << wordsShift;
      if (key.every((word, offset) => words[base + offset] === word)) return place;
    }
    return -1;
  }
}

/** Four signed words. */
function hashOf({ network, txId, output }: PaymentKey): readonly number[] {
  const hash = createHash128();
  hash.text(network);
  hash.text(txId);
  hash.number(output);
  const digest = BigInt(`0x${hash.digest()}`);
  return Array.from({ length: wordsPerKey }, (_, word) => Number(BigInt.asIntN(32, digest >> BigInt(word * 32))));
}
