import { setTimeout } from 'node:timers/promises';
import { machineTimer, monotonicClock, repeatedly } from '#base/clock.ts';
import { commandFormatVersion } from '#model/command-codec.ts';
import type { Entry } from '#model/command.ts';
import type { Profile } from '#model/profile.ts';
import { newestRules } from '#model/rules.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, type Leader, LogUnreachable, type Term } from '#cluster/command-log.ts';
import { readChainPoints } from '#cluster/log-chain.ts';
import { startLeading, startReporting } from '#cluster/lead.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import { type OwnJournal, QuorumJournal } from '#cluster/quorum-journal.ts';
import { BehindLog, Standby } from '#cluster/standby.ts';
import type { Journal } from '#journal/journal.ts';
import { compareWithLog, cutAhead } from '#journal/log-comparison.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';

/** What a node has in common with its cluster. */
export interface NodeIdentity {
  readonly profile: Profile;
  readonly keyFingerprint: string;
  /** Version of the build. */
  readonly build: string;
}

/** A node's own copy of the exchange, recovered. */
export interface Replica {
  readonly journal: OwnJournal;
  readonly applied: () => Seq;
  readonly apply: (entries: readonly Entry[]) => Promise<void>;
}

/** A term of this node. */
export interface Lead {
  readonly journal: Journal;
  readonly epoch: Epoch;
  /** Why no command is taken now; `null`: they are taken. */
  readonly stop: () => string | null;
}

/** The node was stopped before it led. */
export class StandbyStopped extends Error {
  override name = 'StandbyStopped';
}

/** This node does not belong to the cluster that its file names. */
export class ClusterRefused extends Error {
  override name = 'ClusterRefused';
}

/** What a node of a cluster needs. */
export interface ClusterNodeParts {
  readonly file: ClusterFile;
  readonly log: CommandLog;
  readonly identity: NodeIdentity;
  readonly tell: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
  /** This node led and does no more: the process has to stop. */
  readonly onEnded: (error: Error) => void;
}

/** What a start needs to know of the cluster before it opens its own journal. */
export interface Ground {
  readonly origin: Uint8Array;
  /** Entries after it may not be applied yet. */
  readonly applied: Seq;
}

/** Greatest batch of a leader, in bytes: etcd takes requests of 1.5 MiB, a third of which is lost to base64. */
export const clusterBatchBytes = 512 << 10;

const retryMs = 500;

/** This process as a node of a cluster. DEC-CLU-1. */
export class ClusterNode {
  private readonly parts: ClusterNodeParts;
  private readonly contact = createQuorumContact(monotonicClock);
  private standby: Standby | null = null;
  private isStopped = false;
  private ends: (() => void)[] = [];
  private term: Term | null = null;
  private shown: string | null | undefined = undefined;

  constructor(parts: ClusterNodeParts) {
    this.parts = parts;
  }

  /**
   * Waits until the quorum answers, cuts what only the own journal has, and answers what a start needs to know.
   * @throws ClusterRefused, StandbyStopped, JournalDamaged
   */
  async ground(directory: DataDirectory): Promise<Ground> {
    const { log, file, identity } = this.parts;
    const [foundation, applied] = await this.answered(() => Promise.all([log.foundation(), log.applied()]));
    if (foundation === null)
      throw new ClusterRefused(
        `${file.etcd.endpoints.join(', ')} keeps no cluster named ${file.exchange}: begin it with bourse cluster init`,
      );
    if (foundation.profile !== identity.profile)
      throw new ClusterRefused(`the cluster ${file.exchange} is of the ${foundation.profile} profile`);
    if (foundation.keyFingerprint !== identity.keyFingerprint)
      throw new ClusterRefused(`the cluster ${file.exchange} seals with another master key: give all nodes the same`);
    await this.joinChain(directory, foundation.origin);
    return { origin: foundation.origin, applied };
  }

  /** DEC-CLU-6. */
  private async joinChain({ journal, snapshots, quarantine }: DataDirectory, origin: Uint8Array): Promise<void> {
    const { log, file, tell } = this.parts;
    const points = await this.answered(() => readChainPoints(log));
    await nodeFileOperations.makeDirectory(journal);
    const comparison = await compareWithLog({ files: nodeFileOperations, journal }, { origin, points });
    switch (comparison.kind) {
      case 'follows':
        return;
      case 'ahead': {
        const cut = { files: nodeFileOperations, journal, snapshots, aside: quarantine, comparison };
        const { first, last, folder } = await cutAhead(cut);
        tell(`Entries ${first} to ${last} were never in the quorum, and nobody was answered: they lie in ${folder}.`);
        return;
      }
      case 'foreign':
        throw new ClusterRefused(`the journal in ${journal} is not that of the cluster ${file.exchange}`);
      case 'undecided':
        throw new BehindLog(
          `the journal in ${journal} ends at entry ${comparison.end}, and the log of the cluster begins at entry ` +
            `${points[0]!.last + 1}: put a newer backup of another node in its place`,
        );
    }
  }

  /** What the quorum answers, once it does. @throws StandbyStopped */
  private async answered<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (let isTold = false; ; isTold = true) {
      if (this.isStopped) throw new StandbyStopped('stopped before the quorum answered');
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LogUnreachable)) throw error;
        if (!isTold) this.parts.tell(`Waiting for the quorum: ${error.message}.`);
      }
      await setTimeout(retryMs);
    }
  }

  /** Follows until this node leads. @throws StandbyStopped, and what `Standby.untilElected` throws */
  async lead({ journal, applied, apply }: Replica): Promise<Lead> {
    const { log, file, identity, tell, onTrouble, onEnded } = this.parts;
    const { contact } = this;
    const { leaseSeconds } = file;
    const talk = { log, contact, repeat: repeatedly, onTrouble };
    this.ends.push(
      startReporting(talk, () => ({
        node: file.node,
        address: '',
        build: identity.build,
        isCandidate: file.mayLead,
        newestRules,
        commandFormat: commandFormatVersion,
        journaled: journal.last(),
        applied: applied(),
      })),
    );
    this.standby = new Standby({
      ...{ log, journal, contact, apply, applied, leaseSeconds, setTimer: machineTimer },
      identity: { node: file.node, address: '', build: identity.build },
      isCandidate: file.mayLead,
      onLeader: (leader) => this.show(leader, applied()),
    });
    if (this.isStopped) this.standby.stop();
    const term = await this.standby.untilElected();
    if (term === null) throw new StandbyStopped('stopped while it followed');
    this.term = term;
    this.ends.push(startLeading({ ...talk, term, leaseSeconds, applied, journaled: () => journal.last(), onEnded }));
    await this.standby.applyRest();
    tell(`${file.node} leads the cluster ${file.exchange} from entry ${applied()} on, in epoch ${term.leader.epoch}.`);
    return {
      journal: new QuorumJournal({ own: journal, log, term, contact, applied, setTimer: machineTimer }),
      epoch: term.leader.epoch,
      stop: () => (contact.isLost ? 'the quorum of the cluster does not answer' : null),
    };
  }

  private show(leader: Leader | null, at: Seq): void {
    const { file, tell } = this.parts;
    const name = leader?.node ?? null;
    if (name === this.shown || name === file.node) return;
    this.shown = name;
    tell(
      name === null
        ? `Nobody leads the cluster ${file.exchange}.`
        : `${file.node} follows ${name}, at entry ${as<Seq>(at)}.`,
    );
  }

  /** Ends following soon; a leader goes on until `close`. */
  stopFollowing(): void {
    this.isStopped = true;
    this.standby?.stop();
  }

  /** Ends the term, so that another node leads at once. */
  async close(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) end();
    await this.term?.resign().catch((error: unknown) => this.parts.onTrouble('ending the term', error));
    await this.parts.log.close();
  }
}
