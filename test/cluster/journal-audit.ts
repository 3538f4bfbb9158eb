import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { clientOrderIdsOf } from '#model/command-subject.ts';
import type { Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { Seq } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { orderIdText } from '#http/words.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { openSegment } from '#journal/segment-directory.ts';
import { replay } from '#sequencer/recovery.ts';
import type { ClusterLoad } from './cluster-load.ts';

/** What the journal of one stopped node has. */
export interface JournalContent {
  /** Hash of the bytes in use of each segment, whatever form it is stored in. */
  readonly segments: ReadonlyMap<number, string>;
  readonly last: Seq;
  /** State after the last entry. */
  readonly digest: string;
  /** Client ids that commands name. */
  readonly sent: ReadonlySet<string>;
  /** Ids of the orders that were accepted, by their client ids. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  /** Ids of orders that rest no more. */
  readonly closed: ReadonlySet<string>;
  /** How often entries were recorded as taken out. */
  readonly quarantined: number;
}

/** Reads the journal of a data directory that nobody has open, from its first entry. */
export async function readJournal(data: string): Promise<JournalContent> {
  const directory = join(data, 'journal');
  const reader = await openJournalReader(nodeFileOperations, directory);
  const sent = new Set<string>();
  const accepted = new Map<string, string[]>();
  const closed = new Set<string>();
  const noteSent = ({ command }: Entry): void => {
    for (const id of clientOrderIdsOf(command)) sent.add(id);
  };
  const noted = {
    ...reader,
    read: async function* (from: Seq) {
      for await (const entries of reader.read(from)) {
        entries.forEach(noteSent);
        yield entries;
      }
    },
  };
  const sink: typeof noopSink = {
    ...noopSink,
    orderAccepted: ({ clientOrderId, order }) => {
      if (clientOrderId === null) return;
      accepted.set(clientOrderId, [...(accepted.get(clientOrderId) ?? []), orderIdText(order)]);
    },
    orderClosed: ({ order }) => void closed.add(orderIdText(order)),
  };
  const engine = createEngine();
  await replay(engine, noted, sink, () => {});
  const segments = await segmentHashes(directory);
  const { count: quarantined } = engine.state.tails;
  return { segments, last: reader.last(), digest: engine.digest(), sent, accepted, closed, quarantined };
}

async function segmentHashes(directory: string): Promise<ReadonlyMap<number, string>> {
  const { sealed, active } = await surveyJournal(nodeFileOperations, directory);
  const all = sealed.map(({ number, size, isRaw }) => ({ number, size, isRaw }));
  if (active !== null) all.push({ number: active.start.number, size: active.offset, isRaw: true });
  const hashes = new Map<number, string>();
  for (const { number, size, isRaw } of all) {
    const source = await openSegment(nodeFileOperations, directory, number, isRaw);
    try {
      const bytes = new Uint8Array(size);
      const count = await source.read(bytes, 0);
      hashes.set(number, `${count} ${createHash('sha256').update(bytes).digest('hex')}`);
    } finally {
      await source.close();
    }
  }
  return hashes;
}

/** What is wrong with the orders of one journal, by what the clients were told. */
export interface OrderFaults {
  /** Acknowledged, and not there under the id that was answered; by the phase in which it was acknowledged. */
  readonly lost: readonly number[];
  /** Client ids that were accepted more than once, and order ids that two of them have; by phase. */
  readonly double: readonly number[];
  readonly texts: readonly string[];
}

/** Holds what clients were told against a journal: nothing acknowledged is lost, and nothing happened twice. */
export function faultsOfOrders(
  { acknowledged, canceled, refused }: Pick<ClusterLoad, 'acknowledged' | 'canceled' | 'refused'>,
  { sent, accepted, closed }: JournalContent,
): OrderFaults {
  const lost: number[] = [];
  const double: number[] = [];
  const texts: string[] = [];
  const owners = new Map<string, string>();
  for (const { clientOrderId, orderId, phase } of acknowledged) {
    const ids = accepted.get(clientOrderId) ?? [];
    if (!sent.has(clientOrderId) || !ids.includes(orderId)) {
      lost.push(phase);
      texts.push(`${clientOrderId} was answered ${orderId}, and the journal has ${ids.join(', ') || 'none'}`);
    }
    if (ids.length > 1 || owners.has(orderId)) {
      double.push(phase);
      texts.push(`${clientOrderId} is ${ids.join(', ')}; ${orderId} was answered to ${owners.get(orderId) ?? 'it'}`);
    }
    owners.set(orderId, clientOrderId);
  }
  for (const [id, ids] of accepted) {
    if (ids.length > 1 && !owners.has(ids[0]!) && !owners.has(ids[1]!))
      texts.push(`${id} is there twice: ${ids.join()}`);
  }
  for (const id of refused) if (accepted.has(id)) texts.push(`${id} was refused, and is there`);
  for (const id of canceled) if (!closed.has(id)) texts.push(`${id} was cancelled, and rests`);
  return { lost, double, texts };
}

/** Where the journals of several nodes are not the same. */
export function differences(journals: readonly JournalContent[]): readonly string[] {
  const [first, ...others] = journals as [JournalContent, ...JournalContent[]];
  const found: string[] = [];
  others.forEach(({ segments, last, digest }, index) => {
    const name = `node ${index + 2} and node 1`;
    if (last !== first.last) found.push(`${name} end at entries ${last} and ${first.last}`);
    if (digest !== first.digest) found.push(`${name} have the digests ${digest} and ${first.digest}`);
    for (const number of new Set([...segments.keys(), ...first.segments.keys()])) {
      if (segments.get(number) === first.segments.get(number)) continue;
      const shown = `${segments.get(number) ?? 'none'} and ${first.segments.get(number) ?? 'none'}`;
      found.push(`${name} differ in segment ${number}: ${shown}`);
    }
  });
  return found;
}
