import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLog, LogBatch } from '#cluster/command-log.ts';
import { checkBatch } from '#journal/encoded-batch.ts';
import { JournalDamaged } from '#journal/journal.ts';
import type { ChainPoint } from '#journal/log-comparison.ts';
import { hashOf } from '#journal/segment-format.ts';

/**
 * Where the batches that the log keeps begin and end, and its head; ascending. A damaged batch gives no point: its
 * neighbours and the head tell the same ones. Empty: there is no log.
 */
export async function readChainPoints(log: CommandLog): Promise<readonly ChainPoint[]> {
  const now = await log.head();
  if (now === null) return [];
  const hashes = new Map<Seq, Uint8Array>();
  let from = as<Seq>(1);
  for (let page = await log.read(from); page.length > 0; page = await log.read(from)) {
    for (const batch of page) {
      for (const { last, hash } of pointsOf(batch)) hashes.set(last, hash);
      from = as<Seq>(batch.last + 1);
    }
  }
  // Committed by the transaction that wrote the last batch, whose bytes may be damaged by now.
  hashes.set(now.head.last, now.head.hash);
  return [...hashes].map(([last, hash]) => ({ last, hash })).toSorted((left, right) => left.last - right.last);
}

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
