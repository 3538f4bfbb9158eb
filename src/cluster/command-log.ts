import type { CommandKind } from '#model/command.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';

/**
 * The recent batches of a cluster's journal, kept by a quorum. It orders, fences and stores: whoever appends or leads
 * names the head that it saw, and is refused where the head has moved since. The long journal is in each node's own
 * files. Adapters: etcd, and memory with faults for tests. docs/decisions/0026.
 *
 * Every method may throw LogUnreachable, and each that reads LogDamaged. A read is as current as the quorum.
 */
export interface CommandLog {
  /** What the cluster was made from; `null` before `found`. */
  foundation(): Promise<Foundation | null>;
  /**
   * Makes the log of a new cluster, which has applied all up to `head`. Answers false where there is one, or where its
   * head is not the one of `rest.over` any more, or somebody leads: then nothing was changed.
   */
  found(foundation: Foundation, head: LogHead, rest?: FoundingRest): Promise<boolean>;
  /** How the cluster ended; `null`: it did not, or it has begun anew. */
  ended(): Promise<LogEnd | null>;
  /**
   * Ends the cluster: its log is gone, and only who ended it is known, until it is founded anew. Answers false where
   * somebody leads or the head has moved.
   */
  end(at: Revision, end: LogEnd): Promise<boolean>;
  /** The head, by which a node knows that it is not behind; `null` before `found`. */
  head(): Promise<HeadAt | null>;
  /**
   * Appends one batch and moves the head to it, in one transaction, if the head is still as `at` says.
   * @throws LogUnreachable when nobody can say whether it happened: repeat the same call until it is decided.
   * @throws LogFull when nothing happened for lack of space.
   */
  append(at: Revision, head: LogHead, batch: LogBatch): Promise<Appended>;
  /**
   * Kept batches that end at `from` or later, in order; at most some megabytes of them, at least one if there is any.
   * One that was damaged beyond what it says of itself is left out; bytes of others may be damaged too.
   */
  read(from: Seq): Promise<readonly LogBatch[]>;
  /** Up to where a leader told that it has applied: by `publishApplied`, or by the newest batch. */
  applied(): Promise<Seq>;
  /** The leader, if there is one now. */
  leader(): Promise<Leader | null>;
  /** What the last term left to the next one; `null` before the first. */
  handover(): Promise<HandoverAt | null>;
  /**
   * Begins a term: puts the leader, for as long as its lease is kept alive, the head with the new epoch, and what it
   * hands over, in one transaction, if nobody leads and head and handover are still as they were read. Batches that end
   * after that head are deleted, and one may take the place of the first of them. `null`: somebody was first.
   * @throws LogUnreachable when the outcome is unknown; what was put ends with its lease.
   * @throws LogFull when nothing happened: a trim has to make space first, which nobody needs to lead for.
   */
  campaign(
    at: Revision,
    head: LogHead,
    leader: Leader,
    leaseSeconds: number,
    passing: PassedHandover,
  ): Promise<Term | null>;
  /**
   * Leaves a note about an entry on which the engine of that term's leader broke, and ends the term, in one
   * transaction, if no later one has begun. Answers whether that is so; it may be repeated. @throws LogFull
   */
  noteBroken(term: Epoch, note: BrokenNote): Promise<boolean>;
  /**
   * Keeps what is known of a node for `leaseSeconds`; called again and again. Answers what was kept under its name
   * before; `null`: nothing. @throws LogFull
   */
  report(node: NodeStatus, leaseSeconds: number): Promise<NodeStatus | null>;
  /** All nodes that reported lately, by name. */
  nodes(): Promise<readonly NodeStatus[]>;
  /** Whole seconds since the node reported last, by the quorum's clock; `null`: it did not lately. */
  silence(node: string): Promise<number | null>;
  /** Forgets what a node reported; its next report brings it back. */
  forget(node: string): Promise<void>;
  /** Asks the leader of this epoch to end its term. Forgotten after some seconds. */
  askToStepDown(epoch: Epoch): Promise<void>;
  /**
   * Deletes batches that end at `upTo` or before. Called again and again: their space is freed by the next call, that
   * of a full log by this one.
   */
  trim(upTo: Seq): Promise<void>;
  /** How much space there is, about. */
  size(): Promise<LogSize>;
  /** Tells what changes from now on. Connects again by itself. Answers what ends it. */
  watch(watcher: LogWatcher): () => void;
  close(): Promise<void>;
}

/** Space of a log. */
export interface LogSize {
  /** What the kept batches take now. */
  readonly bytes: number;
  /** What they may take at most. */
  readonly most: number;
  /** Whether the store takes nothing more, whatever its bound is. */
  readonly isFull: boolean;
}

/** A version of the head. Later heads have other ones. */
export type Revision = string & { readonly '~revision'?: never };

/** Where the log ends, and under which epoch. */
export interface LogHead {
  readonly epoch: Epoch;
  /** The last entry; 0 while empty. */
  readonly last: Seq;
  /** Hash of the batch that ends with it, as in segments; the journal's origin while empty. */
  readonly hash: Uint8Array;
}

/** A head and its version. */
export interface HeadAt {
  readonly head: LogHead;
  readonly at: Revision;
}

/** What became of an append; one that was refused tells the head of now. */
export type Appended =
  | { readonly isAppended: true; readonly at: Revision }
  | { readonly isAppended: false; readonly now: HeadAt };

/** What else a log begins with. */
export interface FoundingRest {
  /** Batches up to the head, in order: nodes that are behind find them. */
  readonly batches?: AsyncIterable<LogBatch>;
  /** The head of a log that this one takes the place of. */
  readonly over?: Revision;
}

/** The end of a cluster. */
export interface LogEnd {
  /** The node that goes on by itself. */
  readonly node: string;
  /** Its journal ended here then. */
  readonly head: LogHead;
}

/** A batch as the log keeps it. */
export interface LogBatch extends EncodedBatch {
  readonly epoch: Epoch;
  /** Followers apply entries up to here: the leader did so too when it sent the batch. */
  readonly appliedUpTo: Seq;
}

/** What all nodes of a cluster have in common. */
export interface Foundation {
  /** The hash before the first batch of the journal. */
  readonly origin: Uint8Array;
  readonly profile: string;
  /** Tells master keys apart without saying anything about them. */
  readonly keyFingerprint: string;
}

/** Who leads. */
export interface Leader {
  readonly node: string;
  readonly epoch: Epoch;
  /** Where its link is reached, such as `127.0.0.1:9000`; empty: nowhere. */
  readonly address: string;
  /** Version of the build. */
  readonly build: string;
}

/** An entry on which the engine of a leader broke, as the cluster knows it. No secrets. DEC-CLU-11. */
export interface BrokenNote {
  readonly seq: Seq;
  readonly epoch: Epoch;
  /** The entry's time on the exchange's clock. */
  readonly at: TimestampMs;
  readonly commandKind: CommandKind;
  readonly account: AccountId | null;
  /** The invariant that did not hold. */
  readonly invariant: string;
  /** Whose engine it was. */
  readonly node: string;
  /** Builds that could not apply it. */
  readonly builds: readonly string[];
  /** The machine's time, as people read it. */
  readonly notedAt: string;
  /** Last of the entries that were taken out of the log with it; `null`: it stands there. */
  readonly voidedTo: Seq | null;
}

/** What a term hands over to those after it. */
export interface Handover {
  /** The last term that began. */
  readonly term: Epoch;
  /** Build of its leader. */
  readonly build: string;
  /** Leaders of other builds can have applied entries up to here. */
  readonly since: Seq;
  /** Entries that broke leaders, the newest at the end; only that one may stand in the log. A few at most. */
  readonly broken: readonly BrokenNote[];
}

/** A handover and its version. */
export interface HandoverAt {
  readonly handover: Handover;
  readonly at: Revision;
}

/** What a campaign hands over, from what it read. */
export interface PassedHandover {
  readonly handover: Handover;
  /** Version of the one that it follows; `null`: there was none. */
  readonly after: Revision | null;
  /** The batch with which the log ends from now on, in place of a longer one; `null`: as it does. */
  readonly shortened: LogBatch | null;
}

/** The time in which one node leads. */
export interface Term {
  readonly leader: Leader;
  /** The head that the term began with. */
  readonly at: Revision;
  /** Prolongs the lease. Answers false where it has ended: others may lead. @throws LogUnreachable */
  keepAlive(): Promise<boolean>;
  /** Tells followers what the leader has applied, while no batch does. No effect once the term has ended. */
  publishApplied(upTo: Seq): Promise<void>;
  /** Whether somebody asked the leader to end it. @throws LogUnreachable */
  isAskedToEnd(): Promise<boolean>;
  /** Ends the term. */
  resign(): Promise<void>;
}

/** What a node tells of itself. */
export interface NodeStatus {
  readonly node: string;
  readonly address: string;
  readonly build: string;
  /** Whether it may lead. */
  readonly isCandidate: boolean;
  readonly newestRules: number;
  /** Version of the rules that are in force by what it has applied; absent: it has applied nothing yet. */
  readonly rules?: number | undefined;
  /** `commandFormatVersion` of its build. */
  readonly commandFormat: number;
  /** Its own files have everything up to here. */
  readonly journaled: Seq;
  readonly applied: Seq;
  /** How far its clock is off; absent: it has not measured it. */
  readonly clock?: ClockReport | undefined;
  /** Tells processes of the same name apart; absent: an older build. */
  readonly run?: string | undefined;
}

/** A node's clock beside a leader's. */
export interface ClockReport {
  /** Of the leader that it was measured with. */
  readonly epoch: Epoch;
  /** The node's clock less the leader's, in milliseconds: as much of it as is certain. */
  readonly ms: number;
}

/** Receives what changes in the log. Methods must not throw. */
export interface LogWatcher {
  /** A batch was appended. They come in order, but some may be missing after `interrupted`. */
  batch(batch: LogBatch): void;
  /** The leader has changed; `null`: nobody leads. Told at the beginning too, and again after `interrupted`. */
  leader(leader: Leader | null): void;
  /** The leader has applied everything up to here. */
  applied(upTo: Seq): void;
  /** Changes may have been missed: read what is there. */
  interrupted(): void;
}

/** The quorum did not answer; whether it did what it was asked is unknown. */
export class LogUnreachable extends Error {
  override name = 'LogUnreachable';
}
/** The log has no space left. Nothing happened. */
export class LogFull extends Error {
  override name = 'LogFull';
}
/** What the log keeps makes no sense; the message names where. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
}
