import type { AppendTimes } from '#cluster/append-times.ts';
import { assert } from '#base/assert.ts';
import type { SetTimer } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import {
  type CommandLog,
  type HeadAt,
  type LogBatch,
  LogFull,
  type LogHead,
  LogUnreachable,
  type Revision,
  type Term,
} from '#cluster/command-log.ts';
import type { QuorumContact } from '#cluster/quorum-contact.ts';
import type { EncodedBatch, HashedBatch } from '#journal/encoded-batch.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { type Journal, JournalFull, JournalMoved, JournalUnavailable } from '#journal/journal.ts';

/** The journal in a node's own files, which takes the bytes of other nodes as they are. */
export interface OwnJournal extends Journal {
  /** Hash of the last batch; the origin while empty. */
  lastHash(): Uint8Array;
  /** The bytes that the batch will have. */
  encode(after: Seq, batch: EntryBatch): HashedBatch;
  write(batch: EncodedBatch): Promise<void>;
  /** The batch that holds an entry which is kept. */
  batchWith(seq: Seq): Promise<EncodedBatch>;
  /** Takes the batch that was written last out again. */
  takeBack(batch: EncodedBatch): Promise<void>;
}

/** What a leader's journal needs. */
export interface QuorumJournalParts {
  readonly own: OwnJournal;
  readonly log: CommandLog;
  readonly term: Term;
  readonly contact: QuorumContact;
  /** Position that the leader has applied. */
  readonly applied: () => Seq;
  readonly setTimer: SetTimer;
  /** Told how long batches take. */
  readonly times?: AppendTimes;
  /** Called whenever the quorum has everything that is in the own journal. */
  readonly onAgreed?: () => void;
}

/** Pause before an undecided transaction is repeated. */
const repeatMs = 50;

/**
 * The journal of a leader: a batch is durable once the quorum has it and the own file has it too. The second copy lets
 * operators restore everything that was acknowledged if all stores of the quorum are lost. DEC-CLU-02.
 */
export class QuorumJournal implements Journal {
  private readonly parts: QuorumJournalParts;
  private at: Revision;

  constructor(parts: QuorumJournalParts) {
    this.parts = parts;
    this.at = parts.term.at;
  }

  /**
   * Waits for as long as the quorum cannot decide: the same transaction is repeated, so that it happens once at most.
   * @throws JournalMoved when another node leads
   */
  async append(after: Seq, batch: EntryBatch): Promise<void> {
    const { own, term, applied, times } = this.parts;
    assert(after === own.last(), 'a leader appends after all that it has');
    const encoded = own.encode(after, batch);
    const { epoch } = term.leader;
    const head = { epoch, last: encoded.last, hash: encoded.hash };
    const written = own.write(encoded).then(
      () => null,
      (error: unknown) => error as Error,
    );
    try {
      const agree = (): Promise<void> => this.agree(head, { ...encoded, epoch, appliedUpTo: applied() });
      await (times === undefined ? agree() : times.measure(agree));
    } catch (error) {
      const failure = await written;
      if (!(error instanceof LogFull)) throw error;
      times?.takenBack();
      if (failure === null) await own.takeBack(encoded);
      else if (!(failure instanceof JournalFull)) throw failure;
      throw new JournalFull(`the log of the cluster is full: ${error.message}`, { cause: error });
    }
    const failure = await written;
    if (failure === null) {
      this.parts.onAgreed?.();
      return;
    }
    throw new JournalUnavailable(`the quorum has a batch that the own disk has not: ${failure.message}`, {
      cause: failure,
    });
  }

  /** Resolves when the quorum has the batch. */
  private async agree(head: LogHead, batch: LogBatch): Promise<void> {
    const { log, contact } = this.parts;
    let isUndecided = false;
    for (;;) {
      try {
        const appended = await log.append(this.at, head, batch);
        contact.succeeded();
        if (appended.isAppended) this.at = appended.at;
        else this.at = landedBefore(head, appended.now);
        return;
      } catch (error) {
        // A log that is full after a try whose fate is unknown decides nothing: that try may have landed, or still may.
        if (!(error instanceof LogUnreachable) && !(error instanceof LogFull && isUndecided)) throw error;
        isUndecided = true;
        contact.failed();
      }
      await this.pause();
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.parts.setTimer(repeatMs, resolve);
    });
  }

  read(from: Seq): AsyncIterable<readonly Entry[]> {
    return this.parts.own.read(from);
  }

  first(): Seq {
    return this.parts.own.first();
  }

  last(): Seq {
    return this.parts.own.last();
  }

  release(upTo: Seq): Promise<void> {
    return this.parts.own.release(upTo);
  }

  close(): Promise<void> {
    return this.parts.own.close();
  }
}

/** After a try that was undecided, a head that moved is one's own batch, or that of another leader. */
function landedBefore(mine: LogHead, { head, at }: HeadAt): Revision {
  const isMine = head.epoch === mine.epoch && head.last === mine.last && Buffer.compare(head.hash, mine.hash) === 0;
  if (isMine) return at;
  throw new JournalMoved(
    `the log goes on after entry ${head.last} in epoch ${head.epoch}, where this node wrote up to ${mine.last} in ` +
      `epoch ${mine.epoch}: another node leads`,
  );
}
