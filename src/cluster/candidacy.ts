import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { campaign, type Candidate } from '#cluster/campaign.ts';
import {
  type BrokenNote,
  type CommandLog,
  type Handover,
  type HeadAt,
  LogFull,
  type Term,
} from '#cluster/command-log.ts';
import { dropWhatAllHave } from '#cluster/drop-batches.ts';
import type { EpochGate } from '#cluster/epoch-gate.ts';
import { successionOf, type Taken, withNote } from '#cluster/handover.ts';
import type { OwnJournal } from '#cluster/quorum-journal.ts';

/** What a node needs that may come to lead. */
export interface CandidacyParts extends Candidate {
  readonly log: CommandLog;
  readonly journal: Pick<OwnJournal, 'last' | 'batchWith'>;
  /** An entry of the own journal on which the own engine broke in an earlier life; the log may know no note of it. */
  readonly ownNote: BrokenNote | null;
  /** Told once of an entry that keeps this node, and those of its build, from leading. */
  readonly onAside: (note: BrokenNote) => void;
}

/** How a node tries to lead where nobody does, and what comes with the term that it wins. DEC-CLU-11, DEC-CLU-12. */
export class Candidacy {
  private readonly parts: CandidacyParts;
  private readonly gate: EpochGate;
  private isAside = false;
  private won: Taken | null = null;

  constructor(parts: CandidacyParts, gate: EpochGate) {
    this.parts = parts;
    this.gate = gate;
  }

  /** What came with the term that this node has won; `null`: it has won none. */
  get taken(): Taken | null {
    return this.won;
  }

  /**
   * Tries to begin a term from a head at which the own journal ends. `beaten`: somebody was first; `later`: this node
   * does not lead now, or had to make space first.
   */
  async bid(now: HeadAt): Promise<Term | 'beaten' | 'later'> {
    const { log, identity, onAside } = this.parts;
    const applied = as<Seq>(Math.max(await log.applied(), this.gate.toldUpTo));
    const passed = await log.handover();
    const known = passed === null ? null : await this.withOwnNote(passed.handover);
    const succession = successionOf(known, { ...now.head, applied, build: identity.build });
    if (succession.kind === 'aside' && !this.isAside) onAside(succession.note);
    this.isAside = succession.kind === 'aside';
    if (succession.kind === 'aside') return 'later';
    let term: Term | null;
    try {
      term = await campaign(this.parts, { now, passed, succession });
    } catch (error) {
      if (!(error instanceof LogFull)) throw error;
      // Nobody leads who would make space.
      await dropWhatAllHave(log, this.gate.upTo);
      return 'later';
    }
    if (term === null) return 'beaten';
    this.won = succession;
    return term;
  }

  /** It would only break again: others must have led, without a note, since it did. DEC-CLU-12. */
  private async withOwnNote(handover: Handover): Promise<Handover> {
    const { ownNote, journal, applied } = this.parts;
    if (ownNote === null || ownNote.seq <= applied() || ownNote.seq > journal.last()) return handover;
    return (await this.gate.epochAt(ownNote.seq)) === ownNote.epoch ? withNote(handover, ownNote) : handover;
  }
}
