import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type LogSize, LogUnreachable } from '#cluster/command-log.ts';
import { alarmAnswer, headerAnswer, parseAnswer, statusAnswer } from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient, Patience } from '#cluster/etcd/etcd-client.ts';
import { etcdCodes, EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { type EtcdKeys, toBase64 } from '#cluster/etcd/etcd-keys.ts';

type Status = ReturnType<typeof statusAnswer.parse>;

/** Compacting and defragmenting take a member a while; it answers nothing else meanwhile. */
const patience: Patience = { silenceMs: 30_000, totalMs: 60_000 };

/**
 * Space of the log in etcd. Deleting frees none: etcd keeps each value that a key ever had until it is told to forget
 * them, and the head gets a new one with each append. Once it ran full, its files have to shrink too before it takes
 * anything again.
 */
export class EtcdSpace {
  private readonly client: EtcdClient;
  private readonly keys: EtcdKeys;
  private readonly most: number;
  /** Revision of the last trim: older values go with the next one, so that whoever watches may lag until then. */
  private trimmedAt: string | null = null;

  constructor(client: EtcdClient, keys: EtcdKeys, most: number) {
    this.client = client;
    this.keys = keys;
    this.most = most;
  }

  /** As of the writes before: etcd counts freed space with the next ones. */
  async size(): Promise<LogSize> {
    const status = await this.status();
    return { bytes: Number(status.dbSizeInUse), most: this.most, isFull: hasNoSpace(status) };
  }

  async trim(upTo: Seq): Promise<void> {
    const range = { key: toBase64(this.keys.batches), range_end: toBase64(this.keys.batch(as<Seq>(upTo + 1))) };
    const { header } = parseAnswer(headerAnswer, await this.client.askSafely('kv/deleterange', range));
    const status = await this.status();
    if (hasNoSpace(status)) {
      await this.compact(header.revision, true);
      await this.shrinkFiles();
    } else if (this.trimmedAt !== null) {
      await this.compact(this.trimmedAt, false);
    }
    this.trimmedAt = header.revision;
  }

  private async status(): Promise<Status> {
    return parseAnswer(statusAnswer, await this.client.askSafely('maintenance/status', {}));
  }

  /** Forgets older values. `physical`: waits until their space is free. */
  private async compact(revision: string, physical: boolean): Promise<void> {
    try {
      await this.client.askSafely('kv/compaction', { revision, physical }, patience);
    } catch (error) {
      // Another node did it already.
      if (!(error instanceof EtcdRefusal && error.code === etcdCodes.outOfRange)) throw error;
    }
  }

  /** Shrinks the files of one member after the other, and ends the alarm. */
  private async shrinkFiles(): Promise<void> {
    for (let endpoint = 0; endpoint < this.client.endpointCount; endpoint += 1) {
      await this.client.askAt(endpoint, 'maintenance/defragment', '{}', patience).catch(unlessUnreachable);
    }
    const answer = await this.client.askSafely('maintenance/alarm', { action: 'GET' });
    for (const { memberID, alarm } of parseAnswer(alarmAnswer, answer).alarms ?? []) {
      if (alarm === 'NOSPACE')
        await this.client.askSafely('maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm });
    }
  }
}

/** Whether a member raised the alarm of its space: all refuse writes then. */
const hasNoSpace = ({ errors }: Status): boolean => errors?.some((text) => text.includes('NOSPACE')) ?? false;

/** A member that is gone raises the alarm anew once it is back, and is shrunk then. */
function unlessUnreachable(error: unknown): void {
  if (!(error instanceof LogUnreachable)) throw error;
}
