import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandLog, HandoverAt } from '#cluster/command-log.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { handoverOf } from '#cluster/handover.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLogHarness } from './command-log.contract.ts';
import {
  appendBatches,
  batchAfter,
  emptyHead,
  foundation,
  headOf,
  lead,
  leaderOf,
  noteAt,
  passingOf,
  readAll,
  RecordingWatcher,
} from './log-story.ts';

const first = as<Epoch>(1);

/** What every command log promises of what one term leaves to the next. */
export function describeLogHandovers(name: string, makeHarness: () => Promise<CommandLogHarness>): void {
  describe(`handovers of a command log: ${name}`, () => {
    let harness: CommandLogHarness;
    let log: CommandLog;
    let other: CommandLog;
    beforeEach(async () => {
      harness = await makeHarness();
      [log, other] = [harness.connect(), harness.connect()];
      await log.found(foundation, emptyHead);
    });
    afterEach(async () => {
      await Promise.all([log.close(), other.close()]);
      await harness.cleanUp();
    });
    const passed = async (from: CommandLog = other): Promise<HandoverAt> => (await from.handover())!;

    test('DEC-CLU-11: each term hands over, and there is nothing before the first', async () => {
      expect(await other.handover()).toBeNull();
      const term = await lead(log, 'a');
      const { handover } = await passed();
      expect(handover).toEqual(handoverOf(null, term.leader, as<Seq>(0), []));
      await term.resign();
      await lead(other, 'b');
      expect((await passed(log)).handover.term).toBe(2);
    });

    test('DEC-CLU-11: a note about a broken entry ends the term, comes back as it was, and may be repeated', async () => {
      await lead(log, 'a');
      const watcher = new RecordingWatcher();
      const end = other.watch(watcher);
      await watcher.until(() => watcher.leaders.at(-1) === 'a');
      const note = noteAt(3);
      expect(await log.noteBroken(first, note)).toBe(true);
      expect(await other.leader()).toBeNull();
      expect((await passed()).handover.broken).toEqual([note]);
      await watcher.until(() => watcher.leaders.at(-1) === null);
      end();
      expect(await other.noteBroken(first, note)).toBe(true);
      expect((await passed()).handover.broken).toEqual([note]);
      await lead(other, 'b');
    });

    test('DEC-CLU-11: a note comes too late once another term has begun, and changes nothing', async () => {
      expect(await log.noteBroken(first, noteAt(1))).toBe(false);
      const term = await lead(log, 'a');
      await term.resign();
      const { leader } = await lead(other, 'b');
      const before = await passed();
      expect(await log.noteBroken(first, noteAt(1))).toBe(false);
      expect(await passed()).toEqual(before);
      expect(await log.leader()).toEqual(leader);
    });

    test('DEC-CLU-11: a note is left through lost answers', async () => {
      const { log: faulty, loseAnswers } = await harness.connectFaulty();
      await lead(faulty, 'a');
      loseAnswers(1);
      const isLeft = await faulty.noteBroken(first, noteAt(1)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(LogUnreachable);
        return faulty.noteBroken(first, noteAt(1));
      });
      expect(isLeft).toBe(true);
      expect((await passed()).handover.broken).toEqual([noteAt(1)]);
      await faulty.close();
    });

    test('DEC-CLU-11: nobody begins a term who has not read a note that was left meanwhile', async () => {
      const term = await lead(log, 'a');
      await appendBatches(log, term.at, { after: 0, count: 1 });
      const { at, head } = await headOf(other);
      const passing = await passingOf(other, leaderOf('b', 2));
      const again = { ...head, epoch: as<Epoch>(2) };
      await log.noteBroken(first, noteAt(1));
      expect(await other.campaign(at, again, leaderOf('b', 2), 60, passing)).toBeNull();
      const read = await passingOf(other, leaderOf('b', 2));
      expect(await other.campaign(at, again, leaderOf('b', 2), 60, read)).not.toBeNull();
    });

    test('DEC-CLU-11: a term begins with a shorter batch in place of the last ones', async () => {
      const term = await lead(log, 'a');
      const at = await appendBatches(log, term.at, { after: 0, count: 2 });
      const long = batchAfter(2, { count: 5 });
      await log.append(at, long.head, long.batch);
      await log.noteBroken(first, noteAt(5));
      const watcher = new RecordingWatcher();
      const end = log.watch(watcher);
      const passing = await passingOf(other, leaderOf('b', 2));
      const { head, batch } = batchAfter(2, { count: 2, size: 60 });
      const now = { ...head, epoch: as<Epoch>(2) };
      const begun = await other.campaign((await headOf(other)).at, now, leaderOf('b', 2), 60, {
        ...{ ...passing, shortened: batch },
      });
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 4]);
      expect(Uint8Array.from((await log.read(as<Seq>(4)))[0]!.bytes)).toEqual(batch.bytes);
      expect(await headOf(log)).toEqual({ head: now, at: begun!.at });
      await watcher.until(() => watcher.leaders.at(-1) === 'b');
      expect(watcher.lasts()).toEqual([4]);
      end();
      await appendBatches(other, begun!.at, { after: 4, count: 1, epoch: 2 });
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 4, 5]);
    });
  });
}
