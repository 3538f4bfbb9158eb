import type { Epoch, Seq } from '#model/units.ts';
import { LogDamaged, type Leader, type Revision, type Term } from '#cluster/command-log.ts';
import { keepAliveAnswer, leaseAnswer, parseAnswer, rangeAnswer } from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { type EtcdKeys, fromBase64, toBase64, txn } from '#cluster/etcd/etcd-keys.ts';
import { etcdCodes, EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { decodeStepDown, encodeApplied, encodeStepDown } from '#cluster/etcd/kept-values.ts';

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

/** So long a leader may take to see that it was asked to end its term. */
const askedSeconds = 15;

/** As `CommandLog.askToStepDown`. */
export async function askToStepDown(client: EtcdClient, keys: EtcdKeys, epoch: Epoch): Promise<void> {
  const { ID: lease } = parseAnswer(leaseAnswer, await client.askSafely('lease/grant', { TTL: askedSeconds }));
  await client.askSafely('kv/put', { key: toBase64(keys.stepDown), value: toBase64(encodeStepDown(epoch)), lease });
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

  async isAskedToEnd(): Promise<boolean> {
    const { stepDown } = this.keys;
    const answer = await this.client.askSafely('kv/range', { key: toBase64(stepDown) });
    const kept = parseAnswer(rangeAnswer, answer).kvs?.[0];
    try {
      return kept !== undefined && decodeStepDown(stepDown, fromBase64(kept.value)) === this.leader.epoch;
    } catch (error) {
      if (error instanceof LogDamaged) return false;
      throw error;
    }
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
