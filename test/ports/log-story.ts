import { createHash } from 'node:crypto';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type {
  Appended,
  BrokenNote,
  CommandLog,
  Foundation,
  HeadAt,
  Leader,
  LogBatch,
  LogHead,
  LogWatcher,
  NodeStatus,
  PassedHandover,
  Revision,
  Term,
} from '#cluster/command-log.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { handoverOf } from '#cluster/handover.ts';

/** SHA-256 of a text, as a hash to tell things apart by. */
export const hashOfText = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest());

/** What the logs of tests are made from. */
export const foundation: Foundation = {
  origin: hashOfText('origin'),
  profile: 'production',
  keyFingerprint: 'fingerprint',
};
/** Where a new log ends. */
export const emptyHead: LogHead = { epoch: as<Epoch>(0), last: as<Seq>(0), hash: foundation.origin };

/** A batch with bytes that follow from its place, and the head after it. */
export function batchAfter(
  after: number,
  { epoch = 1, count = 1, size = 100 } = {},
): {
  readonly head: LogHead;
  readonly batch: LogBatch;
} {
  const last = as<Seq>(after + count);
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (after * 31 + index * 7 + epoch) & 0xff;
  return {
    head: { epoch: as<Epoch>(epoch), last, hash: new Uint8Array(createHash('sha256').update(bytes).digest()) },
    batch: { epoch: as<Epoch>(epoch), appliedUpTo: as<Seq>(after), segment: 7, first: as<Seq>(after + 1), last, bytes },
  };
}

/** A node as the leader of an epoch. */
export const leaderOf = (node: string, epoch: number): Leader => ({
  node,
  epoch: as<Epoch>(epoch),
  address: '127.0.0.1:9000',
  build: '0.5.0',
});

/** What a node reports in tests. */
export const statusOf = (node: string, journaled = 0): NodeStatus => ({
  node,
  address: '',
  build: '0.5.0',
  isCandidate: true,
  newestRules: 3,
  commandFormat: 5,
  journaled: as<Seq>(journaled),
  applied: as<Seq>(journaled),
});

/** The head of a log that was founded. */
export async function headOf(log: CommandLog): Promise<HeadAt> {
  const head = await log.head();
  if (head === null) throw new Error('there is no log');
  return head;
}

/** Begins a term with the next epoch; `null`: somebody was first. */
export async function campaign(log: CommandLog, node: string, leaseSeconds = 60): Promise<Term | null> {
  const { at, head } = await headOf(log);
  const epoch = as<Epoch>(head.epoch + 1);
  const leader = leaderOf(node, epoch);
  return await log.campaign(at, { ...head, epoch }, leader, leaseSeconds, await passingOf(log, leader));
}

/** A note about an entry of the first epoch. */
export const noteAt = (seq: number, epoch = 1): BrokenNote => ({
  ...{ seq: as<Seq>(seq), epoch: as<Epoch>(epoch), at: as<TimestampMs>(1_700_000_000_000), commandKind: 'placeOrder' },
  ...{ account: as<AccountId>(7), invariant: 'a claim of “tests” holds', node: 'a', builds: ['0.5.0'] },
  ...{ notedAt: '2026-01-01T00:00:00.000Z', voidedTo: null },
});

/** What a leader hands over that has nothing to say of broken entries. */
export async function passingOf(log: CommandLog, leader: Leader): Promise<PassedHandover> {
  const passed = await log.handover();
  const handover = handoverOf(passed?.handover ?? null, leader, as<Seq>(0), passed?.handover.broken ?? []);
  return { handover, after: passed?.at ?? null, shortened: null };
}

/** Begins a term where nobody else tries to. */
export async function lead(log: CommandLog, node: string, leaseSeconds?: number): Promise<Term> {
  const term = await campaign(log, node, leaseSeconds);
  if (term === null) throw new Error('somebody else leads');
  return term;
}

/** Appends as a leader does: the same call again until it is decided. Answers the head's version, and the tries. */
export async function appendUntilDecided(
  log: CommandLog,
  at: Revision,
  { head, batch }: { readonly head: LogHead; readonly batch: LogBatch },
): Promise<{ readonly at: Revision; readonly tries: number }> {
  for (let tries = 1; ; tries += 1) {
    let appended: Appended;
    try {
      appended = await log.append(at, head, batch);
    } catch (error) {
      if (error instanceof LogUnreachable) continue;
      throw error;
    }
    if (appended.isAppended) return { at: appended.at, tries };
    const { now } = appended;
    const isMine = now.head.last === head.last && Buffer.compare(now.head.hash, head.hash) === 0;
    if (!isMine) throw new Error('somebody else appended');
    return { at: now.at, tries };
  }
}

/** Appends batches of one entry each, from after `after` on. Answers the head's version. */
export async function appendBatches(
  log: CommandLog,
  start: Revision,
  { after, count, epoch = 1, size = 100 }: { after: number; count: number; epoch?: number; size?: number },
): Promise<Revision> {
  let at = start;
  for (let index = 0; index < count; index += 1) {
    ({ at } = await appendUntilDecided(log, at, batchAfter(after + index, { epoch, size })));
  }
  return at;
}

/** Everything in the log from `from` on, page by page. */
export async function readAll(log: CommandLog, from = 1): Promise<readonly LogBatch[]> {
  const all: LogBatch[] = [];
  for (let next = as<Seq>(from); ; next = as<Seq>(all.at(-1)!.last + 1)) {
    const page = await log.read(next);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** A watcher that keeps what it is told. */
export class RecordingWatcher implements LogWatcher {
  readonly batches: LogBatch[] = [];
  readonly leaders: (string | null)[] = [];
  appliedUpTo = 0;
  interruptions = 0;
  private waiting: { readonly isTrue: () => boolean; readonly resolve: () => void }[] = [];

  batch(batch: LogBatch): void {
    this.batches.push(batch);
    this.look();
  }

  leader(leader: Leader | null): void {
    this.leaders.push(leader?.node ?? null);
    this.look();
  }

  applied(upTo: Seq): void {
    this.appliedUpTo = upTo;
    this.look();
  }

  interrupted(): void {
    this.interruptions += 1;
    this.look();
  }

  /** Resolves once what it was told makes this true. */
  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ isTrue, resolve });
      this.look();
    });
  }

  /** Last entries of the batches that came. */
  lasts(): readonly number[] {
    return this.batches.map(({ last }) => last);
  }

  private look(): void {
    this.waiting = this.waiting.filter(({ isTrue, resolve }) => {
      if (!isTrue()) return true;
      resolve();
      return false;
    });
  }
}

/** Whole numbers from `first` to `last`. */
export const numbers = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Asks again and again until it is so. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
