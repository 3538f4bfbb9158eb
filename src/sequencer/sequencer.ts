import { assert } from '#base/assert.ts';
import { MalformedBytes } from '#base/bytes.ts';
import type { Clock } from '#base/clock.ts';
import type { Command, Entry } from '#model/command.ts';
import type { EventSink } from '#model/events.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import {
  IngressLost,
  IngressRefused,
  OrderEntryStopped,
  type CommandIngress,
  type Outcome,
  type OutcomeEvent,
} from '#sequencer/command-ingress.ts';
import { JournalFull, type Journal } from '#journal/journal.ts';
import { Batch, type PendingOutcome } from '#sequencer/batch.ts';
import { createFanOut, type EventFeed } from '#sequencer/event-feed.ts';
import { copyOrder, noopSink } from '#model/event-record.ts';

/**
 * Greatest queue and greatest batch, in commands and in bytes as the journal writes them. An order takes at least five
 * bytes, so every queued order fits into the tables of the engine (`tableBounds`).
 */
export const sequencerLimits = { queued: 100_000, queuedBytes: 16 << 20, batch: 8192, batchBytes: 8 << 20 } as const;

/** What the sequencer needs. */
export interface SequencerParts {
  readonly engine: StateMachine;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Epoch of new entries; by default that of the last entry. */
  readonly epoch?: Epoch;
  /** While false, only cancels are accepted: they need little space and release money. */
  readonly hasRoom: () => boolean;
  /** Why no command is taken now, as text; `null` or absent: they are taken. */
  readonly stop?: () => string | null;
  /** Where events go, with subscribers from before; by default a new one. */
  readonly subscribers?: EventSink & EventFeed;
  /** Called after the entries of a batch were applied and answered. */
  readonly onApplied?: () => void;
  /** Greatest batch in bytes, where it is not that of `sequencerLimits`. */
  readonly batchBytes?: number;
  /** Why orders are refused until an operator acts, as text for clients; `null` or absent: they are accepted. */
  readonly orderEntryStop?: () => string | null;
  /**
   * Called inside the failing `apply`, before anything else can run: the engine broke an invariant on this entry, and
   * no caller was answered. A process that serves clients records the entry durably and exits within this call, so that
   * no effect of the entry leaves the process.
   */
  readonly onBroken: (entry: Entry, error: Error) => void;
  /** Called once, when commands can no longer be acknowledged: the process has to stop and recover. */
  readonly onFatal: (error: Error) => void;
}

/** Positions are given when a batch is written. */
const unplaced = as<Seq>(0);

const entersOrders = ({ kind }: Command): boolean =>
  kind === 'placeOrder' || kind === 'placeOrders' || kind === 'requote';
const isCancel = ({ kind }: Command): boolean =>
  kind === 'cancelOrder' || kind === 'cancelOrders' || kind === 'cancelSomeOrders';
/** Accepted also when space is short: cancels, and what a start records before anything else. */
const needsLittleRoom = (command: Command): boolean => isCancel(command) || command.kind === 'recordQuarantine';

/**
 * The only way to the engine: gives each command its position and time, makes batches durable, applies them, and only
 * then answers callers and subscribers. While one batch is being written, the next one forms. DEC-ORD-23.
 */
export class Sequencer implements CommandIngress, EventFeed {
  private readonly parts: SequencerParts;
  private readonly recorder = createOutcomeRecorder();
  private readonly subscribers: EventSink & EventFeed;
  /** Subscribers and the recorder: the sink of commands whose caller wants the events. */
  private readonly recorded = createFanOut();
  /** Full batches in the queue, oldest first; `forming` comes after them. */
  private readonly full: Batch[] = [];
  private fullCommands = 0;
  private forming = new Batch();
  private state: 'open' | 'closed' | 'broken' = 'open';
  /** Bytes of the queued commands. */
  private queuedBytes = 0;
  private isPumping = false;
  /** While true, what is submitted waits in the queue. */
  private isHeld = false;
  private onHeld: () => void = () => {};
  private idle: (() => void)[] = [];
  private checkpoint: Seq;
  /** The last durable entry, and the latest time given to an entry. */
  private last: Seq;
  private lastAt: TimestampMs;
  private readonly epoch: Epoch;
  private readonly batchBytes: number;

  constructor(parts: SequencerParts) {
    assert(parts.journal.last() === parts.engine.seq, 'the engine stands where the journal ends');
    this.parts = parts;
    this.checkpoint = parts.engine.checkpoint.at;
    this.last = parts.engine.seq;
    this.lastAt = parts.engine.at;
    this.epoch = parts.epoch ?? parts.engine.state.progress.epoch;
    this.subscribers = parts.subscribers ?? createFanOut();
    this.batchBytes = parts.batchBytes ?? sequencerLimits.batchBytes;
    this.recorded.subscribe(this.subscribers);
    this.recorded.subscribe(this.recorder);
  }

  /** Number of queued commands. */
  get queued(): number {
    return this.fullCommands + this.forming.size;
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  subscribe(sink: Partial<EventSink>): () => void {
    return this.subscribers.subscribe(sink);
  }

  submit(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const batch = this.enqueue(command, { resolve, reject });
      if (batch instanceof IngressRefused) reject(batch);
    });
  }

  post(command: Command): Promise<void> {
    const batch = this.enqueue(command, null);
    return batch instanceof IngressRefused ? Promise.reject(batch) : batch.whenDone();
  }

  /** Accepts no more commands; resolves when all accepted ones are answered. */
  async close(): Promise<void> {
    if (this.state === 'open') this.state = 'closed';
    if (this.isPumping) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /**
   * Answers what `work` does while nothing is written or applied: the journal ends where the engine stands. What is
   * submitted meanwhile waits in the queue, with the time at which it came. One at a time.
   */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    assert(!this.isHeld, 'held by one at a time');
    this.isHeld = true;
    const isBusy = this.isPumping;
    this.isPumping = true;
    const held = new Promise<void>((resolve) => {
      this.onHeld = resolve;
    });
    if (isBusy) await held;
    try {
      return await work();
    } finally {
      this.isHeld = false;
      void this.pump();
    }
  }

  private refusalOf(command: Command): IngressRefused | null {
    if (this.state !== 'open') return new IngressRefused('the exchange takes no commands now');
    const why = this.parts.stop?.() ?? null;
    if (why !== null) return new IngressRefused(why);
    if (!this.parts.hasRoom() && !needsLittleRoom(command))
      return new IngressRefused('there is no room to keep more: only cancels are taken');
    if (!this.parts.engine.hasRoomFor(command))
      return new IngressRefused('the tables of the exchange are full: only what adds nothing is taken');
    const stop = entersOrders(command) ? (this.parts.orderEntryStop?.() ?? null) : null;
    if (stop !== null) return new OrderEntryStopped(stop);
    if (this.queued >= sequencerLimits.queued || this.queuedBytes >= sequencerLimits.queuedBytes)
      return new IngressRefused('too many commands wait for their turn');
    return null;
  }

  /** Answers the batch that the command is in, or why it is refused; one that cannot be encoded is refused too. */
  private enqueue(command: Command, answer: PendingOutcome | null): Batch | IngressRefused {
    const refusal = this.refusalOf(command);
    if (refusal !== null) return refusal;
    const batch = this.forming;
    const { bytes } = batch;
    this.lastAt = as<TimestampMs>(Math.max(this.lastAt, this.parts.clock.now()));
    try {
      batch.add({ seq: unplaced, epoch: this.epoch, at: this.lastAt, command }, answer);
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error;
      return new IngressRefused(`the command cannot be kept: ${error.message}`);
    }
    this.queuedBytes += batch.bytes - bytes;
    if (batch.size === sequencerLimits.batch || batch.bytes >= this.batchBytes) {
      this.fullCommands += batch.size;
      this.full.push(batch);
      this.forming = new Batch();
    }
    if (!this.isPumping) {
      this.isPumping = true;
      setImmediate(() => void this.pump());
    }
    return batch;
  }

  /** The next batch of the queue; `null` if it is empty. */
  private take(): Batch | null {
    const full = this.full.shift();
    const batch = full ?? this.forming;
    if (batch.size === 0) return null;
    if (full === undefined) this.forming = new Batch();
    else this.fullCommands -= full.size;
    this.queuedBytes -= batch.bytes;
    return batch;
  }

  /** Runs the batches. The next batch is written to disk while the engine applies the one before. */
  private async pump(): Promise<void> {
    let durable: Batch | null = null;
    do {
      const next = this.isHeld ? null : this.take();
      const writing = next === null ? null : this.write(next);
      if (durable !== null) this.apply(durable);
      durable = writing !== null && (await writing) ? next : null;
    } while (durable !== null || (this.queued > 0 && !this.isHeld));
    if (this.isHeld) {
      this.onHeld();
      return;
    }
    this.isPumping = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Answers whether the batch is durable and may be applied. */
  private async write(batch: Batch): Promise<boolean> {
    const { last } = this;
    batch.encoded.placeAfter(last);
    try {
      await this.parts.journal.append(last, batch.encoded);
    } catch (error) {
      if (!(error instanceof JournalFull)) this.break(error as Error, batch);
      else batch.fail(new IngressRefused('no space left to store commands'));
      return false;
    }
    this.last = as<Seq>(last + batch.size);
    if (this.state !== 'broken') return true;
    // The engine failed on the batch before.
    batch.fail(new IngressLost('the exchange has stopped'));
    return false;
  }

  private apply(batch: Batch): void {
    try {
      const { entries } = batch.encoded;
      for (let index = 0; index < entries.length; index += 1) {
        this.applyEntry(entries[index]!, batch.answerOf(index));
      }
      batch.finish();
      this.parts.onApplied?.();
      this.journalCheckpoint();
    } catch (error) {
      this.break(error as Error, batch);
    }
  }

  private applyEntry(entry: Entry, answer: PendingOutcome | null): void {
    const { engine, onBroken } = this.parts;
    try {
      engine.apply(entry, answer === null ? this.subscribers : this.recorded);
    } catch (error) {
      onBroken(entry, error as Error);
      throw error;
    }
    if (answer === null) return;
    const { events } = this.recorder;
    this.recorder.events = [];
    answer.resolve({ seq: entry.seq, at: entry.at, events });
  }

  /** Journals the engine's digest of its events; every replay must compute the same one. */
  private journalCheckpoint(): void {
    const { checkpoint } = this.parts.engine;
    if (checkpoint.at === this.checkpoint || this.state !== 'open') return;
    this.checkpoint = checkpoint.at;
    // Nobody waits for it: a journal that fails stops the sequencer by itself, and a close only leaves this one out.
    this.post({ kind: 'assertDigest', at: checkpoint.at, digest: checkpoint.digest }).catch(() => {});
  }

  /** Stops for good: the outcome of submitted batches is unknown, queued commands did not happen. */
  private break(error: Error, batch: Batch): void {
    batch.fail(new IngressLost(error.message));
    if (this.state === 'broken') return;
    this.state = 'broken';
    for (let waiting = this.take(); waiting !== null; waiting = this.take()) {
      waiting.fail(new IngressRefused(error.message));
    }
    this.parts.onFatal(error);
  }
}

/** Collects the events that outcomes consist of; the caller takes `events` and resets it. */
function createOutcomeRecorder(): EventSink & { events: OutcomeEvent[] } {
  const recorder: EventSink & { events: OutcomeEvent[] } = {
    ...noopSink,
    events: [],
    orderAccepted: (order) => recorder.events.push({ kind: 'orderAccepted', order: copyOrder(order) }),
    orderRepeated: (order) => recorder.events.push({ kind: 'orderRepeated', order: copyOrder(order) }),
    orderRefused: (account, symbol, reason, clientOrderId) =>
      recorder.events.push({ kind: 'orderRefused', account, symbol, reason, clientOrderId }),
    cancelRefused: (account, symbol, reason) =>
      recorder.events.push({ kind: 'cancelRefused', account, symbol, reason }),
    orderClosed: (order) => recorder.events.push({ kind: 'orderClosed', order: copyOrder(order) }),
    fact: (fact) => recorder.events.push(fact),
  };
  return recorder;
}
