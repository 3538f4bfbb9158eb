import { isDeepStrictEqual } from 'node:util';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { decodeCommand, encodeCommand } from '#model/command-codec.ts';
import { bytesEqual, hashOf } from '#journal/segment-format.ts';
import { entriesOf } from '#journal/entry-reader.ts';
import type { LogBatch, LogWatcher } from '#cluster/command-log.ts';
import type { Command, Entry } from '#model/command.ts';
import { clientOrderIdsOf } from '#model/command-subject.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { eventNames } from '#model/events.ts';
import type { Seq } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import { isPoison } from './simulated-poison.ts';

/** What was told to a client: its command, and what became of it. */
interface Answer {
  readonly life: string;
  readonly command: Command;
  readonly outcome: Outcome;
}

/** How far one node is when it answers. */
export interface AnsweringNode {
  /** Name of the node, and which of its lives it is. */
  readonly life: string;
  readonly journaled: Seq;
  readonly applied: Seq;
}

const answered: readonly string[] = ['orderAccepted', 'orderRepeated', 'orderRefused', 'cancelRefused', 'orderClosed'];
/** Whether answers are made of it, as of facts. */
const isAnswered = ({ kind }: Event): boolean =>
  answered.includes(kind) || !(eventNames as readonly string[]).includes(kind);

/** The id by which a repeated command is known. */
export function idOf(command: Command): string | null {
  if ('clientTranId' in command && command.clientTranId !== null) return command.clientTranId;
  return command.kind === 'placeOrder' ? (clientOrderIdsOf(command)[0] ?? null) : null;
}

/**
 * Watches a cluster from outside, and holds everything that it sees against the rules of `docs/rules`: what the log
 * accepts, what each node applies, and what clients are told.
 */
export class ClusterAuditor {
  /** What was broken. Empty: nothing. */
  readonly faults: string[] = [];
  /** Entries that the log accepted after those that it was founded with, in order. */
  readonly accepted: Entry[] = [];
  private readonly founded: readonly Entry[];
  /** Lives by the hashes of batches that they sent. */
  private readonly senders = new Map<string, string>();
  private readonly leaders = new Map<number, string>();
  /** Who had the entry accepted, by position. */
  private readonly acceptedOf = new Map<number, string>();
  private readonly digests = new Map<number, string>();
  private readonly told: Answer[] = [];
  private readonly refused = new Set<string>();
  /** Hashes of batches that a candidate wants to put in place of longer ones. */
  private readonly shortened = new Set<string>();
  private unrecorded: { readonly seq: number; readonly lastSeq: number } | null = null;
  /** How often entries were voided. */
  voided = 0;
  private epoch: number;
  /** The last entry that any leader has applied. */
  private appliedByLeader: number;

  constructor(founded: readonly Entry[], epoch: number) {
    this.founded = founded;
    this.epoch = epoch;
    this.appliedByLeader = founded.length;
  }

  /** Notes what was broken. */
  fails(what: string): void {
    if (this.faults.length < 20) this.faults.push(what);
  }

  /** A life sends a batch to the log. */
  sends(life: string, batch: LogBatch): void {
    this.senders.set(hashText(batch), life);
  }

  /** Watches what the log accepts. */
  readonly watcher: LogWatcher = {
    batch: (batch) => this.accepts(batch),
    leader: () => {},
    applied: () => {},
    interrupted: () => {},
  };

  /** A candidate wants the log to end with this batch, in place of a longer one. */
  shortens(batch: LogBatch | null): void {
    if (batch !== null) this.shortened.add(hashText(batch));
  }

  /** Entries from here on leave the log: the first one has to break engines, and nobody may have been answered. */
  private voids(from: number): void {
    const removed = this.accepted.splice(from - this.founded.length - 1);
    if (removed[0] === undefined || !isPoison(removed[0].command)) this.fails(`entry ${from} was voided for nothing`);
    const answered = this.told.filter(({ outcome }) => outcome.seq >= from);
    for (const { life, outcome } of answered) this.fails(`${life} answered entry ${outcome.seq}, which was voided`);
    for (const { seq } of removed) if (this.digests.has(seq)) this.fails(`entry ${seq} was applied, and voided`);
    this.voided += 1;
    this.unrecorded = { seq: from, lastSeq: from + removed.length - 1 };
  }

  /** The log ends with a part of the batch that it ended with. */
  private acceptsShorter(batch: LogBatch): void {
    const kept = entriesOf(batch);
    const had = this.accepted.slice(batch.first - this.founded.length - 1, batch.last - this.founded.length);
    if (!isDeepStrictEqual(kept, had)) this.fails(`other entries than before from ${batch.first} to ${batch.last}`);
    this.voids(batch.last + 1);
  }

  private accepts(batch: LogBatch): void {
    const { epoch, first, last, appliedUpTo } = batch;
    if (this.shortened.delete(hashText(batch))) {
      this.acceptsShorter(batch);
      return;
    }
    if (first <= this.last) this.voids(first);
    const life = this.senders.get(hashText(batch));
    if (life === undefined) {
      this.fails(`nobody sent the batch of entry ${first}`);
      return;
    }
    if (epoch < this.epoch) this.fails(`epoch ${epoch} of ${life} after epoch ${this.epoch}`);
    this.epoch = epoch;
    const leader = this.leaders.get(epoch) ?? life;
    this.leaders.set(epoch, leader);
    if (leader !== life) this.fails(`${leader} and ${life} both appended in epoch ${epoch}`);
    if (first !== this.founded.length + this.accepted.length + 1) this.fails(`entry ${first} leaves a gap`);
    if (appliedUpTo >= first) this.fails(`entry ${appliedUpTo} was applied before it was accepted`);
    this.recordsVoided(entriesOf(batch)[0]!);
    for (const entry of entriesOf(batch)) {
      if (entry.epoch !== epoch) this.fails(`entry ${entry.seq} of epoch ${entry.epoch} in a batch of epoch ${epoch}`);
      const before = this.accepted.at(-1);
      if (before !== undefined && entry.at < before.at) this.fails(`time falls at entry ${entry.seq}`);
      this.accepted.push(entry);
    }
    for (let seq: number = first; seq <= last; seq += 1) this.acceptedOf.set(seq, life);
  }

  /** What comes after a void records it. */
  private recordsVoided({ seq, command }: Entry): void {
    const { unrecorded } = this;
    this.unrecorded = null;
    if (unrecorded === null) return;
    const isRecorded =
      command.kind === 'recordQuarantine' && command.seq === unrecorded.seq && command.lastSeq === unrecorded.lastSeq;
    if (!isRecorded || seq !== unrecorded.seq) this.fails(`what was voided at entry ${seq} is not recorded there`);
  }

  /** A life has applied an entry. */
  applies(life: string, seq: Seq, digest: string, isLeader: boolean): void {
    if (isLeader) this.appliedByLeader = Math.max(this.appliedByLeader, seq);
    else if (seq > this.appliedByLeader) this.fails(`${life} applied entry ${seq}, which no leader had applied`);
    const known = this.digests.get(seq) ?? digest;
    this.digests.set(seq, known);
    if (known !== digest) this.fails(`${life} has another state after entry ${seq}`);
  }

  /** A life told a client what became of its command. */
  answers(node: AnsweringNode, command: Command, outcome: Outcome): void {
    const { life, journaled, applied } = node;
    const { seq } = outcome;
    const owner = this.acceptedOf.get(seq);
    if (owner !== life) this.fails(`${life} answered entry ${seq}, which the log has of ${owner ?? 'nobody'}`);
    if (journaled < seq) this.fails(`${life} answered entry ${seq}, which its own journal has not`);
    if (applied < seq) this.fails(`${life} answered entry ${seq} before it applied it`);
    this.told.push({ life, command, outcome });
  }

  /** Every try of a command was refused: it must never happen. */
  refuses(command: Command): void {
    const id = idOf(command);
    if (id !== null) this.refused.add(id);
  }

  get answerCount(): number {
    return this.told.length;
  }

  /** The last entry that the log accepted. */
  get last(): number {
    return this.founded.length + this.accepted.length;
  }

  /** At the end: replays what a journal holds, and compares with it what clients were told. Answers the engine. */
  compares(journal: readonly Entry[]): StateMachine {
    const wanted = [...this.founded, ...this.accepted];
    if (!isDeepStrictEqual(journal, wanted)) this.fails('the journal is not what the log accepted');
    const engine = createEngine();
    const outcomes: Event[][] = [[]];
    let recorded = 0;
    for (const entry of journal) {
      const recorder = createEventRecorder();
      engine.apply(entry, recorder);
      if (isPoison(entry.command)) this.fails(`entry ${entry.seq}, which breaks engines, stands in the journal`);
      recorded += recorder.events.filter(({ kind }) => kind === 'tailQuarantined').length;
      outcomes.push(recorder.events.filter(isAnswered));
    }
    for (const { life, command, outcome } of this.told) {
      const entry = journal[outcome.seq - 1];
      if (entry === undefined || !isDeepStrictEqual(entry.command, command) || entry.at !== outcome.at)
        this.fails(`${life} answered entry ${outcome.seq}, where the journal has another command`);
      else if (!isDeepStrictEqual(outcomes[outcome.seq], outcome.events))
        this.fails(`${life} answered entry ${outcome.seq} otherwise than a replay`);
    }
    if (recorded !== this.voided) this.fails(`${this.voided} times entries were voided, and ${recorded} recorded`);
    this.comparesIds(journal, outcomes);
    for (const fault of audit(engine.state)) this.fails(fault);
    return engine;
  }

  /** What has an id happens once at most, and exactly once if a client was told so. */
  private comparesIds(journal: readonly Entry[], outcomes: readonly (readonly Event[])[]): void {
    const happened = new Map<string, number>();
    for (const { seq, command } of journal) {
      const id = idOf(command);
      if (id === null) continue;
      if (this.refused.has(id)) this.fails(`${id} was refused each time, and stands at entry ${seq}`);
      if (!(outcomes[seq] ?? []).some(({ kind }) => kind === 'orderAccepted' || kind === 'fundsTransferred')) continue;
      happened.set(id, (happened.get(id) ?? 0) + 1);
    }
    for (const [id, count] of happened) if (count > 1) this.fails(`${id} happened ${count} times`);
    for (const { command, outcome } of this.told) {
      const id = idOf(command);
      const isDone = outcome.events.some(({ kind }) =>
        ['orderAccepted', 'orderRepeated', 'fundsTransferred', 'transferRepeated'].includes(kind),
      );
      if (id !== null && isDone && happened.get(id) !== 1) this.fails(`${id} was acknowledged, and did not happen`);
    }
  }
}

const hashText = ({ bytes }: LogBatch): string => Buffer.from(hashOf(bytes)).toString('hex');

/** Compares the bytes of journals over what all have. Answers what differs. */
export function differenceOf(journals: readonly (readonly Uint8Array[])[]): string | null {
  const [first = [], ...others] = journals;
  for (const other of others) {
    for (let index = 0; index < Math.min(first.length, other.length); index += 1) {
      const size = Math.min(first[index]!.length, other[index]!.length);
      if (!bytesEqual(first[index]!.subarray(0, size), other[index]!.subarray(0, size)))
        return `segment ${index + 1} differs`;
    }
  }
  return null;
}

/** Every entry that a journal holds, in objects of their own. */
export async function copiesOf(journal: Pick<FileJournal, 'read' | 'first'>): Promise<readonly Entry[]> {
  const batches: Entry[] = [];
  for await (const piece of journal.read(journal.first())) for (const entry of piece) batches.push(copyOf(entry));
  return batches;
}

/** Through the codec, because the reader of a journal reuses its objects. */
function copyOf({ seq, epoch, at, command }: Entry): Entry {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return { seq, epoch, at, command: decodeCommand(new ByteReader(writer.written().slice())) };
}
