import type { NodeStatus } from '#cluster/command-log.ts';
import { LogDamaged } from '#cluster/command-log.ts';
import {
  type KeyValue,
  leaseAnswer,
  leaseLeftAnswer,
  parseAnswer,
  putAnswer,
  rangeAnswer,
} from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { etcdCodes, EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { endOf, type EtcdKeys, fromBase64, textOfBase64, toBase64 } from '#cluster/etcd/etcd-keys.ts';
import { keepLease } from '#cluster/etcd/etcd-term.ts';
import { decodeNode, encodeNode } from '#cluster/etcd/kept-values.ts';

interface ReportLease {
  readonly id: string;
  readonly seconds: number;
}

/** What nodes tell of themselves, each under a lease that its reports prolong. */
export class EtcdReports {
  private readonly client: EtcdClient;
  private readonly keys: EtcdKeys;
  /** Of the reports made here, by the node's name. */
  private readonly leases = new Map<string, ReportLease>();

  constructor(client: EtcdClient, keys: EtcdKeys) {
    this.client = client;
    this.keys = keys;
  }

  async report(node: NodeStatus, leaseSeconds: number): Promise<NodeStatus | null> {
    const [key, value] = [toBase64(this.keys.node(node.node)), toBase64(encodeNode(node))];
    const put = async (): Promise<unknown> => {
      const lease = await this.lease(node.node, leaseSeconds);
      return this.client.askSafely('kv/put', { key, value, lease, prev_kv: true });
    };
    const answer = await put().catch((error: unknown) => {
      if (!(error instanceof EtcdRefusal && error.code === etcdCodes.notFound)) throw error;
      // The lease ended between its prolongation and the report.
      this.leases.delete(node.node);
      return put();
    });
    const before = parseAnswer(putAnswer, answer).prev_kv;
    return before === undefined ? null : nodeOf(before);
  }

  async nodes(): Promise<readonly NodeStatus[]> {
    const { nodes } = this.keys;
    const answer = await this.client.askSafely('kv/range', { key: toBase64(nodes), range_end: toBase64(endOf(nodes)) });
    return (parseAnswer(rangeAnswer, answer).kvs ?? []).flatMap((kept) => nodeOf(kept) ?? []);
  }

  /** A report prolongs its lease: what is left of that tells when it came. */
  async silence(node: string): Promise<number | null> {
    const range = await this.client.askSafely('kv/range', { key: toBase64(this.keys.node(node)) });
    const kept = parseAnswer(rangeAnswer, range).kvs?.[0];
    if (kept === undefined) return null;
    const answer = await this.client.askSafely('lease/timetolive', { ID: kept.lease });
    const { TTL, grantedTTL } = parseAnswer(leaseLeftAnswer, answer);
    // What is left is rounded down.
    return Number(TTL) <= 0 ? null : Math.max(0, Number(grantedTTL) - Number(TTL) - 1);
  }

  async forget(node: string): Promise<void> {
    this.leases.delete(node);
    await this.client.askSafely('kv/deleterange', { key: toBase64(this.keys.node(node)) });
  }

  private async lease(node: string, seconds: number): Promise<string> {
    const kept = this.leases.get(node);
    if (kept?.seconds === seconds && (await keepLease(this.client, kept.id))) return kept.id;
    const { ID: id } = parseAnswer(leaseAnswer, await this.client.askSafely('lease/grant', { TTL: seconds }));
    this.leases.set(node, { id, seconds });
    return id;
  }
}

/** A report as it is kept; `null`: it is damaged, and written anew with the node's next one. */
function nodeOf({ key, value }: KeyValue): NodeStatus | null {
  try {
    return decodeNode(textOfBase64(key), fromBase64(value));
  } catch (error) {
    if (error instanceof LogDamaged) return null;
    throw error;
  }
}
