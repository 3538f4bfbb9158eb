import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { LogHead } from '#cluster/command-log.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';

/**
 * Where the journal of a stopped exchange ends; its epoch is that of the last entry. Nothing is changed: what is behind
 * the last whole batch was never acknowledged.
 * @throws JournalDamaged
 */
export async function journalEnd(journal: string): Promise<LogHead> {
  const { sealed, active } = await surveyJournal(nodeFileOperations, journal);
  const end = active ?? sealed.at(-1);
  if (end === undefined) return { epoch: as<Epoch>(0), last: as<Seq>(0), hash: new Uint8Array(32) };
  return { epoch: await epochAt(journal, end.lastSeq), last: end.lastSeq, hash: end.lastHash };
}

/** The epoch of an entry; 0 where the journal does not have it. */
export async function epochAt(journal: string, seq: Seq): Promise<Epoch> {
  const reader = await openJournalReader(nodeFileOperations, journal);
  if (seq < reader.first() || seq > reader.last()) return as<Epoch>(0);
  for await (const [entry] of reader.read(seq)) if (entry !== undefined) return entry.epoch;
  return as<Epoch>(0);
}

/** Whether two journals end with the same batch, and so are the same. */
export const isSameEnd = (one: LogHead, other: LogHead): boolean =>
  one.last === other.last && Buffer.compare(one.hash, other.hash) === 0;
