import type { Epoch, Seq } from '#model/units.ts';
import type { BrokenNote, CommandLog } from '#cluster/command-log.ts';
import { hasVoided, noEpoch } from '#cluster/handover.ts';
import type { OwnJournal } from '#cluster/quorum-journal.ts';
import { entriesOf } from '#journal/entry-reader.ts';

/** What the gate of a follower needs. */
export interface EpochGateParts {
  readonly log: Pick<CommandLog, 'handover'>;
  readonly journal: Pick<OwnJournal, 'last' | 'batchWith'>;
  /** Position that the own engine has applied. */
  readonly applied: () => Seq;
  /** Takes what was voided out of the own journal, which ends before that entry then. */
  readonly takeOut: (voided: BrokenNote) => Promise<void>;
}

/**
 * Up to where a follower applies. Each term may begin with entries being voided, whose positions get other ones: so
 * what a leader of a newer epoch has applied counts only once those are out of the own journal. DEC-CLU-11.
 */
export class EpochGate {
  private readonly parts: EpochGateParts;
  private open: Seq;
  /** As `open`, but told by a leader of whose epoch it is not known yet what it voided. */
  private told: Seq;
  /** The newest epoch that was heard of. */
  private heard = (noEpoch + 1) as Epoch;
  /** What was voided at the beginning of this epoch, or before, is not in the own journal. */
  private entered = noEpoch;

  constructor(parts: EpochGateParts) {
    this.parts = parts;
    this.open = parts.applied();
    this.told = this.open;
  }

  /** The leader has applied everything up to here, and the own journal has the same there. */
  get upTo(): Seq {
    return this.open;
  }

  /** A leader has told that it applied everything up to here. */
  get toldUpTo(): Seq {
    return this.told;
  }

  /** A leader has applied everything up to here; one whose epoch was heard of before. */
  openTo(upTo: Seq): void {
    if (upTo > this.told) this.told = upTo;
    if (this.heard === this.entered) this.open = this.told;
  }

  /**
   * The leader of this epoch told, on a way of its own, that it has applied everything up to here. Answers whether
   * anything is new; what an earlier leader tells is not, because its entries may be voided by now. DEC-CLU-27.
   */
  openBy(epoch: Epoch, upTo: Seq): boolean {
    if (epoch < this.heard || (epoch === this.heard && upTo <= this.told)) return false;
    this.hear(epoch);
    this.openTo(upTo);
    return true;
  }

  hear(epoch: Epoch): void {
    if (epoch > this.heard) this.heard = epoch;
  }

  /** This node leads in the epoch, and has voided itself what is to be voided. */
  lead(epoch: Epoch): void {
    this.heard = epoch;
    this.entered = epoch;
  }

  /** Whether a batch of this epoch, unless it was read since, may have been voided. */
  mayBeVoid(epoch: Epoch): boolean {
    return epoch < this.entered;
  }

  /**
   * To be awaited before anything of a newer epoch is written or applied: takes out of the own journal what was voided.
   * The leader that broke had not applied it, so this node has not either. Answers whether there was a newer epoch:
   * then nothing that was read or heard before may be written.
   */
  async enter(): Promise<boolean> {
    const { entered } = this;
    while (this.heard > this.entered) {
      const epoch = this.heard;
      const passed = await this.parts.log.handover();
      for (const note of passed?.handover.broken ?? []) {
        if (await this.has(note)) await this.parts.takeOut(note);
      }
      this.entered = epoch;
    }
    this.open = this.told;
    return this.entered > entered;
  }

  /** Epoch of an entry of the own journal. */
  async epochAt(at: Seq): Promise<Epoch> {
    return entriesOf(await this.parts.journal.batchWith(at)).find(({ seq }) => seq === at)!.epoch;
  }

  private has(note: BrokenNote): Promise<boolean> {
    const { journal, applied } = this.parts;
    return hasVoided(note, { applied: applied(), last: journal.last(), epochAt: (seq) => this.epochAt(seq) });
  }
}
