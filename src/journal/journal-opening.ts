import { randomBytes } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { as } from '#model/units.ts';
import { type ActiveFile, beginSegment, resumeSegment } from '#journal/active-file.ts';
import type { HeldName } from '#journal/file-operations.ts';
import { reopenLastSegment, repairJournal } from '#journal/journal-repair.ts';
import type { JournalSurvey } from '#journal/journal-survey.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { hashSize, segmentHeaderSize } from '#journal/segment-format.ts';
import { SegmentStore, type SegmentStoreOptions } from '#journal/segment-store.ts';

/** Where a journal in files is, and how it is opened. */
export interface JournalOpening extends SegmentStoreOptions {
  /** Parent directories that must not be replaced either while the journal is open. */
  readonly heldPaths?: readonly string[];
  /** 32 bytes that identify a new journal; random by default. */
  readonly origin?: Uint8Array;
  /**
   * Whether a cluster has the same journal, whose leader decides which batch begins a segment. So the next batch may
   * belong to the segment of the last one, however full it is, even if a next segment was begun here.
   */
  readonly isFollowing?: boolean;
}

/** A journal that is ready to be written to. */
export interface OpenedJournal {
  readonly store: SegmentStore;
  readonly active: ActiveFile;
  /** The journal's directory and its parents, which have to stay where they are. */
  readonly directories: readonly HeldName[];
}

/**
 * Finds the end of the journal and makes it ready for the next batch, or begins a journal if there is none.
 * @throws JournalDamaged when anything but a torn tail is not as written: then nothing was changed.
 */
export async function openJournalFiles(options: JournalOpening): Promise<OpenedJournal> {
  const { files, directory } = options;
  assert(options.segmentSize > segmentHeaderSize, 'a segment is larger than its header');
  await files.makeDirectory(directory);
  const directories: HeldName[] = [];
  try {
    for (const path of [...(options.heldPaths ?? []), directory]) directories.push(await files.hold(path));
    return { ...(await openHeld(options)), directories };
  } catch (error) {
    for (const held of directories) await held.release().catch(() => undefined);
    throw error;
  }
}

async function openHeld(options: JournalOpening): Promise<Omit<OpenedJournal, 'directories'>> {
  const survey = await surveyForWriting(options);
  const store = new SegmentStore(options, survey.sealed, survey.prepared);
  const active =
    survey.active === null
      ? await beginSegment(options, store, nextStart(survey, options.origin))
      : await resumeSegment(options, survey.active);
  store.compressAhead();
  store.prepareAhead(active.start.number + 1);
  return { store, active };
}

/** Surveys and repairs. In a replica, the last segment with a batch is the active one afterwards. */
async function surveyForWriting({ files, directory, notice, isFollowing }: JournalOpening): Promise<JournalSurvey> {
  const survey = await surveyJournal(files, directory);
  await repairJournal(files, directory, survey, notice);
  if (isFollowing !== true || !(await reopenLastSegment(files, directory, survey))) return survey;
  return surveyJournal(files, directory);
}

function nextStart({ sealed }: JournalSurvey, origin: Uint8Array | undefined): SegmentStart {
  const before = sealed.at(-1);
  if (before === undefined) return { number: 1, firstSeq: as(1), previousHash: origin ?? randomBytes(hashSize) };
  return { number: before.number + 1, firstSeq: as(before.lastSeq + 1), previousHash: before.lastHash };
}
