import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Foundation, Leader, LogBatch, LogHead, NodeStatus } from '#cluster/command-log.ts';
import { LogDamaged } from '#cluster/command-log.ts';
import {
  decodeApplied,
  decodeBatchValue,
  decodeFoundation,
  decodeHead,
  decodeLeader,
  decodeNode,
  encodeApplied,
  encodeBatchValue,
  encodeFoundation,
  encodeHead,
  encodeLeader,
  encodeNode,
} from '#cluster/etcd/kept-values.ts';

const hash = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
const far = as<Seq>(Number.MAX_SAFE_INTEGER);
const head: LogHead = { epoch: as<Epoch>(4), last: far, hash };
const leader: Leader = { node: 'nœud', epoch: as<Epoch>(4), address: '[::1]:9000', build: '0.5.0' };
const foundation: Foundation = { origin: hash, profile: 'production', keyFingerprint: 'ab' };
const node: NodeStatus = {
  node: 'a',
  address: '',
  build: '0.5.0',
  isCandidate: false,
  newestRules: 3,
  commandFormat: 5,
  journaled: far,
  applied: as<Seq>(0),
  clock: { epoch: as<Epoch>(4), ms: -1200 },
};
const batch: LogBatch = {
  epoch: as<Epoch>(4_294_967_295),
  appliedUpTo: as<Seq>(7),
  segment: 9,
  first: as<Seq>(8),
  last: far,
  bytes: hash,
};

/** Each kind of value: one as it is kept, what it is read back as, and how. */
const kinds: readonly (readonly [string, Uint8Array, unknown, (key: string, bytes: Uint8Array) => unknown])[] = [
  ['head', encodeHead(head), head, decodeHead],
  ['leader', encodeLeader(leader), leader, decodeLeader],
  ['foundation', encodeFoundation(foundation), foundation, decodeFoundation],
  ['node', encodeNode(node), node, decodeNode],
  ['applied', encodeApplied(far), far, decodeApplied],
  ['batch', encodeBatchValue(batch), batch, decodeBatchValue],
];
/** What of a batch has a checksum here; its bytes have their own. */
const checkedOf = (kind: string, bytes: Uint8Array): number => (kind === 'batch' ? 37 : bytes.length);

test.each(kinds)('%s: comes back as it was kept', (_, bytes, value, decode) => {
  expect(decode('key', bytes)).toEqual(value);
});

test.each(kinds)('%s: each flipped bit and each cut is noticed, and told with the key', (kind, bytes, _, decode) => {
  const checked = checkedOf(kind, bytes);
  const damaged: Uint8Array[] = Array.from({ length: checked }, (_cut, size) => bytes.slice(0, size));
  for (let bit = 0; bit < checked * 8; bit += 1) {
    const flipped = bytes.slice();
    flipped[bit >>> 3]! ^= 1 << (bit & 7);
    damaged.push(flipped);
  }
  const noticed = damaged.filter((value) => {
    try {
      decode('/bourse/x/key', value);
      return false;
    } catch (error) {
      return error instanceof LogDamaged && error.message.startsWith('/bourse/x/key: ');
    }
  });
  expect(noticed).toHaveLength(checked * 9);
});

test.each(kinds)('%s: random bytes are no value', (_, _bytes, _value, decode) => {
  const prng = createPrng(28);
  for (let round = 0; round < 500; round += 1) {
    const bytes = Uint8Array.from({ length: prng.below(80) }, () => prng.below(256));
    expect(() => decode('key', bytes)).toThrow(LogDamaged);
  }
});
