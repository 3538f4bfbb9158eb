import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineTimer } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { ClusterCall, ClusterWork } from '#main/cluster/cluster-command.ts';
import { readClusterFile } from '#main/cluster/cluster-file.ts';
import { type Ground, joinCluster } from '#main/cluster/join-cluster.ts';
import { journalEnd } from '#main/cluster/journal-end.ts';
import { fingerprintOf } from '#main/cluster/open-cluster.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { type DataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { type Membership, readMembership, writeMembership } from '#main/storage/membership.ts';
import { as } from '#model/units.ts';
import { entriesFrom } from '../crash/journal-script.ts';
import { batchOf } from '../ports/memory-journal.ts';
import { createMemoryQuorum, type MemoryLogNode, type MemoryQuorum } from '../ports/memory-command-log.ts';

const origin = new Uint8Array(32).fill(9);

/** What a journal is given: entries from `first` on, each in a batch of its own. */
export interface Written {
  readonly first: number;
  readonly count: number;
  readonly epoch: number;
}

/** Directories of nodes on disk, and a quorum in memory, for the commands about a cluster. */
export class CommandStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'bourse-cluster-commands-'));
  private readonly timers = new Set<() => void>();
  private passedMs = 0;
  readonly quorum: MemoryQuorum = createMemoryQuorum({
    setTimer: (delayMs, run) => {
      const end = machineTimer(delayMs, run);
      this.timers.add(end);
      return end;
    },
    now: () => performance.now() + this.passedMs,
  });
  /** A connection of the test itself. */
  readonly connection: MemoryLogNode = this.quorum.connect();
  readonly told: string[] = [];

  directoryOf(node: string): DataDirectory {
    return layoutOf(join(this.folder, node));
  }

  membershipOf(node: string): Membership | null {
    return readMembership(this.directoryOf(node));
  }

  /** Makes the node's journal, or goes on with it. */
  async write(node: string, ...parts: readonly Written[]): Promise<void> {
    const { journal: directory } = this.directoryOf(node);
    const journal = await FileJournal.open({
      ...{ files: nodeFileOperations, directory, segmentSize: 1 << 16, origin, isFollowing: true },
      ...{ notice: () => {}, compress: async () => false },
    });
    try {
      for (const { first, count, epoch } of parts) {
        for (const entry of entriesFrom(first, count))
          await journal.append(as(entry.seq - 1), batchOf([{ ...entry, epoch: as<Entry['epoch']>(epoch) }]));
      }
    } finally {
      await journal.close();
    }
  }

  /** What a command of this node is given. */
  callOf(node: string, exchange = 'main', log = this.connection.log): ClusterCall {
    const { config } = loadConfiguration({
      ...{ environment: {}, file: null, readFile: () => '', isForServer: false },
      flags: new Map<never, string>([
        ['data', this.directoryOf(node).root],
        ['profile', 'production'],
        ['masterKey', 'ab'.repeat(32)],
        ['journalSegmentMib', '1'],
      ] as never),
    });
    const text = JSON.stringify({ exchange, node, etcd: { endpoints: ['http://127.0.0.1:1'] } });
    const file = readClusterFile('cluster.json', () => text);
    return { config, file, log, tell: (line) => void this.told.push(line) };
  }

  run(node: string, work: ClusterWork, exchange?: string): Promise<string> {
    return work(this.callOf(node, exchange));
  }

  /** As the start of the node. */
  join(node: string, exchange?: string): Promise<Ground> {
    const { config, file, log, tell } = this.callOf(node, exchange);
    const keyFingerprint = fingerprintOf(loadMasterKeys(config));
    const identity = { profile: config.profile, keyFingerprint, build: 'test' };
    const linkKey = new Uint8Array(32);
    const waits = { isStopped: () => false, isPatient: true };
    return joinCluster({ file, log, identity, linkKey, tell, ...waits }, this.directoryOf(node));
  }

  /** Last entry of the node's journal. */
  readonly lastOf = async (node: string): Promise<number> => (await journalEnd(this.directoryOf(node).journal)).last;

  /** As if the directory had been copied. */
  copyMembership(from: string, to: string): void {
    writeMembership(this.directoryOf(to), this.membershipOf(from));
  }

  knowNodes(node: string, nodes: readonly string[]): void {
    writeMembership(this.directoryOf(node), { ...this.membershipOf(node)!, nodes });
  }

  /** For the quorum, nobody has reported in this time. */
  pass(seconds: number): void {
    this.passedMs += seconds * 1000;
  }

  clean(): void {
    for (const end of this.timers) end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
