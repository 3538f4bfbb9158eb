import type { Clock, SetTimer } from '#base/clock.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AppliedPosition } from '#cluster/applied-position.ts';
import { type CommandLog, LogUnreachable } from '#cluster/command-log.ts';

/** This node cannot say whether it has everything that was acknowledged. */
export class NotCurrent extends Error {
  override name = 'NotCurrent';
}

/** What reads of a cluster need. */
export interface ReadIndexParts {
  readonly log: CommandLog;
  readonly applied: AppliedPosition;
  /** Never runs backwards. */
  readonly clock: Clock;
  readonly setTimer: SetTimer;
}

/** How long a read waits for what was acknowledged before it. */
const patienceMs = 2000;
/** Public data of a node that has not heard from the quorum for longer is refused. */
const staleMs = 3000;

/**
 * Reads that see everything acknowledged before them, at whichever node: one current read of the head is shared by all
 * that wait for it, and answers begin once its last entry is applied here. No lease is trusted, so a node that led once
 * cannot answer from its past. DEC-CLU-07.
 */
export class ReadIndex {
  private readonly parts: ReadIndexParts;
  private next: Promise<void> | null = null;
  private running: Promise<void> = Promise.resolve();
  private heardAt: number;
  private heard: Seq = as<Seq>(0);

  constructor(parts: ReadIndexParts) {
    this.parts = parts;
    this.heardAt = parts.clock.now();
  }

  /** Last entry of the log, as of the last answer of the quorum; 0 before the first one. */
  get head(): Seq {
    return this.heard;
  }

  /** Time since the last answer of the quorum, in milliseconds. */
  get silentMs(): number {
    return this.parts.clock.now() - this.heardAt;
  }

  /** Whether public data may be too old to be shown. */
  get isStale(): boolean {
    return this.silentMs > staleMs;
  }

  /** Resolves once everything acknowledged before the call is applied here. @throws NotCurrent */
  current(): Promise<void> {
    this.next ??= this.afterRunning();
    return this.next;
  }

  /** The read that begins after the running one: who asks now must not share one that began before. */
  private async afterRunning(): Promise<void> {
    await this.running;
    this.next = null;
    const asking = this.lastAcknowledged();
    this.running = asking.then(
      () => undefined,
      () => undefined,
    );
    await this.within(this.parts.applied.reached(await asking));
  }

  /** Everything that was acknowledged by now ends here, or before. */
  private async lastAcknowledged(): Promise<Seq> {
    const at = await this.within(this.parts.log.head());
    if (at === null) throw new NotCurrent('the log of the cluster is gone');
    this.heardAt = this.parts.clock.now();
    this.heard = at.head.last;
    return at.head.last;
  }

  private within<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const end = this.parts.setTimer(patienceMs, () => reject(new NotCurrent('this node is behind the cluster')));
      work.then(
        (result) => {
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error instanceof LogUnreachable ? new NotCurrent('the quorum does not answer') : (error as Error));
        },
      );
    });
  }
}
