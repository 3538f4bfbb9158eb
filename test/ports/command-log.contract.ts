import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogUnreachable, type Revision } from '#cluster/command-log.ts';
import {
  appendBatches,
  appendUntilDecided,
  batchAfter,
  campaign,
  emptyHead,
  eventually,
  foundation,
  headOf,
  lead,
  leaderOf,
  noteAt,
  numbers,
  passingOf,
  readAll,
  RecordingWatcher,
  statusOf,
} from './log-story.ts';

/** A node whose connection to the quorum fails when it is told to. */
export interface FaultyConnection {
  readonly log: CommandLog;
  /** The next appends or campaigns are done, and their answers lost. */
  loseAnswers(count: number): void;
  /** Nothing goes through until `heal`. */
  cut(): void;
  heal(): void;
  /** What changed while the node was cut off cannot be told it any more. */
  forgetChanges(): Promise<void>;
}

/** An adapter under test: connections to one log that is new. */
export interface CommandLogHarness {
  connect(): CommandLog;
  connectFaulty(): Promise<FaultyConnection>;
  /** Makes the kept batch that ends at `last` unreadable. */
  damageBatch(last: Seq): Promise<void>;
  /** Another log, new and with place for a few megabytes. */
  connectSmall(): Promise<CommandLog>;
  cleanUp(): Promise<void>;
}

/** What every command log promises, whatever keeps it. */
export function describeCommandLog(name: string, makeHarness: () => Promise<CommandLogHarness>): void {
  describe(`command log contract: ${name}`, () => {
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

    test('a log is founded once', async () => {
      expect(await log.foundation()).toBeNull();
      expect(await log.head()).toBeNull();
      const tries = await Promise.all([log, other].map((one) => one.found(foundation, emptyHead)));
      expect(tries.toSorted()).toEqual([false, true]);
      expect(await other.found({ ...foundation, profile: 'another' }, { ...emptyHead, last: as<Seq>(5) })).toBe(false);
      expect(await other.foundation()).toEqual(foundation);
      expect((await headOf(other)).head).toEqual(emptyHead);
      expect(await log.read(as<Seq>(1))).toEqual([]);
      expect(await log.applied()).toBe(0);
      expect(await log.leader()).toBeNull();
    });

    test('DEC-CLU-02: batches come back in order and byte for byte, from any position', async () => {
      const { at } = await begin();
      const appended = [batchAfter(0, { count: 3 }), batchAfter(3, { count: 1, size: 0 }), batchAfter(4, { count: 9 })];
      let now: Revision = at;
      for (const { head, batch } of appended) {
        const answer = await log.append(now, head, batch);
        if (!answer.isAppended) throw new Error('refused');
        now = answer.at;
      }
      const batches = appended.map(({ batch }) => batch);
      expect(await headOf(other)).toEqual({ head: appended[2]!.head, at: now });
      const plain = (await other.read(as<Seq>(1))).map((batch) => ({ ...batch, bytes: Uint8Array.from(batch.bytes) }));
      expect(plain).toEqual(batches);
      const lasts = async (from: number) => (await other.read(as<Seq>(from))).map(({ last }) => last);
      expect(await lasts(3)).toEqual([3, 4, 13]);
      expect(await lasts(4)).toEqual([4, 13]);
      expect(await lasts(6)).toEqual([13]);
      expect(await lasts(13)).toEqual([13]);
      expect(await lasts(14)).toEqual([]);
    });

    test('bytes of a batch belong to the caller again once it is appended', async () => {
      const { at } = await begin();
      const { head, batch } = batchAfter(0);
      const expected = batch.bytes.slice();
      const appending = log.append(at, head, batch);
      await appending;
      batch.bytes.fill(0);
      expect(Uint8Array.from((await other.read(as<Seq>(1)))[0]!.bytes)).toEqual(expected);
    });

    test('DEC-CLU-02: an append that names an older head is refused and changes nothing', async () => {
      const { at } = await begin();
      const first = batchAfter(0);
      const second = batchAfter(0, { count: 2, size: 50 });
      const answers = await Promise.all([
        log.append(at, first.head, first.batch),
        other.append(at, second.head, second.batch),
      ]);
      expect(answers.filter(({ isAppended }) => isAppended)).toHaveLength(1);
      const won = answers[0]!.isAppended ? first : second;
      const refused = answers.find(({ isAppended }) => !isAppended);
      expect(refused).toEqual({ isAppended: false, now: await headOf(log) });
      expect((await headOf(log)).head).toEqual(won.head);
      expect((await readAll(log)).map(({ last }) => last)).toEqual([won.batch.last]);
    });

    test('DEC-CLU-03: a leader that slept is refused after another began', async () => {
      const old = await begin('old', 1);
      const at = await appendBatches(log, old.at, { after: 0, count: 3 });
      await eventually(async () => (await other.leader()) === null);
      expect(await old.keepAlive()).toBe(false);
      const term = await lead(other, 'new');
      expect(await log.leader()).toEqual(leaderOf('new', 2));
      const late = batchAfter(3);
      const answer = await log.append(at, late.head, late.batch);
      expect(answer).toEqual({ isAppended: false, now: { head: { ...batchAfter(2).head, epoch: 2 }, at: term.at } });
      await old.publishApplied(as<Seq>(999));
      expect(await other.applied()).toBe(2);
      await old.resign();
      expect(await other.leader()).toEqual(leaderOf('new', 2));
      await appendBatches(other, term.at, { after: 3, count: 1, epoch: 2 });
      expect((await readAll(log)).map(({ last, epoch }) => [last, epoch])).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 2],
      ]);
    });

    test('DEC-CLU-03: of ten nodes that campaign at once one wins', async () => {
      await log.found(foundation, emptyHead);
      const nodes = Array.from({ length: 10 }, () => harness.connect());
      const terms = await Promise.all(nodes.map((node, index) => campaign(node, `n${index}`)));
      const winners = terms.filter((term) => term !== null);
      expect(winners).toHaveLength(1);
      expect(await log.leader()).toEqual(winners[0]!.leader);
      expect(await headOf(log)).toEqual({ head: { ...emptyHead, epoch: 1 }, at: winners[0]!.at });
      await Promise.all(nodes.map((node) => node.close()));
    });

    test('nobody begins a term on a head that has moved', async () => {
      const term = await begin();
      await term.resign();
      const { head } = await headOf(log);
      const again = { ...head, epoch: as<Epoch>(2) };
      const passing = await passingOf(log, leaderOf('b', 2));
      expect(await other.campaign((await headOf(log)).at, again, leaderOf('b', 2), 60, passing)).not.toBeNull();
      const theirs = await passingOf(log, leaderOf('c', 2));
      expect(await log.campaign(term.at, again, leaderOf('c', 2), 60, theirs)).toBeNull();
    });

    test('a lease that is kept alive lasts, and one that is not ends', async () => {
      const term = await begin('a', 1);
      const watcher = new RecordingWatcher();
      const end = other.watch(watcher);
      for (let beat = 0; beat < 8; beat += 1) {
        expect(await term.keepAlive()).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(await other.leader()).toEqual(term.leader);
      await watcher.until(() => watcher.leaders.at(-1) === null);
      expect(watcher.leaders).toEqual(['a', null]);
      end();
      expect(await term.keepAlive()).toBe(false);
    });

    test('a term that is resigned ends at once', async () => {
      const term = await begin();
      await term.resign();
      expect(await log.leader()).toBeNull();
      expect(await term.keepAlive()).toBe(false);
      await term.resign();
      await lead(other, 'b');
    });

    test('a term that begins before the end of the log deletes what follows', async () => {
      const first = await begin();
      await appendBatches(log, first.at, { after: 0, count: 5 });
      await first.resign();
      const { at } = await headOf(log);
      const head = { ...batchAfter(2).head, epoch: as<Epoch>(2) };
      const term = await other.campaign(at, head, leaderOf('b', 2), 60, await passingOf(log, leaderOf('b', 2)));
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 3]);
      await appendBatches(other, term!.at, { after: 3, count: 1, epoch: 2 });
      expect((await readAll(log)).map(({ last, epoch }) => [last, epoch])).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 2],
      ]);
    });

    test('DEC-CLU-02: 200 appends whose answers are lost are each there once', { timeout: 60_000 }, async () => {
      await log.found(foundation, emptyHead);
      const { log: faulty, loseAnswers } = await harness.connectFaulty();
      let { at } = await lead(faulty, 'a');
      let repeated = 0;
      for (let after = 0; after < 200; after += 1) {
        loseAnswers(after % 10 === 9 ? 2 : 1);
        const decided = await appendUntilDecided(faulty, at, batchAfter(after));
        at = decided.at;
        if (decided.tries > 1) repeated += 1;
      }
      expect(repeated).toBe(200);
      expect((await readAll(log)).map(({ last }) => last)).toEqual(numbers(1, 200));
      expect(await headOf(log)).toEqual({ head: batchAfter(199).head, at });
      await faulty.close();
    });

    test('a campaign whose answer is lost ends with its lease', async () => {
      await log.found(foundation, emptyHead);
      const { log: faulty, loseAnswers } = await harness.connectFaulty();
      loseAnswers(1);
      await expect(campaign(faulty, 'a', 1)).rejects.toBeInstanceOf(LogUnreachable);
      expect((await headOf(log)).head.epoch).toBe(1);
      await eventually(async () => (await log.leader()) === null);
      const term = await lead(other, 'b');
      expect(term.leader.epoch).toBe(2);
      await faulty.close();
    });

    test('whoever is cut off is told so by every call', async () => {
      const term = await begin();
      const { log: faulty, cut, heal } = await harness.connectFaulty();
      expect((await headOf(faulty)).at).toBe(term.at);
      cut();
      const { head, batch } = batchAfter(0);
      const passing = await passingOf(log, leaderOf('b', 2));
      const calls: (() => Promise<unknown>)[] = [
        () => faulty.head(),
        () => faulty.foundation(),
        () => faulty.leader(),
        () => faulty.applied(),
        () => faulty.nodes(),
        () => faulty.read(as<Seq>(1)),
        () => faulty.size(),
        () => faulty.trim(as<Seq>(1)),
        () => faulty.report(statusOf('a'), 10),
        () => faulty.append(term.at, head, batch),
        () => faulty.handover(),
        () => faulty.noteBroken(as<Epoch>(1), noteAt(1)),
        () => faulty.campaign(term.at, head, leaderOf('b', 2), 10, passing),
      ];
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(LogUnreachable);
      heal();
      await eventually(async () => (await faulty.head().catch(() => null)) !== null);
      expect(await headOf(faulty)).toEqual({ head: { ...emptyHead, epoch: 1 }, at: term.at });
      await faulty.close();
    });
  });
}
