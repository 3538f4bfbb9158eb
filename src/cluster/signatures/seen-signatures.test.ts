import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import {
  readClaim,
  readSeen,
  readVerdict,
  writeClaim,
  writeSeen,
  writeVerdict,
} from '#cluster/signatures/claim-codec.ts';
import { ClusterSignatures, type SignatureLink } from '#cluster/signatures/cluster-signatures.ts';
import { ForwardedClaims } from '#cluster/signatures/forwarded-claims.ts';
import { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';
import { claimVerdicts, type SignatureClaim, type SignatureUse } from '#sequencer/signature-authority.ts';

let now = 0;
const keepMs = 61_000;
const began = 5000;
const memory = (): SeenSignatures =>
  new SeenSignatures({ clock: { now: () => now }, keepMs, since: began, onceSince: began + 700 });
const signature = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const claimOf = (byte: number, changes: Partial<SignatureClaim> = {}): SignatureClaim => ({
  ...{ signature: signature(byte), route: 'POST /withdraw', isOnce: true, madeAt: began + 1000 },
  ...changes,
});

describe('DEC-CLU-20: what a leader decides', () => {
  test('what takes money is granted once, other things again at the same route only', () => {
    const seen = memory();
    expect([seen.claim(claimOf(1)), seen.claim(claimOf(1)), seen.claim(claimOf(2))]).toEqual([
      ...['granted', 'used', 'granted'],
    ]);
    const order = { route: 'POST /order', isOnce: false };
    expect([seen.claim(claimOf(3, order)), seen.claim(claimOf(3, order))]).toEqual(['granted', 'granted']);
    expect(seen.claim(claimOf(3, { ...order, route: 'DELETE /order' }))).toBe('used');
    expect(seen.claim(claimOf(3))).toBe('used');
  });

  test('a read sent again as something else is refused for as long as it could be valid', () => {
    const seen = memory();
    seen.see({ signature: signature(1), route: 'GET /order' });
    seen.see({ signature: signature(1), route: 'DELETE /order' });
    now += 60_999;
    expect(seen.claim(claimOf(1, { route: 'DELETE /order', isOnce: false }))).toBe('used');
    now += 122_000;
    expect(seen.size).toBe(1);
    expect(seen.claim(claimOf(2))).toBe('granted');
    expect(seen.size).toBe(1);
  });

  test('what was signed before the term may have been used at the leader before: it is refused', () => {
    const seen = memory();
    expect(seen.claim(claimOf(1, { madeAt: began - 1 }))).toBe('fromBefore');
    expect(seen.claim(claimOf(1, { madeAt: began, isOnce: false }))).toBe('granted');
    expect(seen.claim(claimOf(2, { madeAt: began + 699 }))).toBe('tooSoon');
    expect(seen.claim(claimOf(2, { madeAt: began + 700 }))).toBe('granted');
  });

  test('reads in any number push no claim out', () => {
    const seen = memory();
    seen.claim(claimOf(1));
    const bytes = new Uint8Array(32);
    for (let count = 0; count < 450_000; count += 1) {
      new DataView(bytes.buffer).setUint32(0, count);
      seen.see({ signature: bytes, route: 'GET /account' });
    }
    expect(seen.size).toBeLessThanOrEqual(400_001);
    expect(seen.claim(claimOf(1))).toBe('used');
  });
});

describe('claims on their way', () => {
  const written = (write: (writer: ByteWriter) => void): ByteReader => {
    const writer = new ByteWriter(16);
    write(writer);
    return new ByteReader(writer.take());
  };

  test('are read as they were written', () => {
    const claim = claimOf(9, { route: 'DELETE /api/v3/å', isOnce: false, madeAt: 1_700_000_000_000 });
    expect(readClaim(written((writer) => writeClaim(writer, claim)))).toEqual(claim);
    for (const verdict of [...claimVerdicts, null])
      expect(readVerdict(written((writer) => writeVerdict(writer, verdict)))).toBe(verdict);
    const uses = [1, 2].map((byte) => ({ signature: signature(byte), route: 'GET /' }));
    expect(readSeen(written((writer) => writeSeen(writer, uses)))).toEqual(uses);
  });

  test('garbage is told so', () => {
    expect(() => readVerdict(written((writer) => writer.u8(9)))).toThrow('verdict 9');
    expect(() => readClaim(written((writer) => writer.raw(signature(1))))).toThrow();
    expect(() => readSeen(written((writer) => writer.varint(linkLimits.seenAtOnce + 1)))).toThrow('1001 signatures');
    expect(() => readSeen(written((writer) => writer.varint(3)))).toThrow();
    const long = { signature: signature(1), route: 'x'.repeat(linkLimits.routeBytes + 1) };
    expect(() => readSeen(written((writer) => writeSeen(writer, [long])))).toThrow();
    expect(() => written((writer) => writeClaim(writer, claimOf(1, { signature: new Uint8Array(31) })))).toThrow(
      'a signature of 31 bytes',
    );
  });

  test('are refused when the connection ends, when too many wait, and where nobody leads', async () => {
    const claims = new ForwardedClaims();
    const refs: number[] = [];
    const channel = { send: (_kind: number, ref: number) => refs.push(ref) };
    const first = claims.send(channel, claimOf(1));
    const second = claims.send(channel, claimOf(2));
    expect(() =>
      claims.receive(
        77,
        written((writer) => writeVerdict(writer, null)),
      ),
    ).toThrow('claim 77');
    claims.receive(
      refs[1]!,
      written((writer) => writeVerdict(writer, null)),
    );
    await expect(second).rejects.toThrow('the node does not lead');
    const many = Array.from({ length: linkLimits.claims }, (_, index) => claims.send(channel, claimOf(index % 250)));
    const outcomes = Promise.allSettled([first, ...many]);
    claims.lose();
    const reasons = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : ''));
    expect(reasons[0]).toBe('the connection to the leader has ended');
    expect(reasons.at(-1)).toBe('too many signatures wait for the leader');
  });
});

describe('DEC-CLU-20: signatures at one node', () => {
  const linkTo = (told: SignatureUse[][]) => ({
    isConnected: true,
    claim: async () => 'used' as const,
    tellSeen: (uses: readonly SignatureUse[]) => void told.push([...uses]),
  });

  test('the leader is told soon of what was served, in pieces, and later where it was not there', async () => {
    const told: SignatureUse[][] = [];
    const link: { -readonly [Name in keyof SignatureLink]: SignatureLink[Name] } = linkTo(told);
    const signatures = new ClusterSignatures(link);
    let tick: () => unknown = () => {};
    signatures.start((_everyMs, run) => {
      tick = run;
      return () => {};
    });
    link.isConnected = false;
    for (let count = 0; count < 2500; count += 1)
      signatures.seen({ signature: signature(count % 250), route: `GET /${count}` });
    tick();
    expect(told).toEqual([]);
    link.isConnected = true;
    tick();
    tick();
    expect(told.map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect(await signatures.claim(claimOf(1))).toBe('used');
  });

  test('while nobody hears, the newest are kept', () => {
    const told: SignatureUse[][] = [];
    const link = { ...linkTo(told), isConnected: false };
    const signatures = new ClusterSignatures(link);
    for (let count = 0; count < 120_000; count += 1) signatures.seen({ signature: signature(1), route: String(count) });
    const seen = memory();
    signatures.lead(seen);
    expect(seen.claim(claimOf(1, { route: 'x' }))).toBe('used');
  });

  test('a node that leads decides by itself, with what it has served before', async () => {
    const signatures = new ClusterSignatures(linkTo([]));
    signatures.seen({ signature: signature(1), route: 'GET /account' });
    signatures.lead(memory());
    expect(await signatures.claim(claimOf(1))).toBe('used');
    expect(await signatures.claim(claimOf(2))).toBe('granted');
  });
});
