import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { type SharedCount, sharedLimits, sharedWindowMs } from '#model/shared-limits.ts';

/** Writes what was counted, but for clients whose keys are longer than a node may tell: they stay with this node. */
export function writeCounts(writer: ByteWriter, counts: readonly SharedCount[]): void {
  const told = counts.filter(({ key }) => Buffer.byteLength(key) <= linkLimits.countKeyBytes);
  writer.varint(told.length);
  for (const { limit, key, amount, leftMs } of told) {
    writer.u8(sharedLimits.indexOf(limit));
    writer.text(key);
    writer.varint(amount);
    writer.varint(leftMs);
  }
}

/** @throws MalformedBytes for what no node tells */
export function readCounts(reader: ByteReader): SharedCount[] {
  const count = reader.varint();
  if (count > linkLimits.countsAtOnce) throw new MalformedBytes(`${count} counts at once`);
  const counts = Array.from({ length: count }, () => readCount(reader));
  reader.finish();
  return counts;
}

function readCount(reader: ByteReader): SharedCount {
  const number = reader.u8();
  const limit = sharedLimits[number];
  if (limit === undefined) throw new MalformedBytes(`limit ${number}, which there is not`);
  const key = reader.text(linkLimits.countKeyBytes);
  const [amount, leftMs] = [reader.varint(), reader.varint()];
  if (amount > linkLimits.countMax) throw new MalformedBytes(`a count of ${amount}`);
  if (leftMs > sharedWindowMs) throw new MalformedBytes(`a window that ends in ${leftMs} ms`);
  return { limit, key, amount, leftMs };
}
