import type { Seq } from '#model/units.ts';
import type { LogBatch } from '#cluster/command-log.ts';
import { LogDamaged } from '#cluster/command-log.ts';
import { type KeyValue, parseAnswer, rangeAnswer } from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { AnswerTooLarge } from '#cluster/etcd/etcd-failures.ts';
import { endOf, type EtcdKeys, fromBase64, textOfBase64, toBase64 } from '#cluster/etcd/etcd-keys.ts';
import { decodeBatchValue } from '#cluster/etcd/kept-values.ts';

/** A read ends once its batches have this many bytes. */
const readBytes = 2 << 20;
/** Batches of the first request of a read: even the largest of them stay below the 4 MiB that etcd 3.4 answers. */
const countAtFirst = 4;
const countMax = 128;

/** Kept batches that end at `from` or later: of the first ones, those that make sense. */
export async function readBatches(client: EtcdClient, keys: EtcdKeys, from: Seq): Promise<readonly LogBatch[]> {
  const page: LogBatch[] = [];
  let bytes = 0;
  let count = countAtFirst;
  for (let start = keys.batch(from); ; ) {
    let answer: { readonly kvs: readonly KeyValue[]; readonly hasMore: boolean };
    try {
      answer = await readKeys(client, { start, end: endOf(keys.batches), count });
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || count === 1) throw error;
      count = count >>> 2 || 1;
      continue;
    }
    let read = 0;
    for (const kept of answer.kvs) {
      const batch = batchOf(kept);
      read += kept.value.length;
      if (batch !== null) page.push(batch);
    }
    bytes += read;
    const last = answer.kvs.at(-1);
    if (last === undefined || !answer.hasMore || (bytes >= readBytes && page.length > 0)) return page;
    start = `${textOfBase64(last.key)}\0`;
    // As many again as fill the rest, if they are like those before.
    const fitting = Math.floor(((readBytes - bytes) * answer.kvs.length) / (read + 1));
    count = Math.min(Math.max(fitting, countAtFirst), count * 4, countMax);
  }
}

/** The batch under a key; `null` where it makes no sense: its reader misses it, and gets it from another node. */
export function batchOf({ key, value }: KeyValue): LogBatch | null {
  const name = textOfBase64(key);
  try {
    const batch = decodeBatchValue(name, fromBase64(value));
    return name.endsWith(`/${String(batch.last).padStart(16, '0')}`) ? batch : null;
  } catch (error) {
    if (error instanceof LogDamaged) return null;
    throw error;
  }
}

async function readKeys(
  client: EtcdClient,
  { start, end, count }: { readonly start: string; readonly end: string; readonly count: number },
): Promise<{ readonly kvs: readonly KeyValue[]; readonly hasMore: boolean }> {
  const answer = parseAnswer(
    rangeAnswer,
    await client.askSafely('kv/range', { key: toBase64(start), range_end: toBase64(end), limit: count }),
  );
  return { kvs: answer.kvs ?? [], hasMore: answer.more };
}
