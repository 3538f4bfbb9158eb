import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
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
import { LogDamaged } from '#cluster/command-log.ts';
import { type KeyValue, leaseAnswer, parseAnswer, rangeAnswer, txnAnswer } from '#cluster/etcd/etcd-answers.ts';
import { type EtcdAccess, EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { etcdCodes, EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { endOf, type EtcdKeys, fromBase64, keysOf, toBase64, txn } from '#cluster/etcd/etcd-keys.ts';
import { endLog, foundLog } from '#cluster/etcd/etcd-founding.ts';
import { EtcdReports } from '#cluster/etcd/etcd-reports.ts';
import { EtcdSpace } from '#cluster/etcd/etcd-space.ts';
import { askToStepDown, EtcdTerm } from '#cluster/etcd/etcd-term.ts';
import { watchEtcd } from '#cluster/etcd/etcd-watch.ts';
import { decodeHandover, encodeHandover } from '#cluster/etcd/kept-handover.ts';
import {
  decodeApplied,
  decodeEnd,
  decodeFoundation,
  decodeHead,
  decodeLeader,
  encodeApplied,
  encodeBatchValue,
  encodeHead,
  encodeLeader,
} from '#cluster/etcd/kept-values.ts';
import { readBatches } from '#cluster/etcd/read-batches.ts';
import { withNote } from '#cluster/handover.ts';

/** What the log in etcd needs. */
export interface EtcdLogOptions extends EtcdAccess {
  /** Names the exchange among those that share the etcd. */
  readonly exchange: string;
  /** Bytes that the kept batches may take at most; 512 MiB by default. Well below etcd's own quota. */
  readonly bytesMax?: number;
}

const bytesMaxDefault = 512 << 20;

/** The log of an exchange in etcd; it connects when it is first asked. */
export const createEtcdLog = (options: EtcdLogOptions): CommandLog => new EtcdCommandLog(options);

/**
 * The command log in etcd. An append is one transaction, guarded by the revision at which the head was written last;
 * the leader's key lives as long as its lease. `etcd-client.ts` says what is repeated where, `kept-values.ts` what the
 * values look like, `etcd-space.ts` how space is kept. DEC-CLU-02.
 */
class EtcdCommandLog implements CommandLog {
  private readonly client: EtcdClient;
  private readonly keys: EtcdKeys;
  private readonly reports: EtcdReports;
  private readonly space: EtcdSpace;
  private readonly watches = new Set<() => void>();

  constructor(options: EtcdLogOptions) {
    this.client = new EtcdClient(options);
    this.keys = keysOf(options.exchange);
    this.reports = new EtcdReports(this.client, this.keys);
    this.space = new EtcdSpace(this.client, this.keys, options.bytesMax ?? bytesMaxDefault);
  }

  async foundation(): Promise<Foundation | null> {
    const kept = await this.get(this.keys.foundation);
    return kept === null ? null : decodeFoundation(this.keys.foundation, fromBase64(kept.value));
  }

  found(foundation: Foundation, head: LogHead, rest: FoundingRest = {}): Promise<boolean> {
    return foundLog(this.keys, (transaction) => this.transact(transaction), { foundation, head, ...rest });
  }

  async ended(): Promise<LogEnd | null> {
    const kept = await this.get(this.keys.end);
    return kept === null ? null : decodeEnd(this.keys.end, fromBase64(kept.value));
  }

  end(at: Revision, end: LogEnd): Promise<boolean> {
    return endLog(this.keys, (transaction) => this.transact(transaction), at, end);
  }

  async head(): Promise<HeadAt | null> {
    const kept = await this.get(this.keys.head);
    return kept === null ? null : this.headOf(kept);
  }

  async append(at: Revision, head: LogHead, batch: LogBatch): Promise<Appended> {
    const { keys } = this;
    const answer = await this.transact({
      compare: [txn.isUnchanged(keys.head, at)],
      success: [
        txn.put(keys.batch(batch.last), encodeBatchValue(batch)),
        txn.put(keys.applied, encodeApplied(batch.appliedUpTo)),
        txn.put(keys.head, encodeHead(head)),
      ],
      failure: [txn.get(keys.head)],
    });
    if (answer.succeeded) return { isAppended: true, at: answer.header.revision };
    const kept = answer.responses?.[0]?.response_range?.kvs?.[0];
    if (kept === undefined) throw new LogDamaged(`${keys.head}: is gone`);
    return { isAppended: false, now: this.headOf(kept) };
  }

  read(from: Seq): Promise<readonly LogBatch[]> {
    return readBatches(this.client, this.keys, from);
  }

  async applied(): Promise<Seq> {
    const kept = await this.get(this.keys.applied);
    return kept === null ? as<Seq>(0) : decodeApplied(this.keys.applied, fromBase64(kept.value));
  }

  async leader(): Promise<Leader | null> {
    const kept = await this.get(this.keys.leader);
    return kept === null ? null : decodeLeader(this.keys.leader, fromBase64(kept.value));
  }

  async handover(): Promise<HandoverAt | null> {
    const key = this.keys.handover;
    const kept = await this.get(key);
    return kept === null ? null : { handover: decodeHandover(key, fromBase64(kept.value)), at: kept.mod_revision };
  }

  async noteBroken(term: Epoch, note: BrokenNote): Promise<boolean> {
    const { client, keys } = this;
    for (;;) {
      const last = await this.handover();
      if (last?.handover.term !== term) return false;
      // No campaign since: whoever still leads is the leader of this term. So it may be done twice.
      const answer = await client.askSafely('kv/txn', {
        compare: [txn.isUnchanged(keys.handover, last.at)],
        success: [txn.put(keys.handover, encodeHandover(withNote(last.handover, note))), txn.delete(keys.leader)],
      });
      if (parseAnswer(txnAnswer, answer).succeeded) return true;
    }
  }

  async campaign(
    at: Revision,
    head: LogHead,
    leader: Leader,
    leaseSeconds: number,
    { handover, after, shortened }: PassedHandover,
  ): Promise<Term | null> {
    const { client, keys } = this;
    const { ID: lease } = parseAnswer(leaseAnswer, await client.askSafely('lease/grant', { TTL: leaseSeconds }));
    let revision: string | null = null;
    try {
      const answer = await this.transact({
        compare: [
          txn.isAbsent(keys.leader),
          txn.isUnchanged(keys.head, at),
          after === null ? txn.isAbsent(keys.handover) : txn.isUnchanged(keys.handover, after),
        ],
        success: [
          txn.deleteFrom(keys.batch(as<Seq>(head.last + 1)), endOf(keys.batches)),
          ...(shortened === null ? [] : [txn.put(keys.batch(shortened.last), encodeBatchValue(shortened))]),
          txn.put(keys.handover, encodeHandover(handover)),
          txn.put(keys.leader, encodeLeader(leader), lease),
          txn.put(keys.head, encodeHead(head)),
        ],
      });
      if (answer.succeeded) ({ revision } = answer.header);
    } catch (error) {
      // The lease ended on the way: as if somebody had been first.
      if (!(error instanceof EtcdRefusal && error.code === etcdCodes.notFound)) throw error;
    } finally {
      // What may have been put under the lease goes with it; if this fails too, when it ends.
      if (revision === null) client.askSafely('lease/revoke', { ID: lease }).catch(() => {});
    }
    return revision === null ? null : new EtcdTerm(client, keys, { leader, lease, at: revision });
  }

  report(node: NodeStatus, leaseSeconds: number): Promise<NodeStatus | null> {
    return this.reports.report(node, leaseSeconds);
  }

  nodes(): Promise<readonly NodeStatus[]> {
    return this.reports.nodes();
  }

  silence(node: string): Promise<number | null> {
    return this.reports.silence(node);
  }

  forget(node: string): Promise<void> {
    return this.reports.forget(node);
  }

  askToStepDown(epoch: Epoch): Promise<void> {
    return askToStepDown(this.client, this.keys, epoch);
  }

  trim(upTo: Seq): Promise<void> {
    return this.space.trim(upTo);
  }

  size(): Promise<LogSize> {
    return this.space.size();
  }

  watch(watcher: LogWatcher): () => void {
    const end = watchEtcd(this.client, this.keys, watcher);
    this.watches.add(end);
    return () => {
      this.watches.delete(end);
      end();
    };
  }

  async close(): Promise<void> {
    for (const end of this.watches) end();
    this.watches.clear();
    this.client.close();
  }

  private headOf({ value, mod_revision }: KeyValue): HeadAt {
    return { head: decodeHead(this.keys.head, fromBase64(value)), at: mod_revision };
  }

  private async get(key: string): Promise<KeyValue | null> {
    const answer = await this.client.askSafely('kv/range', { key: toBase64(key) });
    return parseAnswer(rangeAnswer, answer).kvs?.[0] ?? null;
  }

  private async transact(transaction: object): Promise<ReturnType<typeof txnAnswer.parse>> {
    return parseAnswer(txnAnswer, await this.client.ask('kv/txn', transaction));
  }
}
