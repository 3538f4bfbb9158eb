import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BrokenNote, Handover, Leader } from '#cluster/command-log.ts';

// What becomes of an entry on which the engine of a leader broke. Its note stands in the handover: left by the dying
// leader, or by its next start. Who begins the next term voids the entry, if nobody can have answered it: the log ends
// before it, and the note says up to where it went. Everybody else finds there what to take out of the own journal.

/** Notes that a handover keeps: of more, a node that was away learns by comparing its journal with the log. */
const notesMax = 8;

/** The handover with one note more; the same note again changes nothing. */
export function withNote(handover: Handover, note: BrokenNote): Handover {
  const last = handover.broken.at(-1);
  const isAgain = last !== undefined && last.voidedTo === null && last.seq === note.seq && last.epoch === note.epoch;
  if (!isAgain) return { ...handover, broken: [...handover.broken.slice(1 - notesMax), note] };
  const builds = [...new Set([...last.builds, ...note.builds])];
  return { ...handover, broken: [...handover.broken.slice(0, -1), { ...last, builds }] };
}

/** What a candidate does about entries that broke leaders before it. `broken`: what it hands over of them. */
export type Succession =
  /** It leads; `unrecorded`: what was voided and is not in the journal yet. */
  | { readonly kind: 'lead'; readonly unrecorded: BrokenNote | null; readonly broken: readonly BrokenNote[] }
  /** It leads once this entry, and all behind it, are out of the log. */
  | {
      readonly kind: 'void';
      readonly note: BrokenNote;
      readonly unrecorded: BrokenNote | null;
      readonly broken: readonly BrokenNote[];
    }
  /** It would break on this entry too, which a leader of another build may have answered. */
  | { readonly kind: 'aside'; readonly note: BrokenNote };

/** That of a node that leads. */
export type Taken = Exclude<Succession, { readonly kind: 'aside' }>;

/** Where a candidate stands. */
export interface CandidateAt {
  /** The last entry of the log, which the own journal has too. */
  readonly last: Seq;
  /** A leader has told that it applied everything up to here. */
  readonly applied: Seq;
  readonly build: string;
}

/** What a candidate of this build has to do. DEC-CLU-11, DEC-CLU-12. */
export function successionOf(handover: Handover | null, { last, applied, build }: CandidateAt): Succession {
  const broken = handover?.broken ?? [];
  const note = broken.at(-1);
  if (handover === null || note === undefined) return { kind: 'lead', unrecorded: null, broken };
  const older = broken.slice(0, -1);
  // If recording itself broke the engine, it is not tried again.
  const toRecord = (voided: BrokenNote): BrokenNote | null =>
    voided.commandKind === 'recordQuarantine' ? null : voided;
  if (note.voidedTo !== null)
    return { kind: 'lead', unrecorded: note.seq === last + 1 ? toRecord(note) : null, broken };
  if (note.seq > last || note.seq <= applied) return { kind: 'lead', unrecorded: null, broken: older };
  // Others of that build could not have applied it either.
  if (note.seq > handover.since) {
    const voided = { ...note, voidedTo: last };
    return { kind: 'void', note: voided, unrecorded: toRecord(voided), broken: [...older, voided] };
  }
  return note.builds.includes(build) ? { kind: 'aside', note } : { kind: 'lead', unrecorded: null, broken };
}

/** What the term of this leader hands over, which begins after entry `last`. */
export function handoverOf(
  before: Handover | null,
  leader: Leader,
  last: Seq,
  broken: readonly BrokenNote[],
): Handover {
  const { epoch: term, build } = leader;
  return { term, build, since: before?.build === build ? before.since : last, broken };
}

/**
 * Whether the own journal has what was voided. `applied`: its engine; `last`: its last entry; `epochAt`: epoch of an
 * entry after those that are applied.
 */
export async function hasVoided(
  { seq, epoch, voidedTo }: BrokenNote,
  own: { readonly applied: Seq; readonly last: Seq; readonly epochAt: (seq: Seq) => Promise<Epoch> },
): Promise<boolean> {
  if (voidedTo === null || seq <= own.applied || seq > own.last) return false;
  return (await own.epochAt(seq)) === epoch;
}

/** Epochs begin with 1: nothing was heard of a log before. */
export const noEpoch = as<Epoch>(0);
