import type { SetTimer } from '#base/clock.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type {
  Appended,
  BrokenNote,
  CommandLog,
  Foundation,
  HandoverAt,
  HeadAt,
  Leader,
  LogBatch,
  LogEnd,
  LogHead,
  LogSize,
  NodeStatus,
  PassedHandover,
  Revision,
} from '#cluster/command-log.ts';
import { LogFull } from '#cluster/command-log.ts';
import { withNote } from '#cluster/handover.ts';
import { Connection } from './memory-log-connection.ts';
import { MemoryWatches } from './memory-log-watches.ts';

/** How a quorum in memory behaves. */
export interface MemoryQuorumOptions {
  /** Whose time leases, delays and latencies are in. */
  readonly setTimer: SetTimer;
  /** The time that goes with it, in milliseconds; the machine's by default. */
  readonly now?: () => number;
  /** How long a request or an answer is on its way, in milliseconds; asked for each. None by default. */
  readonly latencyMs?: () => number;
  /** Bytes of batches that it keeps at most; appends are refused beyond. */
  readonly bytesMax?: number;
}

/** What goes wrong between one node and the quorum. */
export interface NodeFaults {
  /** Cuts the node off, or connects it again: nothing goes through, and what is on its way is lost. */
  setReachable(isReachable: boolean): void;
  /** The next `count` appends and campaigns are done, and their answers lost. */
  loseAnswers(count: number): void;
  /** The next `count` appends and campaigns are lost before they are done. */
  loseRequests(count: number): void;
  /** The node hears of changes this much later from now on. */
  delayWatch(delayMs: number): void;
  /** Changes that are on their way to the node are lost, and it is told so. */
  interruptWatch(): void;
}

/** A node's connection to the quorum. */
export interface MemoryLogNode {
  readonly log: CommandLog;
  readonly faults: NodeFaults;
}

/** The quorum that the nodes of a test share. */
export interface MemoryQuorum {
  /** A connection of its own for a node. */
  connect(): MemoryLogNode;
  /** Whether appends, campaigns and reports are refused for lack of space, until a trim deletes something. */
  setFull(isFull: boolean): void;
  /** Flips a bit in the bytes of the kept batch that ends at `last`. */
  damageBytes(last: Seq): void;
  /** Makes the kept batch that ends at `last` unreadable. */
  damageBatch(last: Seq): void;
  /** Ends the lease of the leader now. */
  expireLeader(): void;
}

/** Something that ends unless it is prolonged. */
export interface Lease {
  prolong(): boolean;
  end(): void;
}

/** What a campaign asks for. */
export interface Bid {
  readonly at: Revision;
  readonly head: LogHead;
  readonly leader: Leader;
  readonly leaseSeconds: number;
  readonly passing: PassedHandover;
}

interface Held<Value> {
  readonly value: Value;
  readonly since: number;
  readonly lease: Lease;
}

/** A read answers at least one batch, and no more once they have this many bytes. */
const pageBytes = 2 << 20;

/** Makes a quorum that lasts as long as its object. Its time and faults are those that a test gives it. */
export function createMemoryQuorum(options: MemoryQuorumOptions): MemoryQuorum {
  return new Quorum(options);
}

/** As `MemoryQuorum`, with what its connections call. */
export class Quorum implements MemoryQuorum {
  readonly options: MemoryQuorumOptions;
  readonly watches: MemoryWatches;
  private readonly bytesMax: number;
  private revision = 0;
  private founded: Foundation | null = null;
  private headAt: HeadAt | null = null;
  /** By the last entry, ascending; `null`: unreadable. */
  private batches = new Map<Seq, LogBatch | null>();
  private passed: HandoverAt | null = null;
  private leading: Held<Leader> | null = null;
  private reports = new Map<string, Held<NodeStatus>>();
  private asked: Held<Epoch> | null = null;
  private ending: LogEnd | null = null;
  private appliedUpTo = as<Seq>(0);
  private isFull = false;

  constructor(options: MemoryQuorumOptions) {
    this.options = options;
    this.bytesMax = options.bytesMax ?? 512 << 20;
    this.watches = new MemoryWatches(options.setTimer, () => this.leader());
  }

  connect(): MemoryLogNode {
    const node = new Connection(this);
    return { log: node, faults: node };
  }

  setFull(isFull: boolean): void {
    this.isFull = isFull;
  }

  damageBytes(last: Seq): void {
    const batch = this.batches.get(last);
    if (batch === null || batch === undefined) throw new Error(`no batch that ends at ${last}`);
    const bytes = batch.bytes.slice();
    bytes[bytes.length >>> 1]! ^= 0x10;
    this.batches.set(last, { ...batch, bytes });
  }

  damageBatch(last: Seq): void {
    if (!this.batches.has(last)) throw new Error(`no batch that ends at ${last}`);
    this.batches.set(last, null);
    this.watches.interrupt();
  }

  expireLeader(): void {
    this.leading?.lease.end();
  }

  foundation(): Foundation | null {
    return this.founded;
  }

  found(foundation: Foundation, head: LogHead, batches: readonly LogBatch[], over: Revision | undefined): boolean {
    const isVacant =
      over === undefined
        ? this.founded === null && this.headAt === null
        : this.leading === null && this.headAt?.at === over;
    if (!isVacant) return false;
    if (over === undefined) this.batches.clear();
    for (const batch of batches) this.batches.set(batch.last, batch);
    this.founded = foundation;
    this.appliedUpTo = head.last;
    this.ending = null;
    this.passed = null;
    this.moveHead(head);
    return true;
  }

  ended(): LogEnd | null {
    return this.ending;
  }

  end(at: Revision, end: LogEnd): boolean {
    if (this.leading !== null || this.headAt?.at !== at) return false;
    for (const { lease } of [...this.reports.values()]) lease.end();
    this.batches.clear();
    this.passed = null;
    [this.founded, this.headAt, this.appliedUpTo, this.ending] = [null, null, as<Seq>(0), end];
    return true;
  }

  head(): HeadAt | null {
    return this.headAt;
  }

  append(at: Revision, head: LogHead, batch: LogBatch): Appended {
    const now = this.headAt;
    if (now === null) throw new Error('there is no log yet');
    if (this.bytes() + batch.bytes.length > this.bytesMax) this.isFull = true;
    if (this.isFull) throw new LogFull('the log in memory is full');
    if (now.at !== at) return { isAppended: false, now };
    this.batches.set(batch.last, batch);
    this.tellApplied(batch.appliedUpTo);
    this.watches.tell((watcher) => watcher.batch(batch));
    return { isAppended: true, at: this.moveHead(head) };
  }

  read(from: Seq): readonly LogBatch[] {
    const page: LogBatch[] = [];
    let bytes = 0;
    for (const batch of this.batches.values()) {
      if (batch === null || batch.last < from) continue;
      page.push(batch);
      bytes += batch.bytes.length;
      if (bytes >= pageBytes) break;
    }
    return page;
  }

  leader(): Leader | null {
    return this.leading?.value ?? null;
  }

  handover(): HandoverAt | null {
    return this.passed;
  }

  noteBroken(term: Epoch, note: BrokenNote): boolean {
    if (this.passed?.handover.term !== term) return false;
    if (this.isFull) throw new LogFull('the log in memory is full');
    this.passed = { handover: withNote(this.passed.handover, note), at: this.nextRevision() };
    this.leading?.lease.end();
    return true;
  }

  campaign(bid: Bid): { at: Revision; lease: Lease } | null {
    const { at, head, leader, leaseSeconds, passing } = bid;
    const { handover, after, shortened } = passing;
    if (this.isFull) throw new LogFull('the log in memory is full');
    if (this.leading !== null || this.headAt === null || this.headAt.at !== at) return null;
    if ((this.passed?.at ?? null) !== after) return null;
    for (const last of [...this.batches.keys()]) if (last > head.last) this.batches.delete(last);
    if (shortened !== null) {
      this.batches.set(shortened.last, shortened);
      this.watches.tell((watcher) => watcher.batch(shortened));
    }
    this.passed = { handover, at: this.nextRevision() };
    const lease = this.lease(leaseSeconds, () => {
      this.leading = null;
      this.watches.tell((watcher) => watcher.leader(null));
    });
    this.leading = { value: leader, lease, since: this.now() };
    this.watches.tell((watcher) => watcher.leader(leader));
    return { at: this.moveHead(head), lease };
  }

  publishApplied(lease: Lease, upTo: Seq): void {
    if (this.leading?.lease !== lease) return;
    this.tellApplied(upTo);
    this.watches.tell((watcher) => watcher.applied(upTo));
  }

  applied(): Seq {
    return this.appliedUpTo;
  }

  report(node: NodeStatus, leaseSeconds: number): NodeStatus | null {
    if (this.isFull) throw new LogFull('the log in memory is full');
    const before = this.reports.get(node.node);
    before?.lease.end();
    const lease = this.lease(leaseSeconds, () => this.reports.delete(node.node));
    this.reports.set(node.node, { value: node, lease, since: this.now() });
    return before?.value ?? null;
  }

  silence(node: string): number | null {
    const held = this.reports.get(node);
    return held === undefined ? null : Math.floor((this.now() - held.since) / 1000);
  }

  forget(node: string): void {
    this.reports.get(node)?.lease.end();
  }

  askToStepDown(epoch: Epoch): void {
    this.asked?.lease.end();
    const lease = this.lease(15, () => {
      this.asked = null;
    });
    this.asked = { value: epoch, lease, since: this.now() };
  }

  isAsked(epoch: Epoch): boolean {
    return this.asked?.value === epoch;
  }

  nodes(): readonly NodeStatus[] {
    return [...this.reports.values()]
      .map(({ value }) => value)
      .toSorted((left, right) => (left.node < right.node ? -1 : 1));
  }

  trim(upTo: Seq): void {
    for (const last of [...this.batches.keys()]) {
      if (last > upTo) continue;
      this.batches.delete(last);
      this.isFull = false;
    }
  }

  size(): LogSize {
    return { bytes: this.bytes(), most: this.bytesMax, isFull: this.isFull };
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  private tellApplied(upTo: Seq): void {
    if (upTo > this.appliedUpTo) this.appliedUpTo = upTo;
  }

  private bytes(): number {
    let sum = 0;
    for (const batch of this.batches.values()) sum += batch?.bytes.length ?? 0;
    return sum;
  }

  private nextRevision(): Revision {
    this.revision += 1;
    return String(this.revision) as Revision;
  }

  private moveHead(head: LogHead): Revision {
    const at = this.nextRevision();
    this.headAt = { head, at };
    return at;
  }

  private lease(seconds: number, ended: () => void): Lease {
    const { setTimer } = this.options;
    let isHeld = true;
    const end = (): void => {
      if (!isHeld) return;
      isHeld = false;
      stop();
      ended();
    };
    let stop = setTimer(seconds * 1000, end);
    return {
      prolong: () => {
        if (!isHeld) return false;
        stop();
        stop = setTimer(seconds * 1000, end);
        return true;
      },
      end,
    };
  }
}
