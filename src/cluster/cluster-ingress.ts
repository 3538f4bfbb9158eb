import type { Command } from '#model/command.ts';
import type { EventSink } from '#model/events.ts';
import type { LeaderLink } from '#cluster/link/leader-link.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';

/** The sequencer of this node, while it leads. */
export interface OwnSequencer extends CommandIngress {
  readonly queued: number;
  readonly isOpen: boolean;
  close(): Promise<void>;
}

/** Where commands of this node go: to its own sequencer while it leads, to the leader else. */
export class ClusterIngress implements CommandIngress, EventFeed {
  private readonly feed: EventFeed;
  private readonly toLeader: LeaderLink;
  private own: OwnSequencer | null = null;

  /** `feed`: the events of entries that are applied here, whoever leads. */
  constructor(feed: EventFeed, toLeader: LeaderLink) {
    this.feed = feed;
    this.toLeader = toLeader;
  }

  /** From now on this node leads. */
  lead(sequencer: OwnSequencer): void {
    this.own = sequencer;
  }

  /** Commands that wait for their batch here. */
  get queued(): number {
    return this.own?.queued ?? 0;
  }

  /** Whether commands are taken: here, or by a leader that is connected. */
  get isOpen(): boolean {
    return this.own?.isOpen ?? this.toLeader.isConnected;
  }

  submit(command: Command): Promise<Outcome> {
    return (this.own ?? this.toLeader).submit(command);
  }

  post(command: Command): Promise<void> {
    return (this.own ?? this.toLeader).post(command);
  }

  subscribe(sink: Partial<EventSink>): () => void {
    return this.feed.subscribe(sink);
  }

  /** Takes no more commands; resolves when all that the own sequencer took are answered. */
  async close(): Promise<void> {
    await this.own?.close();
  }
}
