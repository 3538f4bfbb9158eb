import { setTimeout } from 'node:timers/promises';
import { type Clock, machineTimer } from '#base/clock.ts';
import { createPrng } from '#base/prng.ts';
import type { Entry } from '#model/command.ts';
import { type Epoch, type Seq, as } from '#model/units.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import type { ClusterIngress } from '#cluster/cluster-ingress.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { OwnSegments } from '#journal/own-segments.ts';
import { ClusterNode } from '#main/cluster/cluster-node.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { MemoryDisk } from './ports/memory-file-operations.ts';
import { createMemoryQuorum, type MemoryQuorum } from './ports/memory-command-log.ts';

const origin = new Uint8Array(32).fill(7);
const segmentSize = 64 << 10;
const pollMs = 2;
const linkKey = new Uint8Array(32).fill(9);

/** Whatever goes wrong between the nodes is a fault of the test. */
const fail = (error: unknown): never => {
  throw error;
};

/** The quorum of a new cluster, in memory. */
export async function foundQuorum(): Promise<MemoryQuorum> {
  const quorum = createMemoryQuorum({ setTimer: machineTimer });
  const head = { epoch: as<Epoch>(1), last: as<Seq>(0), hash: origin };
  await quorum.connect().log.found({ origin, profile: 'sandbox', keyFingerprint: '' }, head);
  return quorum;
}

/** How a node in memory is started. */
export interface MemoryNodeOptions {
  readonly quorum: MemoryQuorum;
  readonly name: string;
  /** Of the entries while it leads. */
  readonly clock: Clock;
  readonly mayLead?: boolean;
  /** Told why it has to end; absent: that is a fault of the test. */
  readonly onEnded?: (error: Error) => void;
  readonly tell?: (message: string) => void;
}

/** A node of a cluster in this process, with its disk in memory and a real link to the others. */
export interface MemoryNode {
  readonly node: ClusterNode;
  readonly engine: StateMachine;
  /** What it applied as a follower. */
  readonly entries: Entry[];
  readonly ingress: ClusterIngress;
  /** Resolves once it leads. */
  readonly led: Promise<void>;
  /** Resolves once it takes commands. */
  connected(): Promise<void>;
  /** Ends its term, if it leads, and itself. */
  close(): Promise<void>;
}

/** Starts a node, which follows until nobody leads. */
export async function startMemoryNode(options: MemoryNodeOptions): Promise<MemoryNode> {
  const { quorum, name, clock, mayLead = true, onEnded = fail, tell = () => {} } = options;
  const disk = new MemoryDisk(createPrng(1));
  const directory = `${name}/journal`;
  const journal = await FileJournal.open({
    ...{ files: disk, directory, segmentSize, origin, isFollowing: true },
    ...{ notice: () => {}, compress: async () => false },
  });
  const { log } = quorum.connect();
  const node = new ClusterNode({
    ...{ log, linkKey, tell, notes: null, onEnded, onAsked: () => {} },
    // A link that ends because its node is closed is no trouble.
    onTrouble: () => {},
    file: {
      ...{ exchange: 'test', node: name, leaseSeconds: 60, mayLead },
      etcd: {
        ...{ endpoints: [], caFile: null, certificateFile: null, keyFile: null, user: null, passwordFile: null },
      },
      link: { host: '127.0.0.1', port: 0, address: null },
    },
    identity: { profile: 'sandbox', keyFingerprint: '', build: 'test' },
  });
  const engine = createEngine();
  const feed = createFanOut();
  const entries: Entry[] = [];
  const apply = async (batch: readonly Entry[]): Promise<void> => {
    for (const entry of batch) {
      entries.push(structuredClone(entry));
      engine.apply(entry, feed);
    }
  };
  const ingress = node.ingressOf(feed);
  const led = node.untilLed(
    {
      ...{
        journal,
        apply,
        feed,
        applied: () => engine.seq,
        at: () => engine.at,
        rules: () => engine.state.progress.rules,
      },
      takeOut: () => Promise.reject(new Error('nothing is voided here')),
      segments: new OwnSegments({ files: disk, directory, journal }),
      sequencerOf: async (lead) =>
        new Sequencer({
          ...lead,
          engine,
          subscribers: feed,
          clock,
          hasRoom: () => true,
          onBroken: () => {},
          onFatal: fail,
        }),
    },
    ingress,
  );
  led.catch(() => undefined);
  const close = async (): Promise<void> => {
    node.stopFollowing();
    await ingress.close();
    await node.close();
    await led.catch(() => undefined);
    await journal.close();
  };
  const connected = async (): Promise<void> => {
    while (!ingress.isOpen) await setTimeout(pollMs);
  };
  return { node, engine, entries, ingress, led, connected, close };
}
