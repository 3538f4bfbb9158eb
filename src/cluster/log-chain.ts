import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLog, LogBatch } from '#cluster/command-log.ts';
import { checkBatch } from '#journal/encoded-batch.ts';
import { JournalDamaged } from '#journal/journal.ts';
import type { ChainPoint } from '#journal/log-comparison.ts';
import { hashOf } from '#journal/segment-format.ts';

/** What the log tells of its chain. */
export interface ChainOfLog {
  /** Where the kept batches begin and end, and the head; ascending. Empty: there is no log. */
  readonly points: readonly ChainPoint[];
  /** Entries between two points of which nothing sound is kept: points may be missing there. */
  readonly damaged: readonly DamagedSpan[];
}

/** Entries after one and up to another. */
export interface DamagedSpan {
  readonly after: Seq;
  readonly upTo: Seq;
}

/** Reads the chain of the log. Of one damaged batch, its neighbours and the head tell both ends. */
export async function readChain(log: CommandLog): Promise<ChainOfLog> {
  const now = await log.head();
  if (now === null) return { points: [], damaged: [] };
  const hashes = new Map<Seq, Uint8Array>();
  const damaged: DamagedSpan[] = [];
  let end: Seq | null = null;
  const reached = (upTo: Seq): void => {
    if (end !== null && upTo > end) damaged.push({ after: end, upTo });
  };
  let from = as<Seq>(1);
  for (let page = await log.read(from); page.length > 0; page = await log.read(from)) {
    for (const batch of page) {
      from = as<Seq>(batch.last + 1);
      const [before, after] = pointsOf(batch);
      if (before === undefined || after === undefined) continue;
      reached(before.last);
      for (const { last, hash } of [before, after]) hashes.set(last, hash);
      end = after.last;
    }
  }
  reached(now.head.last);
  // Committed by the transaction that wrote the last batch, whose bytes may be damaged by now.
  hashes.set(now.head.last, now.head.hash);
  const points = [...hashes].map(([last, hash]) => ({ last, hash })).toSorted((left, right) => left.last - right.last);
  return { points, damaged };
}

/**
 * Whether a journal that goes on otherwise than the log may only seem to: it leaves the known points where the log is
 * damaged, so the point that it has in common may be one of those that are missing.
 */
export const leavesInDamage = ({ damaged }: ChainOfLog, last: Seq, next: ChainPoint): boolean =>
  damaged.some(({ after, upTo }) => after === last && next.last < upTo);

function pointsOf(batch: LogBatch): readonly ChainPoint[] {
  try {
    const { previousHash } = checkBatch(batch);
    return [
      { last: as<Seq>(batch.first - 1), hash: previousHash },
      { last: batch.last, hash: hashOf(batch.bytes) },
    ];
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return [];
  }
}
