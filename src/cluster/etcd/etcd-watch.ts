import { machineTimer } from '#base/clock.ts';
import type { LogWatcher } from '#cluster/command-log.ts';
import { LogDamaged, LogUnreachable } from '#cluster/command-log.ts';
import { type KeyValue, parseAnswer, rangeAnswer, txnAnswer, watchAnswer } from '#cluster/etcd/etcd-answers.ts';
import type { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { endOf, type EtcdKeys, fromBase64, textOfBase64, toBase64, txn } from '#cluster/etcd/etcd-keys.ts';
import { decodeApplied, decodeLeader } from '#cluster/etcd/kept-values.ts';
import { batchOf } from '#cluster/etcd/read-batches.ts';

/** A stream that is silent for so long is looked after. */
const checkMs = 500;
/** How long the member of a silent stream may take to answer. */
const probePatience = { silenceMs: 700, totalMs: 700 };
/** Pause before the next stream, after one that brought nothing. */
const pauseMs = 100;

/** A change was not told for another reason than the connection. */
class ChangesLost extends Error {}

/**
 * Watches the keys of one exchange through one stream. One that breaks goes on with the next member from the change
 * that was seen last, so nothing is missed; only where etcd has forgotten those changes, its reader is told that it was
 * interrupted. Answers what ends it.
 */
export function watchEtcd(client: EtcdClient, keys: EtcdKeys, watcher: LogWatcher): () => void {
  const watch = new EtcdWatch(client, keys, watcher);
  void watch.run();
  return () => watch.end();
}

class EtcdWatch {
  private readonly client: EtcdClient;
  private readonly keys: EtcdKeys;
  private readonly watcher: LogWatcher;
  private isEnded = false;
  /** Revision that the next stream begins with; `null`: with the newest. */
  private from: number | null = null;
  /** Changes of that revision that were told already, by their keys. */
  private readonly told = new Set<string>();
  /** Revision at which the leader who was told last was put; `null`: nobody leads. */
  private leaderPut: string | null = null;
  private isFirst = true;
  /** Ends the stream that is open. */
  private breakOff: (error: Error) => void = () => {};
  /** Counts what the stream brought, to see that it is silent. */
  private answers = 0;

  constructor(client: EtcdClient, keys: EtcdKeys, watcher: LogWatcher) {
    this.client = client;
    this.keys = keys;
    this.watcher = watcher;
  }

  end(): void {
    this.isEnded = true;
    this.breakOff(new LogUnreachable('the watch has ended'));
  }

  async run(): Promise<void> {
    for (let endpoint = this.client.preferred; !this.isEnded; endpoint = (endpoint + 1) % this.client.endpointCount) {
      const { answers } = this;
      try {
        if (this.from === null) await this.begin();
        if (!this.isEnded) await this.follow(endpoint);
      } catch (error) {
        if (error instanceof ChangesLost) this.from = null;
      }
      if (!this.isEnded && this.answers <= answers + 1) await new Promise<void>((go) => void machineTimer(pauseMs, go));
    }
  }

  /** Tells who leads, and goes on from there. */
  private async begin(): Promise<void> {
    const answer = await this.client.askSafely('kv/range', { key: toBase64(this.keys.leader) });
    const { header, kvs } = parseAnswer(rangeAnswer, answer);
    if (this.isEnded) return;
    if (!this.isFirst) this.watcher.interrupted();
    this.isFirst = false;
    this.tellLeader(kvs?.[0] ?? null);
    this.from = Number(header.revision) + 1;
    this.told.clear();
  }

  /** Resolves never: rejects with what ended the stream. */
  private follow(endpoint: number): Promise<never> {
    return new Promise((_, reject) => {
      const range = { key: toBase64(this.keys.prefix), range_end: toBase64(endOf(this.keys.prefix)) };
      const request = { create_request: { ...range, start_revision: this.from, fragment: true } };
      let stopChecks = (): void => {};
      let close = (): void => {};
      this.breakOff = (error) => {
        stopChecks();
        close();
        reject(error);
      };
      const { breakOff } = this;
      close = this.client.openStream(endpoint, 'watch', request, {
        ended: breakOff,
        line: (text) => {
          try {
            this.hear(text);
          } catch (error) {
            breakOff(error as Error);
          }
        },
      });
      stopChecks = this.checkSilence(endpoint, breakOff);
    });
  }

  private hear(text: string): void {
    this.answers += 1;
    const { result, error } = parseAnswer(watchAnswer, parseJson(text));
    if (result === undefined) throw new LogUnreachable(`etcd ended the watch: ${error?.message ?? 'without a reason'}`);
    for (const { type, kv } of result.events ?? []) this.change(type, kv);
    if (!result.canceled) return;
    if (result.compact_revision !== '0') throw new ChangesLost();
    throw new LogUnreachable(`etcd ended the watch: ${result.cancel_reason}`);
  }

  private change(type: string, kv: KeyValue): void {
    const revision = Number(kv.mod_revision);
    if (this.from === null || revision < this.from) return;
    if (revision > this.from) {
      this.from = revision;
      this.told.clear();
    }
    if (this.told.has(kv.key) || this.isEnded) return;
    this.told.add(kv.key);
    this.tell(type, kv);
  }

  private tell(type: string, kv: KeyValue): void {
    const { keys, watcher } = this;
    const key = textOfBase64(kv.key);
    if (key === keys.leader) this.tellLeader(type === 'DELETE' ? null : kv);
    if (type === 'DELETE') return;
    if (key.startsWith(keys.batches)) {
      const batch = batchOf(kv);
      if (batch === null) watcher.interrupted();
      else watcher.batch(batch);
    } else if (key === keys.applied) {
      this.unlessDamaged(() => watcher.applied(decodeApplied(key, fromBase64(kv.value))));
    }
  }

  private tellLeader(kv: KeyValue | null): void {
    this.leaderPut = kv?.mod_revision ?? null;
    this.unlessDamaged(() =>
      this.watcher.leader(kv === null ? null : decodeLeader(this.keys.leader, fromBase64(kv.value))),
    );
  }

  private unlessDamaged(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.watcher.interrupted();
    }
  }

  /**
   * A frozen or cut off member keeps its streams open and says nothing. So while one is silent, its member has to
   * answer what the quorum knows; if the stream misses some of that at two checks in a row, it is no good.
   */
  private checkSilence(endpoint: number, breakOff: (error: Error) => void): () => void {
    let isOver = false;
    let stopTimer = (): void => {};
    let missing = 0;
    let { answers } = this;
    const check = async (): Promise<void> => {
      const isSilent = this.answers === answers;
      ({ answers } = this);
      try {
        const isMissing = isSilent && (await this.isMissing(endpoint)) && this.answers === answers;
        missing = isMissing ? missing + 1 : 0;
        if (missing > 1) throw new LogUnreachable('the stream misses changes');
      } catch (error) {
        if (!isOver) breakOff(error as Error);
        return;
      }
      if (!isOver) stopTimer = machineTimer(checkMs, check);
    };
    stopTimer = machineTimer(checkMs, check);
    return () => {
      isOver = true;
      stopTimer();
    };
  }

  /** Whether the quorum has changes that the stream did not bring. @throws LogUnreachable */
  private async isMissing(endpoint: number): Promise<boolean> {
    const { keys } = this;
    const reads = JSON.stringify({ success: [keys.leader, keys.head, keys.applied].map(txn.get) });
    const answer = parseAnswer(txnAnswer, await this.client.askAt(endpoint, 'kv/txn', reads, probePatience));
    const [leader, head, applied] = (answer.responses ?? []).map(({ response_range }) => response_range?.kvs?.[0]);
    const from = this.from ?? 0;
    // Changes of the revision `from` itself have been told, unless the stream has only begun with it.
    const isNewer = (kv: KeyValue | undefined): boolean =>
      kv !== undefined &&
      (Number(kv.mod_revision) > from || (Number(kv.mod_revision) === from && this.told.size === 0));
    return (leader?.mod_revision ?? null) !== this.leaderPut || isNewer(head) || isNewer(applied);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LogUnreachable('etcd answered what is not JSON');
  }
}
