import type { Epoch, Seq } from '#model/units.ts';
import type {
  Appended,
  BrokenNote,
  CommandLog,
  Foundation,
  FoundingRest,
  HandoverAt,
  HeadAt,
  Leader,
  LogBatch,
  LogEnd,
  LogHead,
  LogSize,
  LogWatcher,
  NodeStatus,
  PassedHandover,
  Revision,
  Term,
} from '#cluster/command-log.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import type { Bid, NodeFaults, Quorum } from './memory-command-log.ts';

/** One node's way to the quorum, with what goes wrong on it. */
export class Connection implements CommandLog, NodeFaults {
  private readonly quorum: Quorum;
  private readonly watches = new Set<() => void>();
  private isReachable = true;
  /** Counts the cuts: what was on its way at one of them is lost. */
  private cuts = 0;
  private answersLost = 0;
  private requestsLost = 0;
  private watchDelayMs = 0;

  constructor(quorum: Quorum) {
    this.quorum = quorum;
  }

  setReachable(isReachable: boolean): void {
    if (!isReachable) this.cuts += 1;
    this.isReachable = isReachable;
    this.quorum.watches.setPath(this, { isOpen: isReachable, delayMs: this.watchDelayMs });
  }

  loseAnswers(count: number): void {
    this.answersLost = count;
  }

  loseRequests(count: number): void {
    this.requestsLost = count;
  }

  delayWatch(delayMs: number): void {
    this.watchDelayMs = delayMs;
    this.quorum.watches.setPath(this, { isOpen: this.isReachable, delayMs });
  }

  interruptWatch(): void {
    this.quorum.watches.interrupt(this);
  }

  foundation = (): Promise<Foundation | null> => this.ask(() => this.quorum.foundation());
  found = async (foundation: Foundation, head: LogHead, { batches, over }: FoundingRest = {}): Promise<boolean> => {
    const kept: LogBatch[] = [];
    for await (const batch of batches ?? []) kept.push({ ...batch, bytes: batch.bytes.slice() });
    return this.ask(() => this.quorum.found(foundation, copyOfHead(head), kept, over));
  };
  ended = (): Promise<LogEnd | null> => this.ask(() => this.quorum.ended());
  end = (at: Revision, end: LogEnd): Promise<boolean> => this.ask(() => this.quorum.end(at, end));
  head = (): Promise<HeadAt | null> => this.ask(() => this.quorum.head());
  read = (from: Seq): Promise<readonly LogBatch[]> => this.ask(() => this.quorum.read(from));
  applied = (): Promise<Seq> => this.ask(() => this.quorum.applied());
  leader = (): Promise<Leader | null> => this.ask(() => this.quorum.leader());
  nodes = (): Promise<readonly NodeStatus[]> => this.ask(() => this.quorum.nodes());
  silence = (node: string): Promise<number | null> => this.ask(() => this.quorum.silence(node));
  forget = (node: string): Promise<void> => this.ask(() => this.quorum.forget(node));
  askToStepDown = (epoch: Epoch): Promise<void> => this.ask(() => this.quorum.askToStepDown(epoch));
  trim = (upTo: Seq): Promise<void> => this.ask(() => this.quorum.trim(upTo));
  size = (): Promise<LogSize> => this.ask(() => this.quorum.size());
  report = (node: NodeStatus, leaseSeconds: number): Promise<NodeStatus | null> =>
    this.ask(() => this.quorum.report({ ...node }, leaseSeconds));

  append(at: Revision, head: LogHead, batch: LogBatch): Promise<Appended> {
    const [keptHead, kept] = [copyOfHead(head), { ...batch, bytes: batch.bytes.slice() }];
    return this.askOnce(() => this.quorum.append(at, keptHead, kept));
  }

  handover = (): Promise<HandoverAt | null> => this.ask(() => this.quorum.handover());
  noteBroken = (term: Epoch, note: BrokenNote): Promise<boolean> =>
    this.askOnce(() => this.quorum.noteBroken(term, note));

  async campaign(
    at: Revision,
    head: LogHead,
    leader: Leader,
    leaseSeconds: number,
    passing: PassedHandover,
  ): Promise<Term | null> {
    const bid: Bid = { at, head: copyOfHead(head), leader, leaseSeconds, passing };
    const begun = await this.askOnce(() => this.quorum.campaign(bid));
    if (begun === null) return null;
    const { lease } = begun;
    return {
      leader,
      at: begun.at,
      keepAlive: () => this.ask(() => lease.prolong()),
      publishApplied: (upTo) => this.ask(() => this.quorum.publishApplied(lease, upTo)),
      isAskedToEnd: () => this.ask(() => this.quorum.isAsked(leader.epoch)),
      resign: () => this.ask(() => lease.end()),
    };
  }

  watch(watcher: LogWatcher): () => void {
    const end = this.quorum.watches.add(this, watcher, { isOpen: this.isReachable, delayMs: this.watchDelayMs });
    this.watches.add(end);
    return () => {
      this.watches.delete(end);
      end();
    };
  }

  async close(): Promise<void> {
    for (const end of this.watches) end();
    this.watches.clear();
  }

  /** What changes the head: the next ones may be lost on their way there or back. */
  private askOnce<Answer>(run: () => Answer): Promise<Answer> {
    const isRequestLost = this.requestsLost > 0;
    if (isRequestLost) this.requestsLost -= 1;
    const isAnswerLost = !isRequestLost && this.answersLost > 0;
    if (isAnswerLost) this.answersLost -= 1;
    return this.ask(() => {
      if (isRequestLost) throw new LogUnreachable('the request was lost');
      const answer = run();
      if (isAnswerLost) throw new LogUnreachable('the answer was lost');
      return answer;
    });
  }

  private async ask<Answer>(run: () => Answer): Promise<Answer> {
    const { cuts } = this;
    await this.travel(cuts);
    try {
      return run();
    } finally {
      await this.travel(cuts);
    }
  }

  private async travel(cuts: number): Promise<void> {
    const delayMs = this.quorum.options.latencyMs?.() ?? 0;
    if (delayMs > 0) await new Promise<void>((resolve) => void this.quorum.options.setTimer(delayMs, resolve));
    else await Promise.resolve();
    if (!this.isReachable || cuts !== this.cuts) throw new LogUnreachable('the node is cut off from the quorum');
  }
}

const copyOfHead = (head: LogHead): LogHead => ({ ...head, hash: head.hash.slice() });
