import type { Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogUnreachable, type NodeStatus, type Term } from '#cluster/command-log.ts';
import { dropBatches } from '#cluster/drop-batches.ts';
import type { QuorumContact } from '#cluster/quorum-contact.ts';

/** How a node talks to the log again and again. */
export interface TalkParts {
  readonly log: CommandLog;
  readonly contact: QuorumContact;
  readonly repeat: Repeat;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What a leader does besides appending. */
export interface LeadParts extends TalkParts {
  readonly term: Term;
  readonly leaseSeconds: number;
  readonly applied: () => Seq;
  /** Last entry of the own journal. */
  readonly journaled: () => Seq;
  /** The lease has ended: another node may lead, and this one has to stop. */
  readonly onEnded: (error: Error) => void;
  /** Somebody asked this node to end its term. May be called again. DEC-CLU-16. */
  readonly onAsked: () => void;
}

/** The lease of this node has ended. */
export class TermEnded extends Error {
  override name = 'TermEnded';
}

/** While nothing is appended, followers are told soon what the leader has applied. */
const publishMs = 10;
const trimMs = 1000;
const askedMs = 250;
/** The lease is prolonged this many times before it ends. */
const keepAlives = 4;
const reportMs = 1000;
const reportLeaseSeconds = 10;

/**
 * Keeps the lease alive, tells followers what is applied, and drops from the log what every node has. The lease decides
 * only when others try: the head's version fences a leader that lost it. Answers what ends it.
 */
export function startLeading(parts: LeadParts): () => void {
  const { log, term, leaseSeconds, contact, applied, journaled, onEnded, onAsked } = parts;
  let published: Seq = as<Seq>(0);
  const workers = [
    talk(parts, 'keeping the lease of the leader', (leaseSeconds * 1000) / keepAlives, async () => {
      if (await term.keepAlive()) contact.succeeded();
      else onEnded(new TermEnded('the lease of this node has ended: another one may lead'));
    }),
    talk(parts, 'telling followers what is applied', publishMs, async () => {
      const upTo = applied();
      // While something is on its way, the next batch tells it.
      if (upTo === published || upTo !== journaled()) return;
      await term.publishApplied(upTo);
      published = upTo;
    }),
    talk(parts, 'reading whether the term is to end', askedMs, async () => {
      if (await term.isAskedToEnd()) onAsked();
    }),
    talk(parts, 'dropping old batches from the log', trimMs, () => dropBatches(log, applied())),
  ];
  return () => {
    for (const worker of workers) void worker.stop();
  };
}

/** Tells the cluster how far this node is; `onFound` is told what was there before. Answers what ends it. */
export function startReporting(
  parts: TalkParts,
  status: () => NodeStatus,
  onFound: (before: NodeStatus | null) => void,
): () => void {
  return talkEvery(parts, 'reporting to the cluster', reportMs, async () =>
    onFound(await parts.log.report(status(), reportLeaseSeconds)),
  );
}

/** Asks the log at once and again and again; a quorum that does not answer is no trouble. Answers what ends it. */
export function talkEvery(parts: TalkParts, what: string, everyMs: number, call: () => Promise<void>): () => void {
  const worker = talk(parts, what, everyMs, call);
  void worker.run();
  return () => void worker.stop();
}

const talk = (
  { contact, repeat, onTrouble }: TalkParts,
  what: string,
  everyMs: number,
  call: () => Promise<void>,
): PollingWorker =>
  startPolling({
    what,
    poll: () =>
      call().catch((error: unknown) => {
        if (!(error instanceof LogUnreachable)) throw error;
        contact.failed();
      }),
    repeat,
    everyMs,
    skippedMax: 0,
    onTrouble,
  });
