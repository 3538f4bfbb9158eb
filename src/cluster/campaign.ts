import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type {
  BrokenNote,
  CommandLog,
  HandoverAt,
  HeadAt,
  Leader,
  LogBatch,
  LogHead,
  Term,
} from '#cluster/command-log.ts';
import { handoverOf, type Taken } from '#cluster/handover.ts';
import type { OwnJournal } from '#cluster/quorum-journal.ts';
import { batchBefore, checkBatch } from '#journal/encoded-batch.ts';
import { hashOf } from '#journal/segment-format.ts';

/** Who campaigns. */
export interface Candidate {
  readonly log: CommandLog;
  readonly journal: Pick<OwnJournal, 'batchWith'>;
  /** Position that the own engine has applied. */
  readonly applied: () => Seq;
  readonly identity: Omit<Leader, 'epoch'>;
  readonly leaseSeconds: number;
}

/** What a campaign begins from, as it was read. */
export interface CampaignGround {
  /** The head of the log, where the own journal ends too. */
  readonly now: HeadAt;
  readonly passed: HandoverAt | null;
  readonly succession: Taken;
}

/**
 * Tries to begin a term; with it the log ends before an entry that is to be voided. `null`: somebody was first.
 * @throws as `CommandLog.campaign`
 */
export async function campaign(
  candidate: Candidate,
  { now, passed, succession }: CampaignGround,
): Promise<Term | null> {
  const { log, identity, leaseSeconds } = candidate;
  const { last, hash, shortened } =
    succession.kind === 'void' ? await endBefore(candidate, succession.note) : { ...now.head, shortened: null };
  const epoch = as<Epoch>(now.head.epoch + 1);
  const leader = { ...identity, epoch };
  const handover = handoverOf(passed?.handover ?? null, leader, last, succession.broken);
  const passing = { handover, after: passed?.at ?? null, shortened };
  return log.campaign(now.at, { epoch, last, hash }, leader, leaseSeconds, passing);
}

interface EarlierEnd extends Pick<LogHead, 'last' | 'hash'> {
  readonly shortened: LogBatch | null;
}

/** Where the log ends once the entry and all behind it are out of it; by the own journal, which has the same. */
async function endBefore({ journal, applied }: Candidate, { seq, epoch }: BrokenNote): Promise<EarlierEnd> {
  const batch = await journal.batchWith(seq);
  const last = as<Seq>(seq - 1);
  const rest = batchBefore(batch, seq);
  if (rest === null) return { last, hash: checkBatch(batch).previousHash, shortened: null };
  return { last, hash: hashOf(rest.bytes), shortened: { ...rest, epoch, appliedUpTo: applied() } };
}
