import type { Entry } from '#model/command.ts';
import { EntryBatch } from '#journal/entry-batch.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';

/** The unresolved promise of a caller that waits for the events of one command. */
export interface PendingOutcome {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Commands that become durable together, in order, with the callers that wait for them. */
export class Batch {
  /** What the journal gets. */
  readonly encoded = new EntryBatch();
  private readonly answers: (PendingOutcome | null)[] = [];
  /** Shared by all callers that need no events; resolved at the end of the batch. */
  private done: Completion | null = null;

  /** Number of commands. */
  get size(): number {
    return this.encoded.size;
  }

  /** Bytes of the commands as the journal writes them. */
  get bytes(): number {
    return this.encoded.bytes;
  }

  /** The caller that waits for the events of the entry at `index`; `null`: none. */
  answerOf(index: number): PendingOutcome | null {
    return this.answers[index] as PendingOutcome | null;
  }

  /** Adds an entry, whose position comes later. @throws MalformedBytes, with the batch as before. */
  add(entry: Entry, answer: PendingOutcome | null): void {
    this.encoded.add(entry);
    this.answers.push(answer);
  }

  /** Resolves when the whole batch is applied; rejects when it fails. */
  whenDone(): Promise<void> {
    this.done ??= new Completion();
    return this.done.promise;
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
