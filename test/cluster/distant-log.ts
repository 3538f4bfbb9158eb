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
import type { Epoch, Seq } from '#model/units.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** How a process reaches the log. */
export interface DistantLogParts {
  readonly log: CommandLog;
  readonly process: SimulatedProcess;
  /** How long it waits for an answer; what it asked for may still happen later. */
  readonly patienceMs: number;
  /** Told of each batch that is sent. */
  readonly onAppend: (batch: LogBatch) => void;
  /** Told of each campaign. */
  readonly onCampaign: (passing: PassedHandover) => void;
}

/** The log as one process sees it, which waits for answers only so long, and hears nothing while it is frozen. */
export class DistantLog implements CommandLog {
  private readonly parts: DistantLogParts;

  constructor(parts: DistantLogParts) {
    this.parts = parts;
  }

  foundation = (): Promise<Foundation | null> => this.ask(this.parts.log.foundation());
  found = (foundation: Foundation, head: LogHead, rest?: FoundingRest): Promise<boolean> =>
    this.ask(this.parts.log.found(foundation, head, rest));
  ended = (): Promise<LogEnd | null> => this.ask(this.parts.log.ended());
  end = (at: Revision, end: LogEnd): Promise<boolean> => this.ask(this.parts.log.end(at, end));
  head = (): Promise<HeadAt | null> => this.ask(this.parts.log.head());
  read = (from: Seq): Promise<readonly LogBatch[]> => this.ask(this.parts.log.read(from));
  applied = (): Promise<Seq> => this.ask(this.parts.log.applied());
  leader = (): Promise<Leader | null> => this.ask(this.parts.log.leader());
  nodes = (): Promise<readonly NodeStatus[]> => this.ask(this.parts.log.nodes());
  silence = (node: string): Promise<number | null> => this.ask(this.parts.log.silence(node));
  forget = (node: string): Promise<void> => this.ask(this.parts.log.forget(node));
  askToStepDown = (epoch: Epoch): Promise<void> => this.ask(this.parts.log.askToStepDown(epoch));
  trim = (upTo: Seq): Promise<void> => this.ask(this.parts.log.trim(upTo));
  size = (): Promise<LogSize> => this.ask(this.parts.log.size());
  report = (node: NodeStatus, leaseSeconds: number): Promise<NodeStatus | null> =>
    this.ask(this.parts.log.report(node, leaseSeconds));

  append(at: Revision, head: LogHead, batch: LogBatch): Promise<Appended> {
    this.parts.onAppend(batch);
    return this.ask(this.parts.log.append(at, head, batch));
  }

  handover = (): Promise<HandoverAt | null> => this.ask(this.parts.log.handover());
  noteBroken = (term: Epoch, note: BrokenNote): Promise<boolean> => this.ask(this.parts.log.noteBroken(term, note));

  async campaign(
    at: Revision,
    head: LogHead,
    leader: Leader,
    leaseSeconds: number,
    passing: PassedHandover,
  ): Promise<Term | null> {
    this.parts.onCampaign(passing);
    const term = await this.ask(this.parts.log.campaign(at, head, leader, leaseSeconds, passing));
    if (term === null) return null;
    return {
      ...term,
      keepAlive: () => this.ask(term.keepAlive()),
      publishApplied: (upTo) => this.ask(term.publishApplied(upTo)),
      isAskedToEnd: () => this.ask(term.isAskedToEnd()),
      resign: () => this.ask(term.resign()),
    };
  }

  watch(watcher: LogWatcher): () => void {
    const { log, process } = this.parts;
    let isEnded = false;
    const tell = (run: () => void): void =>
      process.enter(() => {
        if (!isEnded) run();
      });
    const end = log.watch({
      batch: (batch) => tell(() => watcher.batch(batch)),
      leader: (leader) => tell(() => watcher.leader(leader)),
      applied: (upTo) => tell(() => watcher.applied(upTo)),
      interrupted: () => tell(() => watcher.interrupted()),
    });
    return () => {
      isEnded = true;
      end();
    };
  }

  close = (): Promise<void> => this.parts.log.close();

  private ask<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { process, patienceMs } = this.parts;
    return new Promise((resolve, reject) => {
      const stop = process.setTimer(patienceMs, () => reject(new LogUnreachable('no answer in time')));
      const settle = (outcome: () => void): void =>
        process.enter(() => {
          stop();
          outcome();
        });
      answer.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error as Error)),
      );
    });
  }
}
