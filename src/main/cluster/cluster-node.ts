import { machineTimer, monotonicClock, repeatedly, stopwatch, wallClock } from '#base/clock.ts';
import { newestRules } from '#model/rules.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import { clockToleranceMs } from '#cluster/clock/node-clock.ts';
import { ClusterSignatures } from '#cluster/signatures/cluster-signatures.ts';
import { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';
import { ClusterLimits } from '#cluster/limits/cluster-limits.ts';
import { AppendTimes } from '#cluster/append-times.ts';
import { AppliedPosition } from '#cluster/applied-position.ts';
import { ClusterIngress } from '#cluster/cluster-ingress.ts';
import { ClusterMonitor, type ClusterState } from '#cluster/cluster-monitor.ts';
import type { BrokenNote, Leader, Term } from '#cluster/command-log.ts';
import { startLeading, type TalkParts } from '#cluster/lead.ts';
import { type LeaderLink, openLeaderLink } from '#cluster/link/leader-link.ts';
import { type LinkCounts, type LinkServer, openLinkServer } from '#cluster/link/link-server.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import { QuorumJournal } from '#cluster/quorum-journal.ts';
import { ReadIndex } from '#cluster/read-index.ts';
import { Standby } from '#cluster/standby.ts';
import { StandbyStopped } from '#main/cluster/await-quorum.ts';
import { type Ground, joinCluster, type JoinParts } from '#main/cluster/join-cluster.ts';
import { NodeReports } from '#main/cluster/node-reports.ts';
import { keepNodes } from '#main/cluster/own-membership.ts';
import type { Lead, Replica } from '#main/cluster/replica.ts';
import type { BrokenEntryNote } from '#main/storage/broken-entry-note.ts';
import { ClockDuty } from '#main/cluster/clock-duty.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { brokenNoteOf } from '#main/cluster/broken-note.ts';
import type { NoteThread } from '#main/cluster/note-thread.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';

/** What a node of a cluster needs. */
export interface ClusterNodeParts extends Omit<JoinParts, 'isStopped' | 'isPatient'> {
  /** Leaves notes about entries that break the engine; `null`: this node never leads. */
  readonly notes: Pick<NoteThread, 'leave' | 'close'> | null;
  readonly onTrouble: (what: string, error: unknown) => void;
  /** This node led and does no more, or cannot follow: the process has to stop. */
  readonly onEnded: (error: Error) => void;
  /** This node leads, and was asked to end its term: the process has to finish what is on its way, and end. */
  readonly onAsked: () => void;
}

const heardMs = 1000;

/** This process as a node of a cluster. Commands go to the leader, whichever node that is. DEC-CLU-01, DEC-CLU-07. */
export class ClusterNode {
  /** What reads of this node wait for. */
  readonly reads: ReadIndex;
  /** How long batches of this node took, while it led. */
  readonly times = new AppendTimes(stopwatch);
  private readonly parts: ClusterNodeParts;
  private readonly contact = createQuorumContact(monotonicClock);
  private readonly position = new AppliedPosition(() => this.replica?.applied() ?? (0 as Seq));
  private readonly link: LeaderLink;
  private readonly monitor: ClusterMonitor;
  private readonly clock: ClockDuty;
  /** Who decides over signatures. */
  readonly signatures: ClusterSignatures;
  /** What clients use of limits at all nodes. */
  readonly limits: ClusterLimits;
  private replica: Replica | null = null;
  private standby: Standby | null = null;
  private server: LinkServer | null = null;
  private term: Term | null = null;
  private ownNote: BrokenNote | null = null;
  private isStopped = false;
  private ends: (() => void)[] = [];
  private readonly reports: NodeReports;
  private shown: string | null | undefined = undefined;

  constructor(parts: ClusterNodeParts) {
    const { log, file, identity, linkKey, onTrouble } = parts;
    this.parts = parts;
    const { tell, onEnded } = parts;
    this.monitor = new ClusterMonitor(file.node, monotonicClock);
    this.clock = new ClockDuty({ node: file.node, nodes: () => this.monitor.reported, tell, onEnded });
    this.reads = new ReadIndex({ log, applied: this.position, clock: monotonicClock, setTimer: machineTimer });
    this.link = openLeaderLink({
      key: linkKey,
      own: { node: file.node, build: identity.build },
      clock: this.clock.offset,
      whenApplied: (seq) => this.position.reached(seq),
      limits: { heard: (content) => this.limits.heard(content) },
      onApplied: (upTo, epoch) => this.standby?.leaderApplied(upTo, epoch),
      onTrouble,
    });
    this.signatures = new ClusterSignatures(this.link);
    this.limits = new ClusterLimits(this.link, monotonicClock);
    this.reports = new NodeReports({ file, build: identity.build, tell, onEnded });
  }

  /** Finds the own place in the cluster, before the own journal is opened. @throws as `joinCluster` */
  async join(directory: DataDirectory): Promise<Ground> {
    const { log, onTrouble } = this.parts;
    const ground = await joinCluster({ ...this.parts, isStopped: () => this.isStopped, isPatient: true }, directory);
    // While it recovers, which may take long, the log keeps what follows.
    const { journaled } = ground;
    this.ownNote = ground.ownNote;
    const talk = { log, contact: this.contact, repeat: repeatedly, onTrouble };
    this.reports.start(talk, () => ({ address: '', journaled, applied: as<Seq>(0) }));
    const { file } = this.parts;
    this.ends.push(keepNodes(directory, { file, origin: ground.origin }, { log, repeat: repeatedly, onTrouble }));
    return ground;
  }

  /** Where commands go. */
  ingressOf(feed: EventFeed): ClusterIngress {
    return new ClusterIngress(feed, this.link);
  }

  /**
   * Follows until this node is elected, then leads. Resolves once commands are taken here.
   * @throws StandbyStopped, and what `Standby.untilElected` and opening the link's port throw
   */
  async untilLed(replica: Replica, ingress: ClusterIngress): Promise<void> {
    const { log, file, identity, linkKey, onTrouble } = this.parts;
    const { position, contact } = this;
    this.replica = replica;
    const own = { node: file.node, build: identity.build };
    const { host, port } = file.link;
    const server = await openLinkServer({ host, port, key: linkKey, own, limits: this.limits, onTrouble });
    server.give(replica.segments);
    this.server = server;
    const address = file.link.address ?? `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
    const talk = { log, contact, repeat: repeatedly, onTrouble };
    // Without private reads, public ones still have to know how old they are.
    this.ends.push(repeatedly(heardMs, () => void this.reads.current().catch(() => undefined)));
    const { journal, applied, rules } = replica;
    const clock = this.clock.clock;
    this.reports.start(talk, () => ({
      ...{ address, journaled: journal.last(), applied: applied(), rules: rules(), clock: clock.report() },
    }));
    this.ends.push(this.monitor.start(talk), this.clock.start(repeatedly));
    this.ends.push(this.signatures.start(repeatedly), this.limits.start(repeatedly));
    const standby = new Standby({
      ...{ log, contact, setTimer: machineTimer, leaseSeconds: file.leaseSeconds },
      ...{ journal: replica.journal, applied: replica.applied, isCandidate: file.mayLead },
      apply: async (entries) => {
        await replica.apply(entries);
        position.moved();
      },
      takeOut: replica.takeOut,
      ownNote: this.ownNote,
      onAside: (note) => this.parts.tell(adviceAside(note)),
      identity: { ...own, address },
      standsAside: () => this.clock.trouble() !== null,
      onLeader: (leader) => this.follow(leader),
    });
    this.standby = standby;
    if (this.isStopped) standby.stop();
    const term = await standby.untilElected();
    if (term === null) throw new StandbyStopped('stopped while it followed');
    this.keepTerm(talk, term, replica);
    const unrecorded = await standby.applyRest();
    const sequencer = await replica.sequencerOf({ ...this.leadOf(term, replica, server), unrecorded });
    ingress.lead(sequencer);
    server.lead({ epoch: term.leader.epoch, ingress: sequencer, signatures: this.decideSignatures(replica) });
    this.limits.lead();
    this.monitor.leads();
    this.clock.leads(term);
    position.moved();
    const { epoch } = term.leader;
    this.parts.tell(
      `${file.node} leads the cluster ${file.exchange} after entry ${replica.applied()}, in epoch ${epoch}.`,
    );
  }

  /** The epoch in which this node leads, or begins to; `null`: it follows. */
  get epoch(): Epoch | null {
    return this.term?.leader.epoch ?? null;
  }

  /**
   * To be called where the engine has just broken on an entry, before the process ends: tells the cluster, and ends
   * the term, while no other code of this thread runs. Answers what became of it, as text for people; `null`: a
   * follower has nothing to tell. DEC-CLU-11.
   */
  tellBroken(broken: BrokenEntryNote): string | null {
    const term = this.epoch;
    if (term === null || this.parts.notes === null) return null;
    return this.parts.notes.leave({ term, note: brokenNoteOf(broken, this.parts.file.node) });
  }

  /** The newest rules that every node knows which reported lately: others would stop at newer ones. DEC-CLU-09. */
  async newestRules(): Promise<number> {
    const nodes = await this.parts.log.nodes();
    return Math.min(newestRules, ...nodes.map((node) => node.newestRules));
  }

  /** A memory of signatures that begins with this term. */
  private decideSignatures({ at }: Replica): SeenSignatures {
    const { signatureMemoryMs: keepMs, aheadBelowMs } = wireLimits.signing;
    const onceSince = at() + aheadBelowMs + clockToleranceMs;
    const seen = new SeenSignatures({ clock: monotonicClock, keepMs, since: wallClock.now(), onceSince });
    this.signatures.lead(seen);
    return seen;
  }

  private keepTerm(talk: TalkParts, term: Term, { journal, applied }: Replica): void {
    const { onEnded, onAsked, file } = this.parts;
    this.term = term;
    const journaled = (): Seq => journal.last();
    this.ends.push(
      startLeading({ ...talk, term, leaseSeconds: file.leaseSeconds, applied, journaled, onEnded, onAsked }),
    );
  }

  private leadOf(term: Term, { journal, applied, segments }: Replica, server: LinkServer): Omit<Lead, 'unrecorded'> {
    const { contact, position } = this;
    segments.endHere();
    return {
      journal: new QuorumJournal({
        ...{ own: journal, log: this.parts.log, term, contact, applied, times: this.times },
        ...{ setTimer: machineTimer, onAgreed: () => segments.endHere() },
      }),
      epoch: term.leader.epoch,
      stop: () => (contact.isLost ? 'the quorum of the cluster does not answer' : null),
      onApplied: () => {
        position.moved();
        server.applied(applied());
      },
    };
  }

  private follow(leader: Leader | null): void {
    const { file, tell } = this.parts;
    this.monitor.follows(leader);
    this.clock.clock.follows(leader);
    const isOther = leader !== null && leader.node !== file.node;
    this.link.follow(isOther ? leader.address : null);
    const name = leader?.node ?? null;
    if (name === this.shown || name === file.node) return;
    this.shown = name;
    tell(name === null ? `Nobody leads the cluster ${file.exchange}.` : `${file.node} follows ${name}.`);
  }

  /** What this node knows of its cluster. */
  state(): ClusterState {
    const { journal, applied } = this.replica ?? {};
    const { head, silentMs: quorumSilentMs } = this.reads;
    const own = { journaled: journal?.last() ?? as<Seq>(0), applied: applied?.() ?? as<Seq>(0) };
    const clockOffsetMs = this.clock.clock.report()?.ms ?? null;
    return this.monitor.state({ ...own, head, quorumSilentMs, clockOffsetMs });
  }

  /** What the side of the link that listens has seen. */
  linkCounts(): LinkCounts {
    return this.server?.counts ?? { connected: 0, fetching: 0, wrongKey: 0, unproven: 0 };
  }

  /** Whether the leader is connected, where it is another node. */
  get isLeaderConnected(): boolean {
    return this.link.isConnected;
  }

  /** Why this node should get no clients now, as a sentence; `null`: nothing is known to be wrong. */
  trouble(): string | null {
    const { isLeading, leader } = this.monitor;
    const clock = this.clock.trouble();
    if (clock !== null) return clock;
    if (this.reads.isStale) return 'the quorum of the cluster does not answer';
    if (isLeading) return null;
    if (leader === null) return 'nobody leads the cluster';
    return this.link.isConnected ? null : `the leader, ${leader}, is not connected`;
  }

  /** Ends following soon; a leader goes on until `close`. */
  stopFollowing(): void {
    this.isStopped = true;
    this.standby?.stop();
  }

  /** Ends the term, so that another node leads at once. To be called when nothing is on its way any more. */
  async endTerm(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) end();
    this.reports.end();
    await this.term?.resign().catch((error: unknown) => this.parts.onTrouble('ending the term', error));
  }

  /** Ends the term, unless that was done, and all connections. */
  async close(): Promise<void> {
    await this.endTerm();
    await this.link.close();
    await this.server?.close();
    await this.parts.notes?.close();
    await this.parts.log.close();
  }
}

const adviceAside = ({ seq, commandKind, invariant, builds }: BrokenNote): string =>
  `This node does not lead: entry ${seq} (${commandKind}) breaks an invariant of build ${builds.join(', ')}: ` +
  `${invariant}. A leader of another build may have answered it: start a node of that build. If there is none, stop ` +
  'all nodes, go back to one machine, run bourse quarantine DATA, and begin the cluster anew.';
