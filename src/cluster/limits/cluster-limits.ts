import type { ByteReader } from '#base/bytes.ts';
import type { Clock, Repeat } from '#base/clock.ts';
import { readCounts, writeCounts } from '#cluster/limits/count-codec.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import type { LinkChannel } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { LimitCounts, SharedCount } from '#model/shared-limits.ts';

/** The way to the leader, where it is another node. */
export interface CountLink {
  /** Whether the leader is connected. */
  readonly isConnected: boolean;
  tellCounts(counts: readonly SharedCount[]): void;
}

/** Another node that is connected to this one. */
export interface CountingNode {
  /** Takes what it counted. @throws MalformedBytes */
  receive(content: ByteReader): void;
  /** It is gone. */
  leave(): void;
}

/** A count that one node waits to be told. */
interface WaitingCount extends Omit<SharedCount, 'leftMs'> {
  readonly endsAt: number;
}
interface Connected {
  readonly send: LinkChannel['send'];
  /** Oldest first. */
  readonly waiting: WaitingCount[];
}

/** How often others are told of a client that has used much, and after how many such times of all others. */
const tickMs = 20;
const calmTicks = 5;

/**
 * What clients use of limits at all nodes of a cluster. Each node tells the leader what its clients used; the leader
 * tells each what the others counted. Nobody waits for it: without a leader each node counts alone. DEC-CLU-22.
 */
export class ClusterLimits {
  private readonly toLeader: CountLink;
  private readonly clock: Clock;
  private readonly nodes = new Map<CountingNode, Connected>();
  private own: LimitCounts | null = null;
  private isLeading = false;
  private ticks = 0;

  /** `clock` never runs backwards. */
  constructor(toLeader: CountLink, clock: Clock) {
    this.toLeader = toLeader;
    this.clock = clock;
  }

  /** From now on the limits of this process count with those of the others. */
  share(own: LimitCounts): void {
    this.own = own;
  }

  /** From now on this node tells each of the others what the rest counted. */
  lead(): void {
    this.isLeading = true;
  }

  /** The leader told what other nodes counted. @throws MalformedBytes */
  heard(content: ByteReader): void {
    const counts = readCounts(content);
    this.own?.add(counts);
  }

  /** A node has connected. */
  enter(send: LinkChannel['send']): CountingNode {
    const node: CountingNode = {
      receive: (content) => {
        const counts = readCounts(content);
        if (!this.isLeading) return;
        this.own?.add(counts);
        this.tellAll(counts, node);
      },
      leave: () => void this.nodes.delete(node),
    };
    this.nodes.set(node, { send, waiting: [] });
    return node;
  }

  /** Tells again and again. Answers what ends it. */
  start(repeat: Repeat): () => void {
    return repeat(tickMs, () => this.tick());
  }

  private tick(): void {
    this.ticks += 1;
    const isTime = this.ticks % calmTicks === 0;
    if (this.own !== null && (isTime || this.own.isUrgent)) this.tell(this.own);
    for (const node of this.nodes.values()) this.pass(node);
  }

  private tell(own: LimitCounts): void {
    if (!this.isLeading && !this.toLeader.isConnected) return;
    const counts = own.take(linkLimits.countsAtOnce);
    if (counts.length === 0) return;
    if (this.isLeading) this.tellAll(counts, null);
    else this.toLeader.tellCounts(counts);
  }

  /** Keeps counts for all nodes but the one that told them; what is too much for a node stays unknown to it. */
  private tellAll(counts: readonly SharedCount[], from: CountingNode | null): void {
    const now = this.clock.now();
    const waiting = counts.map(({ leftMs, ...count }) => ({ ...count, endsAt: now + leftMs }));
    for (const [node, to] of this.nodes)
      if (node !== from) to.waiting.push(...waiting.slice(0, linkLimits.countsWaiting - to.waiting.length));
  }

  private pass({ send, waiting }: Connected): void {
    const now = this.clock.now();
    const counts = waiting
      .splice(0, linkLimits.countsAtOnce)
      .flatMap(({ endsAt, ...count }) => (endsAt > now ? [{ ...count, leftMs: endsAt - now }] : []));
    if (counts.length > 0) send(frameKinds.counted, 0, (writer) => writeCounts(writer, counts));
  }
}
