import { z } from 'zod';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { crc32c } from '#base/checksum.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Foundation, Leader, LogBatch, LogEnd, LogHead, NodeStatus } from '#cluster/command-log.ts';
import { LogDamaged } from '#cluster/command-log.ts';

// What etcd keeps under each key. It does not notice bits that flip on a member's disk, so every value has a checksum.
//
//   batch: version u8, CRC32C u32 of the 32 bytes after it, epoch u32, applied up to u64, segment u32, first u64,
//     last u64, then the bytes of the batch, which have checksums and hashes of their own; numbers little-endian
//   all others: "1", CRC32C of the JSON in eight hexadecimal digits, JSON; with a space between them

const version = 1;
const batchFieldsAt = 5;
const batchBytesAt = 37;

const position = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const words = z.string().max(200);

const headForm = z.object({ epoch: position, last: position, hash });
const leaderForm = z.object({ node: words, epoch: position, address: words, build: words });
const endForm = headForm.extend({ node: words });
const stepDownForm = z.object({ epoch: position });
const appliedForm = z.object({ upTo: position });
const foundationForm = z.object({ origin: hash, profile: words, keyFingerprint: words });
const nodeForm = z.object({
  node: words,
  address: words,
  build: words,
  isCandidate: z.boolean(),
  newestRules: position,
  rules: position.optional(),
  commandFormat: position,
  journaled: position,
  applied: position,
  clock: z.object({ epoch: position, ms: z.int() }).optional(),
  run: words.optional(),
});

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

/** Any value as it is kept, but a batch. */
export function encode(value: object): Uint8Array {
  const json = Buffer.from(JSON.stringify(value), 'utf8');
  return Buffer.concat([Buffer.from(`${version} ${checksumOf(json)} `), json]);
}

const checksumOf = (json: Uint8Array): string => crc32c(json).toString(16).padStart(8, '0');

/** The value in this form that is kept under `key`. @throws LogDamaged */
export function decode<Value>(key: string, bytes: Uint8Array, form: z.ZodType<Value>): Value {
  const text = Buffer.from(bytes).toString('utf8');
  const [, kept, checksum, json = ''] = /^(\d+) ([0-9a-f]{8}) (.*)$/su.exec(text) ?? [];
  if (kept === undefined) throw new LogDamaged(`${key}: not in the form of this exchange`);
  if (kept !== String(version)) throw new LogDamaged(`${key}: of form ${kept}, which this build does not know`);
  if (checksum !== checksumOf(Buffer.from(json))) throw new LogDamaged(`${key}: does not match its checksum`);
  try {
    return form.parse(JSON.parse(json));
  } catch (error) {
    throw new LogDamaged(`${key}: makes no sense`, { cause: error });
  }
}

/** The head as it is kept. */
export const encodeHead = (head: LogHead): Uint8Array => encode({ ...head, hash: hexOf(head.hash) });
/** The head that is kept under `key`. @throws LogDamaged */
export function decodeHead(key: string, bytes: Uint8Array): LogHead {
  const head = decode(key, bytes, headForm);
  return { epoch: as<Epoch>(head.epoch), last: as<Seq>(head.last), hash: bytesOf(head.hash) };
}

/** The leader as it is kept. */
export const encodeLeader = (leader: Leader): Uint8Array => encode(leader);
/** The leader that is kept under `key`. @throws LogDamaged */
export function decodeLeader(key: string, bytes: Uint8Array): Leader {
  const leader = decode(key, bytes, leaderForm);
  return { ...leader, epoch: as<Epoch>(leader.epoch) };
}

/** The position up to which the leader has applied, as it is kept. */
export const encodeApplied = (upTo: Seq): Uint8Array => encode({ upTo });
/** The position that is kept under `key`. @throws LogDamaged */
export const decodeApplied = (key: string, bytes: Uint8Array): Seq => as<Seq>(decode(key, bytes, appliedForm).upTo);

/** What the cluster was made from, as it is kept. */
export const encodeFoundation = (foundation: Foundation): Uint8Array =>
  encode({ ...foundation, origin: hexOf(foundation.origin) });
/** The foundation that is kept under `key`. @throws LogDamaged */
export function decodeFoundation(key: string, bytes: Uint8Array): Foundation {
  const foundation = decode(key, bytes, foundationForm);
  return { ...foundation, origin: bytesOf(foundation.origin) };
}

/** How the cluster ended, as it is kept. */
export const encodeEnd = ({ node, head }: LogEnd): Uint8Array => encode({ node, ...head, hash: hexOf(head.hash) });
/** The end that is kept under `key`. @throws LogDamaged */
export function decodeEnd(key: string, bytes: Uint8Array): LogEnd {
  const { node, epoch, last, hash: at } = decode(key, bytes, endForm);
  return { node, head: { epoch: as<Epoch>(epoch), last: as<Seq>(last), hash: bytesOf(at) } };
}

/** Which leader is asked to end its term, as it is kept. */
export const encodeStepDown = (epoch: Epoch): Uint8Array => encode({ epoch });
/** The epoch of the leader that is asked, as it is kept under `key`. @throws LogDamaged */
export const decodeStepDown = (key: string, bytes: Uint8Array): Epoch =>
  as<Epoch>(decode(key, bytes, stepDownForm).epoch);

/** What a node tells of itself, as it is kept. */
export const encodeNode = (node: NodeStatus): Uint8Array => encode(node);
/** The node that is kept under `key`. @throws LogDamaged */
export function decodeNode(key: string, bytes: Uint8Array): NodeStatus {
  const { clock, ...node } = decode(key, bytes, nodeForm);
  return {
    ...node,
    ...{ journaled: as<Seq>(node.journaled), applied: as<Seq>(node.applied) },
    ...(clock === undefined ? {} : { clock: { ...clock, epoch: as<Epoch>(clock.epoch) } }),
  };
}

/** A batch as it is kept. */
export function encodeBatchValue(batch: LogBatch): Uint8Array {
  const writer = new ByteWriter(batchBytesAt + batch.bytes.length);
  writer.u8(version);
  writer.u32(0);
  writer.u32(batch.epoch);
  writer.i64(BigInt(batch.appliedUpTo));
  writer.u32(batch.segment);
  writer.i64(BigInt(batch.first));
  writer.i64(BigInt(batch.last));
  writer.patchU32(1, crc32c(writer.written(), batchFieldsAt, batchBytesAt));
  writer.raw(batch.bytes);
  return writer.written();
}

/** The batch that is kept under `key`; its bytes are not looked at. @throws LogDamaged */
export function decodeBatchValue(key: string, kept: Uint8Array): LogBatch {
  try {
    const reader = new ByteReader(kept);
    if (reader.u8() !== version) throw new MalformedBytes('a form that this build does not know');
    const checksum = reader.u32();
    if (kept.length < batchBytesAt || checksum !== crc32c(kept, batchFieldsAt, batchBytesAt))
      throw new MalformedBytes('does not match its checksum');
    return {
      epoch: as<Epoch>(reader.u32()),
      appliedUpTo: as<Seq>(Number(reader.i64())),
      segment: reader.u32(),
      first: as<Seq>(Number(reader.i64())),
      last: as<Seq>(Number(reader.i64())),
      bytes: reader.raw(reader.left),
    };
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    throw new LogDamaged(`${key}: ${error.message}`);
  }
}
