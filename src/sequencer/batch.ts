import type { Command, Entry } from '#domain/command.ts';
import type { Epoch, Seq, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { Outcome } from '#ingress/command-ingress.ts';

/** The unresolved promise of a caller that waits for the events of one command. */
export interface PendingOutcome {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

type Unplaced = { -readonly [Name in keyof Entry]: Entry[Name] };

/** A command on its way into a batch. */
export interface BatchItem {
  readonly command: Command;
  readonly at: TimestampMs;
  readonly size: number;
  readonly answer: PendingOutcome | null;
}

/** Commands that become durable together, in their order, and who waits for them. */
export class Batch {
  private readonly drafts: Unplaced[] = [];
  private readonly answers: (PendingOutcome | null)[] = [];
  /** One for all who wait without wanting events: they all hear at the end of the batch. */
  private done: Completion | null = null;

  /** Bytes of the commands as the journal writes them. */
  bytes = 0;

  /** Commands. */
  get size(): number {
    return this.drafts.length;
  }

  /** The commands as entries; their positions are those of the last `placeAfter`. */
  get entries(): readonly Entry[] {
    return this.drafts;
  }

  /** Who waits for the events of an entry, by its place in the batch; `null` when nobody does. */
  answerOf(index: number): PendingOutcome | null {
    return this.answers[index] as PendingOutcome | null;
  }

  /** Adds a command of `size` bytes. */
  add({ command, at, size, answer }: BatchItem): void {
    this.drafts.push({ seq: as<Seq>(0), epoch: as<Epoch>(0), at, command });
    this.answers.push(answer);
    this.bytes += size;
  }

  /** Settles as the whole batch does. */
  whenDone(): Promise<void> {
    this.done ??= new Completion();
    return this.done.promise;
  }

  /** Gives the entries the positions that follow `after`, in this epoch. */
  placeAfter(after: Seq, epoch: Epoch): void {
    for (let index = 0; index < this.drafts.length; index += 1) {
      const draft = this.drafts[index] as Unplaced;
      draft.seq = as<Seq>(after + 1 + index);
      draft.epoch = epoch;
    }
  }

  /** Tells those who want no events that all is applied. */
  finish(): void {
    this.done?.resolve();
  }

  /** Tells everybody who was not answered yet. */
  fail(error: Error): void {
    for (const answer of this.answers) answer?.reject(error);
    this.done?.reject(error);
  }
}

/** A promise and what settles it. */
class Completion {
  readonly promise: Promise<void>;
  resolve: () => void = () => {};
  reject: (error: Error) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
