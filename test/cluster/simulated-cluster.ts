import { createPrng, type Prng } from '#base/prng.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { openSegment } from '#journal/segment-directory.ts';
import { as } from '#model/units.ts';
import { createMemoryQuorum, type MemoryQuorum } from '../ports/memory-command-log.ts';
import type { MemoryDisk } from '../ports/memory-file-operations.ts';
import { ClusterAuditor, copiesOf, differenceOf } from './cluster-auditor.ts';
import type { FoundingJournal } from './founding-journal.ts';
import { accountOf, SimulatedClient } from './simulated-client.ts';
import { strike } from './simulated-faults.ts';
import { directories, segmentSize } from './simulated-life.ts';
import { SimulatedNode } from './simulated-node.ts';
import { VirtualTime } from './virtual-time.ts';

/** How long faults come, in milliseconds, and how long the cluster has to go on after the last one. */
const faultsMs = 10_000;
const recoveryMs = 10_000;
/** Milliseconds between two faults at most. */
const calmMs = 1000;
const clients = 3;

/** What came of a run. */
export interface ClusterRun {
  /** What was broken; empty: nothing. */
  readonly faults: readonly string[];
  /** How often each thing happened. */
  readonly counts: ReadonlyMap<string, number>;
  /** Tells two runs apart: the same seed gives the same one. */
  readonly trace: string;
}

/** The parts of a cluster under test. */
export interface SimulatedCluster {
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly quorum: MemoryQuorum;
  readonly nodes: readonly SimulatedNode[];
  readonly auditor: ClusterAuditor;
  /** Position of the last entry of the log. */
  readonly last: () => number;
  count(what: string): void;
}

/** Runs a cluster of three to five nodes through random faults, and then without any. */
export async function runCluster(seed: number, founding: FoundingJournal): Promise<ClusterRun> {
  const prng = createPrng(seed);
  const time = new VirtualTime();
  const counts = new Map<string, number>();
  const slowOneIn = 20 + prng.below(200);
  const quorum = createMemoryQuorum({
    setTimer: time.setTimer,
    // At least one, so that the auditor sees an append before its answer is there.
    latencyMs: () => (prng.below(slowOneIn) === 0 ? 1 + prng.below(1500) : 1 + prng.below(3)),
    ...(prng.below(4) === 0 ? { bytesMax: 4096 } : {}),
  });
  const auditor = new ClusterAuditor(founding.entries, 1);
  const observer = quorum.connect().log;
  await found(observer, founding, time);
  observer.watch(auditor.watcher);
  const nodes: SimulatedNode[] = [];
  for (let index = 0; index < 3 + prng.below(3); index += 1) {
    const name = `node${index + 1}`;
    const another = (than: SimulatedNode): SimulatedNode =>
      nodes.filter((node) => node !== than).toSorted((a, b) => b.position.journaled - a.position.journaled)[0]!;
    const clockOffsetMs = prng.below(400) - 200;
    nodes.push(new SimulatedNode({ name, quorum, time, prng, auditor, clockOffsetMs, another }, founding.files));
  }
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const cluster: SimulatedCluster = { time, prng, quorum, nodes, auditor, last: () => auditor.last, count };
  for (const node of nodes) node.start();
  const traders = Array.from({ length: clients }, (_, index) => {
    const pauseMs = 100 + prng.below(400);
    const name = `c${index}`;
    return new SimulatedClient({ name, account: accountOf(index), nodes, time, prng, auditor, pauseMs });
  });
  const trading = Promise.all(traders.map((client) => client.trade()));
  await rageThenRest(cluster);
  for (const client of traders) client.stop();
  let areDone = false;
  void trading.then(() => {
    areDone = true;
  });
  const isAtRest = await time.pass(recoveryMs, () => areDone && isEven(cluster));
  if (!isAtRest) auditor.fails(`not at rest ${recoveryMs} ms after the last fault: ${stateOf(cluster, areDone)}`);
  await compare(cluster);
  for (const node of nodes)
    for (const [ending, times] of node.endings) counts.set(ending, (counts.get(ending) ?? 0) + times);
  counts.set('answers', auditor.answerCount);
  counts.set('voided', auditor.voided);
  const digest = nodes[0]!.digest;
  return { faults: auditor.faults, counts, trace: `${digest} ${auditor.last} ${time.passed} ${prng.next()}` };
}

async function found(
  log: ReturnType<MemoryQuorum['connect']>['log'],
  { origin, entries, hash }: FoundingJournal,
  time: VirtualTime,
): Promise<void> {
  const head = { epoch: as<never>(1 as never), last: as<never>(entries.length as never), hash };
  let isFounded = false;
  void log.found({ origin, profile: 'sandbox', keyFingerprint: '' }, head).then(() => {
    isFounded = true;
  });
  await time.pass(10_000, () => isFounded);
}

/** Lets faults strike, one after the other and several at once; ends them all. */
async function rageThenRest(cluster: SimulatedCluster): Promise<void> {
  const { time, prng, nodes, quorum, auditor } = cluster;
  const firstMs = 1000;
  await time.pass(firstMs);
  while (time.passed < faultsMs && auditor.faults.length === 0) {
    strike(cluster);
    await time.pass(prng.below(calmMs));
  }
  quorum.setFull(false);
  for (const node of nodes) {
    node.setDiskFault(null);
    node.setReachable(true);
    node.faults?.delayWatch(0);
    node.thaw();
  }
}

/** Whether all nodes have and applied what the log has. */
const isEven = ({ nodes, last }: SimulatedCluster): boolean =>
  nodes.some(({ isLeading }) => isLeading) &&
  nodes.every(({ isUp, position: { journaled, applied } }) => isUp && journaled === last() && applied === last());

const stateOf = ({ nodes, last }: SimulatedCluster, areClientsDone: boolean): string =>
  [
    `log ${last()}, clients ${areClientsDone ? 'done' : 'waiting'}`,
    ...nodes.map(
      ({ name, isUp, isLeading, position: { journaled, applied } }) =>
        `${name} ${isUp ? 'up' : 'down'}${isLeading ? ' leads' : ''} has ${journaled} applied ${applied}`,
    ),
  ].join('; ');

/** Compares the journals with each other, with what clients were told, and the states with a replay. */
async function compare({ nodes, auditor, time }: SimulatedCluster): Promise<void> {
  const disks = nodes.map((node) => node.diskNow());
  let isDone = false;
  const compared = compareDisks(disks, nodes, auditor)
    .catch((error: unknown) => auditor.fails(`comparing: ${(error as Error).stack}`))
    .then(() => {
      isDone = true;
    });
  await time.pass(0, () => isDone);
  await compared;
}

async function compareDisks(
  disks: readonly MemoryDisk[],
  nodes: readonly SimulatedNode[],
  auditor: ClusterAuditor,
): Promise<void> {
  const different = differenceOf(await Promise.all(disks.map(segmentsOf)));
  if (different !== null) auditor.fails(different);
  const journal = await FileJournal.open({
    ...{ files: disks[0]!, directory: directories.journal, segmentSize, isFollowing: true, notice: () => {} },
    compress: async () => false,
  });
  const engine = auditor.compares(await copiesOf(journal));
  for (const { name, position, digest } of nodes)
    if (position.applied === engine.seq && digest !== engine.eventDigest())
      auditor.fails(`${name} has another state than a replay of the journal`);
}

/** The bytes of the segments of a journal, as far as batches go. */
async function segmentsOf(disk: MemoryDisk): Promise<readonly Uint8Array[]> {
  const { sealed, active } = await surveyJournal(disk, directories.journal);
  const segments = sealed.map(({ number, size, isRaw }) => ({ number, size, isRaw }));
  if (active !== null) segments.push({ number: active.start.number, size: active.offset, isRaw: true });
  return Promise.all(
    segments.map(async ({ number, size, isRaw }) => {
      const source = await openSegment(disk, directories.journal, number, isRaw);
      const bytes = new Uint8Array(size);
      await source.read(bytes, 0);
      await source.close();
      return bytes;
    }),
  );
}
