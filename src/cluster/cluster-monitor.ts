import type { Clock } from '#base/clock.ts';
import type { Epoch, Seq } from '#model/units.ts';
import type { Leader, LogSize, NodeStatus } from '#cluster/command-log.ts';
import { type TalkParts, talkEvery } from '#cluster/lead.ts';

/** What a node knows of its cluster, for those who watch it. */
export interface ClusterState {
  /** Whether this node leads and takes commands. */
  readonly isLeading: boolean;
  /** Who leads, as far as this node was told; `null`: nobody. */
  readonly leader: string | null;
  /** Of the leader, or of the last one. */
  readonly epoch: Epoch;
  /** Last entry of the log, as of the last answer of the quorum. */
  readonly head: Seq;
  readonly journaled: Seq;
  readonly applied: Seq;
  /** The own clock less the leader's in milliseconds, as much of it as is certain; `null`: not measured. */
  readonly clockOffsetMs: number | null;
  /** Time since the last answer of the quorum, in milliseconds. */
  readonly quorumSilentMs: number;
  /** Space of the log as it was some seconds ago; `null`: not heard yet. */
  readonly size: LogSize | null;
  /** Nodes that reported lately, this one included; `null`: not heard yet. */
  readonly nodes: readonly NodeStatus[] | null;
  /** Time that nobody led before this node did, in milliseconds; `null`: it has not followed another leader. */
  readonly takeOverMs: number | null;
}

type OwnState = 'head' | 'journaled' | 'applied' | 'quorumSilentMs' | 'clockOffsetMs';

/** What only the quorum knows is asked this often. */
const askMs = 2000;

/** Keeps in mind what a node hears of its cluster. Where the quorum does not answer, the last answers stay. */
export class ClusterMonitor {
  private readonly node: string;
  private readonly clock: Clock;
  private size: LogSize | null = null;
  private nodes: readonly NodeStatus[] | null = null;
  private ledBy: string | null = null;
  private epoch = 0;
  private hasTerm = false;
  /** Since when nobody leads who led before. */
  private vacantSince: number | null = null;
  private takeOverMs: number | null = null;

  /** `clock` never runs backwards. */
  constructor(node: string, clock: Clock) {
    this.node = node;
    this.clock = clock;
  }

  /** As `ClusterState.isLeading`. */
  get isLeading(): boolean {
    return this.hasTerm;
  }

  /** As `ClusterState.leader`. */
  get leader(): string | null {
    return this.ledBy;
  }

  /** Nodes that reported lately, as of some seconds ago. */
  get reported(): readonly NodeStatus[] {
    return this.nodes ?? [];
  }

  /** Asks again and again how large the log is and which nodes report. Answers what ends it. */
  start(talk: TalkParts): () => void {
    return talkEvery(talk, 'asking for the state of the cluster', askMs, async () => {
      [this.size, this.nodes] = await Promise.all([talk.log.size(), talk.log.nodes()]);
    });
  }

  /** Told who leads, whenever that changes. */
  follows(leader: Leader | null): void {
    if (leader === null && this.ledBy !== null) this.vacantSince = this.clock.now();
    if (leader !== null && leader.node !== this.node) this.vacantSince = null;
    this.ledBy = leader?.node ?? null;
    if (leader !== null) ({ epoch: this.epoch } = leader);
  }

  /** From now on this node takes commands. */
  leads(): void {
    this.hasTerm = true;
    if (this.vacantSince !== null) this.takeOverMs = this.clock.now() - this.vacantSince;
    this.vacantSince = null;
  }

  /** What is known, with what the node knows of itself. */
  state(own: Pick<ClusterState, OwnState>): ClusterState {
    const { isLeading, leader, size, nodes, takeOverMs } = this;
    return { ...own, isLeading, leader, epoch: this.epoch as Epoch, size, nodes, takeOverMs };
  }
}
