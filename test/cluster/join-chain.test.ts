import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogBatch } from '#cluster/command-log.ts';
import { type LinkServer, openLinkServer } from '#cluster/link/link-server.ts';
import { BehindLog } from '#cluster/standby.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { OwnSegments } from '#journal/own-segments.ts';
import { hashOf } from '#journal/segment-format.ts';
import { StandbyStopped } from '#main/cluster/await-quorum.ts';
import { type ChainParts, joinChain } from '#main/cluster/join-chain.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { expectEntries, smallSegment } from '../crash/journal-script.ts';
import { clusterOrigin, encodeNext, lead } from '../crash/replica-journal.ts';
import { createMemoryQuorum, type MemoryQuorum } from '../ports/memory-command-log.ts';

const key = new Uint8Array(32).fill(7);
const epoch = as<Epoch>(1);
const sizes = Array.from({ length: 40 }, (_, index) => 1 + ((index * 7) % 11));

let root: string;
let quorum: MemoryQuorum;
let told: string[];
let batches: EncodedBatch[];
let source: FileJournal;
let server: LinkServer;

const open = (node: string): Promise<FileJournal> =>
  FileJournal.open({
    ...{ files: nodeFileOperations, directory: layoutOf(join(root, node)).journal, segmentSize: smallSegment },
    ...{ notice: () => {}, origin: clusterOrigin, isFollowing: true },
  });

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bourse-join-'));
  quorum = createMemoryQuorum({ setTimer: () => () => {} });
  told = [];
  batches = [];
  const { log } = quorum.connect();
  const head = { epoch, last: as<Seq>(0), hash: clusterOrigin };
  await log.found({ origin: clusterOrigin, profile: 'production', keyFingerprint: '' }, head);
  source = await open('source');
  server = await openLinkServer({
    ...{ host: '127.0.0.1', port: 0, key, own: { node: 'source', build: '1' }, onTrouble: () => {} },
  });
  server.give(
    new OwnSegments({ files: nodeFileOperations, directory: layoutOf(join(root, 'source')).journal, journal: source }),
  );
  for (const size of sizes) await write(size);
});
afterEach(async () => {
  await server.close();
  await source.close();
  rmSync(root, { recursive: true, force: true });
});

async function write(size: number): Promise<void> {
  const { log } = quorum.connect();
  const batch = await lead(source, size);
  const { at } = (await log.head())!;
  const kept: LogBatch = { ...batch, epoch, appliedUpTo: batch.last };
  await log.append(at, { epoch, last: batch.last, hash: hashOf(batch.bytes) }, kept);
  batches.push(batch);
}

/** The source tells where it is. */
const report = (journaled = source.last()) =>
  quorum.connect().log.report(
    {
      ...{ node: 'source', address: `127.0.0.1:${server.port}`, build: '1', isCandidate: true, newestRules: 1 },
      ...{ commandFormat: 1, journaled, applied: journaled },
    },
    10,
  );

const partsOf = (node: string, more: Partial<ChainParts> = {}): ChainParts => ({
  file: {
    ...{ exchange: 'main', node, leaseSeconds: 2, mayLead: true, link: { host: '', port: 0, address: null } },
    etcd: { endpoints: [], caFile: null, certificateFile: null, keyFile: null, user: null, passwordFile: null },
  },
  ...{ log: quorum.connect().log, build: '1', linkKey: key, directory: layoutOf(join(root, node)) },
  ...{ origin: clusterOrigin, onEmpty: () => {}, isStopped: () => false, isPatient: false },
  tell: (message) => told.push(message),
  ...more,
});

/** A node with the first batches, and one of its own of this size. */
async function nodeWith(node: string, count: number, own = 0): Promise<void> {
  const journal = await open(node);
  for (const batch of batches.slice(0, count)) await journal.write(batch);
  if (own > 0) await journal.write(encodeNext(journal, own));
  await journal.close();
}

async function expectJournal(node: string, last: number): Promise<void> {
  const directory = layoutOf(join(root, node));
  expect(readdirSync(directory.journal).filter((name) => !/^[0-9]{10}\.journal(\.z)?$/.test(name))).toEqual([]);
  const journal = await open(node);
  expect(journal.last()).toBe(last);
  await expectEntries(journal, 1, last);
  const own = journal.lastHash();
  expect(Buffer.compare(own, hashOf(batches.find((batch) => batch.last === last)!.bytes))).toBe(0);
  await journal.close();
}

describe('DEC-CLU-13: a journal finds its place in the cluster', () => {
  test('an empty one fetches over the link what the log no longer has', async () => {
    await report();
    await quorum.connect().log.trim(batches[30]!.last);
    let noted = 0;
    expect(await joinChain(partsOf('new', { onEmpty: () => (noted += 1) }))).toBe(source.last());
    expect(noted).toBe(1);
    await expectJournal('new', source.last());
    expect(told[0]).toMatch(/ends at entry 0: up to entry [0-9]+ it needs those of another node\.$/);
  });

  test('one whose next entry the log has fetches nothing', async () => {
    await nodeWith('near', 20);
    await quorum.connect().log.trim(batches[19]!.last);
    expect(await joinChain(partsOf('near'))).toBe(batches[19]!.last);
    expect(told).toEqual([]);
  });

  test('without a node that helps it says why, and changes nothing; where it is patient, it waits for one', async () => {
    await nodeWith('short', 10);
    await quorum.connect().log.trim(batches[30]!.last);
    const { last } = batches[9]!;
    await expect(joinChain(partsOf('short'))).rejects.toThrow(BehindLog);
    await expect(joinChain(partsOf('short'))).rejects.toThrow('no other node has reported lately');
    await expectJournal('short', last);
    const joined = joinChain(partsOf('short', { isPatient: true }));
    await expect
      .poll(() => told.at(-1), { timeout: 20_000 })
      .toMatch(/no other node has reported lately.*Asking again/);
    await report();
    expect(await joined).toBe(source.last());
    await expectJournal('short', source.last());
  });

  test('a node that cannot be reached, or has another key, is named; waiting ends when it is to stop', async () => {
    await quorum.connect().log.trim(batches[30]!.last);
    await report();
    const otherKey = joinChain(partsOf('new', { linkKey: new Uint8Array(32).fill(9) }));
    await expect(otherKey).rejects.toThrow('source: its master key is not that of this node');
    await server.close();
    await expect(joinChain(partsOf('new'))).rejects.toThrow('ECONNREFUSED');
    let isStopped = false;
    const waiting = joinChain(partsOf('new', { isPatient: true, isStopped: () => isStopped }));
    await expect.poll(() => told.at(-1), { timeout: 20_000 }).toContain('Asking again');
    isStopped = true;
    await expect(waiting).rejects.toThrow(StandbyStopped);
  });

  test('two nodes at once both get everything', async () => {
    await report();
    await quorum.connect().log.trim(batches[30]!.last);
    const last = source.last();
    expect(await Promise.all(['new', 'other'].map((node) => joinChain(partsOf(node))))).toEqual([last, last]);
    await expectJournal('new', last);
    await expectJournal('other', last);
  });
});

describe('DEC-CLU-14: where the log is damaged', () => {
  const damages = [
    ['bytes of a batch', (last: Seq) => quorum.damageBytes(last)],
    ['a batch that cannot be read', (last: Seq) => quorum.damageBatch(last)],
  ] as const;

  test.each(damages)('%s: a node that needs it gets it from the journal of another node', async (_what, damage) => {
    await report();
    for (const index of [15, 39]) {
      damage(batches[index]!.last);
      const node = `before-${index}`;
      await nodeWith(node, index);
      await joinChain(partsOf(node));
      await expectJournal(node, source.last());
    }
  });

  test.each(damages)('%s: a node that has it fetches nothing', async (_what, damage) => {
    await nodeWith('has', 16);
    damage(batches[15]!.last);
    expect(await joinChain(partsOf('has'))).toBe(batches[15]!.last);
    expect(told).toEqual([]);
  });

  test('entries of its own just there are compared with those of another node, and moved aside or kept', async () => {
    await nodeWith('wrong', 39, 30);
    await nodeWith('right', 40);
    // Two in a row: of neither does the log know where it ends, or the head alone does.
    await write(4);
    quorum.damageBatch(batches[38]!.last);
    quorum.damageBatch(batches[39]!.last);
    await expect(joinChain(partsOf('wrong'))).rejects.toThrow(BehindLog);
    await report();
    await joinChain(partsOf('wrong'));
    await expectJournal('wrong', source.last());
    expect(told.some((line) => line.includes('are not in the cluster'))).toBe(true);
    told = [];
    expect(await joinChain(partsOf('right'))).toBe(batches[39]!.last);
    expect(told).toEqual([]);
  });
});
