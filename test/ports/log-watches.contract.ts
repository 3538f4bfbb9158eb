import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogFull } from '#cluster/command-log.ts';
import type { CommandLogHarness } from './command-log.contract.ts';
import {
  appendBatches,
  batchAfter,
  emptyHead,
  eventually,
  foundation,
  headOf,
  lead,
  numbers,
  readAll,
  RecordingWatcher,
  statusOf,
} from './log-story.ts';

/** What every command log promises to who watches it, and of its space. */
export function describeLogWatches(name: string, makeHarness: () => Promise<CommandLogHarness>): void {
  describe(`command log contract, watches and space: ${name}`, () => {
    let harness: CommandLogHarness;
    let log: CommandLog;
    let other: CommandLog;
    beforeEach(async () => {
      harness = await makeHarness();
      [log, other] = [harness.connect(), harness.connect()];
    });
    afterEach(async () => {
      await Promise.all([log.close(), other.close()]);
      await harness.cleanUp();
    });
    const begin = async (node = 'a', leaseSeconds?: number) => {
      await log.found(foundation, emptyHead);
      return await lead(log, node, leaseSeconds);
    };

    test('watchers hear of leaders, batches and what is applied, in order', async () => {
      await log.found(foundation, emptyHead);
      const watcher = new RecordingWatcher();
      const end = other.watch(watcher);
      await watcher.until(() => watcher.leaders.length === 1);
      const term = await lead(log, 'a');
      await appendBatches(log, term.at, { after: 0, count: 100 });
      await term.publishApplied(as<Seq>(100));
      await watcher.until(() => watcher.appliedUpTo === 100);
      expect(await other.applied()).toBe(100);
      await term.resign();
      await watcher.until(() => watcher.leaders.length === 3);
      expect(watcher.leaders).toEqual([null, 'a', null]);
      expect(watcher.lasts()).toEqual(numbers(1, 100));
      expect(watcher.batches.map(({ bytes }) => Uint8Array.from(bytes))).toEqual(
        numbers(0, 99).map((after) => batchAfter(after).batch.bytes),
      );
      expect(watcher.interruptions).toBe(0);
      end();
      const second = await lead(log, 'b');
      await appendBatches(log, second.at, { after: 100, count: 1, epoch: 2 });
      const later = new RecordingWatcher();
      other.watch(later);
      await later.until(() => later.leaders.length === 1);
      expect(later.leaders).toEqual(['b']);
      expect(watcher.batches).toHaveLength(100);
    });

    test('a watcher that was cut off misses nothing', async () => {
      const term = await begin();
      const { log: faulty, cut, heal } = await harness.connectFaulty();
      const watcher = new RecordingWatcher();
      faulty.watch(watcher);
      await watcher.until(() => watcher.leaders.length === 1);
      let at = await appendBatches(log, term.at, { after: 0, count: 3 });
      for (let after = 3; after < 30; after += 9) {
        await eventually(async () => watcher.batches.length > 0 || (await log.head()) === null);
        cut();
        at = await appendBatches(log, at, { after, count: 4 });
        heal();
        at = await appendBatches(log, at, { after: after + 4, count: 5 });
        await watcher.until(() => watcher.lasts().at(-1) === after + 9);
      }
      const lasts = watcher.lasts();
      expect(lasts).toEqual(numbers(lasts[0]!, 30));
      expect(watcher.interruptions).toBe(0);
      await faulty.close();
    });

    test('a watcher that has missed changes is told so, and goes on', async () => {
      const term = await begin();
      const { log: faulty, cut, heal, forgetChanges } = await harness.connectFaulty();
      const watcher = new RecordingWatcher();
      faulty.watch(watcher);
      await watcher.until(() => watcher.leaders.length === 1);
      let at = await appendBatches(log, term.at, { after: 0, count: 3 });
      await watcher.until(() => watcher.lasts().at(-1) === 3);
      cut();
      at = await appendBatches(log, at, { after: 3, count: 3 });
      await forgetChanges();
      heal();
      await watcher.until(() => watcher.interruptions > 0 && watcher.leaders.length === 2);
      expect(watcher.leaders).toEqual(['a', 'a']);
      expect((await readAll(other, 4)).map(({ last }) => last)).toEqual([4, 5, 6]);
      await appendBatches(log, at, { after: 6, count: 3 });
      await watcher.until(() => watcher.lasts().at(-1) === 9);
      expect(watcher.interruptions).toBe(1);
      await faulty.close();
    });

    test('a long log is read in pages of some megabytes', { timeout: 60_000 }, async () => {
      const term = await begin();
      let { at } = term;
      at = await appendBatches(log, at, { after: 0, count: 150, size: 150 });
      at = await appendBatches(log, at, { after: 150, count: 30, size: 400_000 });
      at = await appendBatches(log, at, { after: 180, count: 50, size: 150 });
      const pages: number[] = [];
      let next = 1;
      for (;;) {
        const page = await other.read(as<Seq>(next));
        if (page.length === 0) break;
        expect(page.map(({ last }) => last)).toEqual(numbers(next, next + page.length - 1));
        pages.push(page.reduce((sum, { bytes }) => sum + bytes.length, 0));
        next += page.length;
      }
      expect(next).toBe(231);
      expect(Math.max(...pages)).toBeLessThan(8 << 20);
      expect((await headOf(other)).at).toBe(at);
    });

    test('a batch that was damaged is left out, and watchers are told to read', async () => {
      const term = await begin();
      const watcher = new RecordingWatcher();
      other.watch(watcher);
      await watcher.until(() => watcher.leaders.length === 1);
      const at = await appendBatches(log, term.at, { after: 0, count: 5 });
      await watcher.until(() => watcher.batches.length === 5);
      await harness.damageBatch(as<Seq>(3));
      await watcher.until(() => watcher.interruptions === 1);
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 4, 5]);
      expect((await readAll(log, 3)).map(({ last }) => last)).toEqual([4, 5]);
      await appendBatches(log, at, { after: 5, count: 1 });
      await watcher.until(() => watcher.lasts().at(-1) === 6);
    });

    test('batches are trimmed from the front, whole ones only', async () => {
      const term = await begin();
      const first = batchAfter(0, { count: 10 });
      const answer = await log.append(term.at, first.head, first.batch);
      if (!answer.isAppended) throw new Error('refused');
      const at = await appendBatches(log, answer.at, { after: 10, count: 10 });
      await other.trim(as<Seq>(9));
      expect((await readAll(log)).map(({ last }) => last)).toEqual([10, ...numbers(11, 20)]);
      await other.trim(as<Seq>(15));
      expect((await readAll(log)).map(({ last }) => last)).toEqual(numbers(16, 20));
      await other.trim(as<Seq>(20));
      await other.trim(as<Seq>(20));
      expect(await readAll(log)).toEqual([]);
      expect((await headOf(log)).at).toBe(at);
      await appendBatches(log, at, { after: 20, count: 2 });
      expect((await readAll(log)).map(({ last }) => last)).toEqual([21, 22]);
      expect(await log.leader()).toEqual(term.leader);
    });

    test('the size falls when batches are trimmed', async () => {
      const term = await begin();
      await appendBatches(log, term.at, { after: 0, count: 30, size: 100_000 });
      // Other logs of the same etcd may free what they dropped at any time: only these batches are sure to count.
      const full = await log.size();
      expect(full.most).toBeGreaterThan(full.bytes);
      expect(full.bytes).toBeGreaterThan(2_500_000);
      await eventually(async () => {
        await log.trim(as<Seq>(30));
        // What etcd tells of its size is as of its last writes.
        await log.report(statusOf('a'), 60);
        return (await log.size()).bytes < full.bytes - 2_000_000;
      });
    });

    test('DEC-CLU-02: a full log refuses, and takes appends again once it is trimmed', {
      timeout: 60_000,
    }, async () => {
      const small = await harness.connectSmall();
      await small.found(foundation, emptyHead);
      const term = await lead(small, 'a');
      let { at } = term;
      let after = 0;
      for (;;) {
        const { head, batch } = batchAfter(after, { size: 200_000 });
        const before = await headOf(small);
        try {
          const answer = await small.append(at, head, batch);
          if (!answer.isAppended) throw new Error('refused');
          ({ at } = answer);
          after += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(LogFull);
          expect(await headOf(small)).toEqual(before);
          await eventually(async () => (await small.size()).isFull);
          break;
        }
      }
      expect(after).toBeGreaterThan(3);
      expect((await readAll(small)).map(({ last }) => last)).toEqual(numbers(1, after));
      expect(await term.keepAlive()).toBe(true);
      await small.trim(as<Seq>(after));
      expect((await small.size()).isFull).toBe(false);
      at = await appendBatches(small, at, { after, count: 5, size: 200_000 });
      expect((await readAll(small)).map(({ last }) => last)).toEqual(numbers(after + 1, after + 5));
      await term.resign();
      await lead(small, 'b');
      await small.report(statusOf('b'), 10);
      await small.close();
    });

    test('nodes are known for as long as they report', async () => {
      await log.report(statusOf('b', 5), 60);
      await other.report(statusOf('a', 3), 1);
      expect(await log.nodes()).toEqual([statusOf('a', 3), statusOf('b', 5)]);
      await log.report(statusOf('b', 6), 60);
      await eventually(async () => (await log.nodes()).length === 1);
      expect(await other.nodes()).toEqual([statusOf('b', 6)]);
      await other.report(statusOf('a', 4), 1);
      expect(await log.nodes()).toEqual([statusOf('a', 4), statusOf('b', 6)]);
      await eventually(async () => (await log.nodes()).length === 1);
    });
  });
}
