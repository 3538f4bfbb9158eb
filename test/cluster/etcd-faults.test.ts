import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogDamaged, LogUnreachable, type Revision } from '#cluster/command-log.ts';
import { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { keysOf, toBase64 } from '#cluster/etcd/etcd-keys.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import {
  appendBatches,
  appendUntilDecided,
  batchAfter,
  emptyHead,
  eventually,
  foundation,
  lead,
  numbers,
  readAll,
  RecordingWatcher,
  statusOf,
} from '../ports/log-story.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';

/** Long enough that no lease ends while members are away. */
const leaseSeconds = 120;

describe.skipIf(!hasEtcd)('members of etcd that die, freeze and lie', { timeout: 90_000 }, () => {
  const keys = keysOf('faults');
  let etcd: EtcdMembers;
  let log: CommandLog;
  let client: EtcdClient;
  let at: Revision;
  beforeEach(async () => {
    etcd = await startEtcdMembers();
    log = connect();
    client = new EtcdClient({ endpoints: etcd.endpoints, silenceMs: 5000 });
    await eventually(async () => {
      await log.found(foundation, emptyHead).catch(() => {});
      return (await log.head().catch(() => null)) !== null;
    });
    ({ at } = await lead(log, 'a', leaseSeconds));
  }, 60_000);
  afterEach(async () => {
    await log.close();
    client.close();
    await etcd.stop();
  }, 60_000);

  /** A log whose first member is the one at `first`. */
  const connect = (first = 0): CommandLog =>
    createEtcdLog({
      exchange: 'faults',
      endpoints: [...etcd.endpoints.slice(first), ...etcd.endpoints.slice(0, first)],
    });

  const put = (key: string, value: string): Promise<unknown> =>
    client.askSafely('kv/put', { key: toBase64(key), value: toBase64(value) });

  test.each([0, 1, 2])(
    'DEC-CLU-02: member %i is killed and comes back: appends go on, watchers miss nothing',
    async (which) => {
      const follower = connect(which);
      const watcher = new RecordingWatcher();
      follower.watch(watcher);
      await watcher.until(() => watcher.leaders.length === 1);
      at = await appendBatches(log, at, { after: 0, count: 10 });
      await etcd.members[which]!.kill();
      at = await appendBatches(log, at, { after: 10, count: 10 });
      etcd.members[which]!.start();
      await etcd.ready();
      await appendBatches(log, at, { after: 20, count: 10 });
      await watcher.until(() => watcher.lasts().at(-1) === 30);
      expect(watcher.lasts()).toEqual(numbers(1, 30));
      expect(watcher.interruptions).toBe(0);
      await follower.close();
    },
  );

  test.each([0, 1, 2])('DEC-CLU-02: member %i freezes: appends go on, watchers leave it', async (which) => {
    const follower = connect(which);
    const watcher = new RecordingWatcher();
    follower.watch(watcher);
    await watcher.until(() => watcher.leaders.length === 1);
    at = await appendBatches(log, at, { after: 0, count: 5 });
    await watcher.until(() => watcher.lasts().at(-1) === 5);
    etcd.members[which]!.freeze();
    at = await appendBatches(log, at, { after: 5, count: 5 });
    await watcher.until(() => watcher.lasts().at(-1) === 10);
    etcd.members[which]!.thaw();
    await appendBatches(log, at, { after: 10, count: 5 });
    await watcher.until(() => watcher.lasts().at(-1) === 15);
    expect(watcher.lasts()).toEqual(numbers(1, 15));
    expect(watcher.interruptions).toBe(0);
    await follower.close();
  });

  test('DEC-CLU-05: without a majority nothing is appended, and the same append is decided once it is back', async () => {
    at = await appendBatches(log, at, { after: 0, count: 3 });
    await Promise.all([etcd.members[1]!.kill(), etcd.members[2]!.kill()]);
    const next = batchAfter(3);
    await expect(log.append(at, next.head, next.batch)).rejects.toBeInstanceOf(LogUnreachable);
    await expect(log.head()).rejects.toBeInstanceOf(LogUnreachable);
    const appending = appendUntilDecided(log, at, next);
    etcd.members[1]!.start();
    ({ at } = await appending);
    await appendBatches(log, at, { after: 4, count: 2 });
    const lasts = async (): Promise<readonly number[]> => (await readAll(log)).map(({ last }) => last);
    await eventually(async () => (await lasts().catch(() => [])).length === 6);
    expect(await lasts()).toEqual(numbers(1, 6));
  });

  test('a value that was damaged is named by its key, and watchers go on', async () => {
    await appendBatches(log, at, { after: 0, count: 3 });
    const watcher = new RecordingWatcher();
    log.watch(watcher);
    await watcher.until(() => watcher.leaders.length === 1);
    const head = Buffer.from(JSON.stringify({ epoch: 1, last: 3, hash: '00' })).toString();
    const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
      [keys.head, () => log.head()],
      [keys.foundation, () => log.foundation()],
      [keys.leader, () => log.leader()],
      [keys.applied, () => log.applied()],
    ];
    for (const value of ['', 'damaged', `1 00000000 ${head}`, '2 00000000 {}', `1 e2d6a9a1 ${head}`, '\0\xff']) {
      for (const [key, read] of reads) {
        await put(key, value);
        const error = await read().then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(LogDamaged);
        expect((error as Error).message).toContain(key);
      }
    }
    await put(`${keys.nodes}x`, 'damaged');
    await log.report(statusOf('y'), 60);
    expect(await log.nodes()).toEqual([statusOf('y')]);
    for (const value of ['', 'x', '\x01', '\x01\0\0\0\0', 'z'.repeat(100)]) {
      const { interruptions } = watcher;
      await put(keys.batch(as<Seq>(2)), value);
      await watcher.until(() => watcher.interruptions > interruptions);
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 3]);
    }
    await put(`${keys.batches}somewhere`, 'else');
    expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 3]);
  });
});
