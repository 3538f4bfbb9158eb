import type { Seq } from '#model/units.ts';
import type { Leader, Revision, Term } from '#cluster/command-log.ts';
import { keepAliveAnswer, parseAnswer } from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { type EtcdKeys, txn } from '#cluster/etcd/etcd-keys.ts';
import { etcdCodes, EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { encodeApplied } from '#cluster/etcd/kept-values.ts';

interface TermBegun {
  readonly leader: Leader;
  /** Id of the lease under which the leader's key stands. */
  readonly lease: string;
  /** Revision of the transaction that began the term: the leader's key was created at it. */
  readonly at: Revision;
}

/** Prolongs a lease. Answers false where it has ended. @throws LogUnreachable */
export async function keepLease(client: EtcdClient, lease: string): Promise<boolean> {
  const answer = await client.askSafely('lease/keepalive', { ID: lease });
  return parseAnswer(keepAliveAnswer, answer).result.TTL !== '0';
}

/** A term in etcd. */
export class EtcdTerm implements Term {
  readonly leader: Leader;
  readonly at: Revision;
  private readonly client: EtcdClient;
  private readonly keys: EtcdKeys;
  private readonly lease: string;

  constructor(client: EtcdClient, keys: EtcdKeys, { leader, lease, at }: TermBegun) {
    this.leader = leader;
    this.at = at;
    this.client = client;
    this.keys = keys;
    this.lease = lease;
  }

  keepAlive(): Promise<boolean> {
    return keepLease(this.client, this.lease);
  }

  async publishApplied(upTo: Seq): Promise<void> {
    const { keys } = this;
    await this.client.ask('kv/txn', {
      compare: [txn.wasCreatedAt(keys.leader, this.at)],
      success: [txn.put(keys.applied, encodeApplied(upTo))],
    });
  }

  async resign(): Promise<void> {
    try {
      await this.client.askSafely('lease/revoke', { ID: this.lease });
    } catch (error) {
      // It had ended already.
      if (!(error instanceof EtcdRefusal && error.code === etcdCodes.notFound)) throw error;
    }
  }
}
