import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Command, Entry } from '#domain/command.ts';
import type { EventSink } from '#domain/events.ts';
import type { Seq, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { EventFeed } from '#egress/event-feed.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import {
  IngressLost,
  IngressRefused,
  type CommandIngress,
  type Outcome,
  type OutcomeEvent,
} from '#ingress/command-ingress.ts';
import { JournalFull, type Journal } from '#journal/journal.ts';
import { FanOut } from '#sequencer/fan-out.ts';
import { createOutcomeRecorder } from '#sequencer/outcome-recorder.ts';

/** How many commands may wait for their turn, and how many one batch may take. */
export const sequencerLimits = { queued: 100_000, batch: 8192 } as const;

interface Waiting {
  readonly command: Command;
  readonly at: TimestampMs;
  /** Whether the caller wants the events; otherwise it only hears that it is done. */
  readonly wantsEvents: boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** What the sequencer stands between. */
export interface SequencerParts {
  readonly engine: StateMachine;
  readonly journal: Journal;
  readonly clock: Clock;
  /** While false only cancels are taken: they need little room and give money back. */
  readonly hasRoom: () => boolean;
  /** Told once when the role can no longer acknowledge: the process has to stop and recover. */
  readonly onFatal: (error: Error) => void;
}

const nothing: readonly OutcomeEvent[] = [];

const isCancel = ({ kind }: Command): boolean => kind === 'cancelOrder' || kind === 'cancelOrders';

/**
 * The one door to the engine: gives each command its position and time, makes batches durable, then applies them and
 * only then tells anybody. While a batch is on its way to disk the next one forms.
 */
export class Sequencer implements CommandIngress, EventFeed {
  private readonly parts: SequencerParts;
  private readonly recorder = createOutcomeRecorder();
  private readonly subscribers = new FanOut();
  /** Subscribers and the recorder: the sink of commands whose caller wants the events. */
  private readonly recorded = new FanOut();
  private waiting: Waiting[] = [];
  private state: 'open' | 'closed' | 'broken' = 'open';
  private isPumping = false;
  private idle: (() => void)[] = [];
  private checkpoint: Seq;
  private lastAt: TimestampMs;

  constructor(parts: SequencerParts) {
    assert(parts.journal.last() === parts.engine.seq, 'the engine stands where the journal ends');
    this.parts = parts;
    this.checkpoint = parts.engine.checkpoint.at;
    this.lastAt = parts.engine.at;
    this.recorded.subscribe(this.subscribers);
    this.recorded.subscribe(this.recorder);
  }

  /** Commands that wait for their turn. */
  get queued(): number {
    return this.waiting.length;
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  subscribe(sink: EventSink): () => void {
    return this.subscribers.subscribe(sink);
  }

  submit(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => this.enqueue(command, true, resolve, reject));
  }

  post(command: Command): Promise<void> {
    return new Promise((resolve, reject) => this.enqueue(command, false, () => resolve(), reject));
  }

  /** Takes no more commands, finishes those it has, and resolves when all are answered. */
  async close(): Promise<void> {
    if (this.state === 'open') this.state = 'closed';
    if (this.isPumping) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private enqueue(
    command: Command,
    wantsEvents: boolean,
    resolve: (outcome: Outcome) => void,
    reject: (error: Error) => void,
  ): void {
    if (this.state !== 'open') {
      reject(new IngressRefused('the exchange takes no commands now'));
      return;
    }
    if (!this.parts.hasRoom() && !isCancel(command)) {
      reject(new IngressRefused('there is no room to keep more: only cancels are taken'));
      return;
    }
    if (this.waiting.length >= sequencerLimits.queued) {
      reject(new IngressRefused('too many commands wait for their turn'));
      return;
    }
    this.lastAt = as<TimestampMs>(Math.max(this.lastAt, this.parts.clock.now()));
    this.waiting.push({ command, at: this.lastAt, wantsEvents, resolve, reject });
    if (!this.isPumping) {
      this.isPumping = true;
      setImmediate(() => void this.pump());
    }
  }

  private async pump(): Promise<void> {
    while (this.waiting.length > 0 && this.state !== 'broken') {
      const batch =
        this.waiting.length <= sequencerLimits.batch ? this.waiting : this.waiting.slice(0, sequencerLimits.batch);
      this.waiting = batch === this.waiting ? [] : this.waiting.slice(sequencerLimits.batch);
      try {
        await this.commit(batch);
      } catch (error) {
        this.break(error as Error, batch);
      }
    }
    this.isPumping = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const { engine, journal } = this.parts;
    const after = engine.seq;
    const entries: Entry[] = [];
    for (const { command, at } of batch) {
      entries.push({ seq: as<Seq>(after + 1 + entries.length), epoch: as(0), at, command });
    }
    try {
      await journal.append(after, entries);
    } catch (error) {
      if (!(error instanceof JournalFull)) throw error;
      for (const waiting of batch) waiting.reject(new IngressRefused('no space left to store commands'));
      return;
    }
    for (let index = 0; index < entries.length; index += 1) this.apply(entries[index]!, batch[index]!);
    this.journalCheckpoint();
  }

  private apply(entry: Entry, waiting: Waiting): void {
    const { engine } = this.parts;
    if (!waiting.wantsEvents) {
      engine.apply(entry, this.subscribers);
      waiting.resolve({ seq: entry.seq, at: entry.at, events: nothing });
      return;
    }
    engine.apply(entry, this.recorded);
    const { events } = this.recorder;
    this.recorder.events = [];
    waiting.resolve({ seq: entry.seq, at: entry.at, events });
  }

  /** Journals the digest of the engine's own past, which every replay must come to as well. */
  private journalCheckpoint(): void {
    const { checkpoint } = this.parts.engine;
    if (checkpoint.at === this.checkpoint || this.state !== 'open') return;
    this.checkpoint = checkpoint.at;
    this.post({ kind: 'assertDigest', at: checkpoint.at, digest: checkpoint.digest }).catch(() => {});
  }

  /** Nothing can be acknowledged any more: what was handed over is unknown, what waits did not happen. */
  private break(error: Error, batch: readonly Waiting[]): void {
    this.state = 'broken';
    for (const waiting of batch) waiting.reject(new IngressLost(error.message));
    for (const waiting of this.waiting.splice(0)) waiting.reject(new IngressRefused(error.message));
    this.parts.onFatal(error);
  }
}
