import type { Command, Entry } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';

/** The unresolved promise of a caller that waits for the events of one command. */
export interface PendingOutcome {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

type Unplaced = { -readonly [Name in keyof Entry]: Entry[Name] };

/** A command to be added to a batch. */
export interface BatchItem {
  readonly command: Command;
  readonly at: TimestampMs;
  readonly size: number;
  readonly answer: PendingOutcome | null;
}

/** Commands that become durable together, in order, with the callers that wait for them. */
export class Batch {
  private readonly drafts: Unplaced[] = [];
  private readonly answers: (PendingOutcome | null)[] = [];
  /** Shared by all callers that need no events; resolved at the end of the batch. */
  private done: Completion | null = null;

  /** Bytes of the commands as the journal writes them. */
  bytes = 0;

  /** Number of commands. */
  get size(): number {
    return this.drafts.length;
  }

  /** The commands as entries; their positions are those of the last `placeAfter`. */
  get entries(): readonly Entry[] {
    return this.drafts;
  }

  /** The caller that waits for the events of the entry at `index`; `null`: none. */
  answerOf(index: number): PendingOutcome | null {
    return this.answers[index] as PendingOutcome | null;
  }

  /** Adds a command of `size` bytes. */
  add({ command, at, size, answer }: BatchItem): void {
    this.drafts.push({ seq: as<Seq>(0), epoch: as<Epoch>(0), at, command });
    this.answers.push(answer);
    this.bytes += size;
  }

  /** Resolves when the whole batch is applied; rejects when it fails. */
  whenDone(): Promise<void> {
    this.done ??= new Completion();
    return this.done.promise;
  }

  /** Numbers the entries from `after` + 1 on, in this epoch. */
  placeAfter(after: Seq, epoch: Epoch): void {
    for (let index = 0; index < this.drafts.length; index += 1) {
      const draft = this.drafts[index] as Unplaced;
      draft.seq = as<Seq>(after + 1 + index);
      draft.epoch = epoch;
    }
  }

  /** Resolves the callers that need no events. */
  finish(): void {
    this.done?.resolve();
  }

  /** Rejects every caller that was not answered yet. */
  fail(error: Error): void {
    for (const answer of this.answers) answer?.reject(error);
    this.done?.reject(error);
  }
}

/** A promise with its resolve and reject functions. */
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
