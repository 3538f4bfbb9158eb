import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandLog, LogBatch, LogHead } from '#cluster/command-log.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLogHarness } from './command-log.contract.ts';
import {
  appendBatches,
  batchAfter,
  campaign,
  emptyHead,
  eventually,
  foundation,
  headOf,
  lead,
  leaderOf,
  passingOf,
  readAll,
  statusOf,
} from './log-story.ts';

/** Batches of one entry each, from `first` to `last`. */
async function* batchesOf(first: number, last: number): AsyncGenerator<LogBatch> {
  for (let after = first - 1; after < last; after += 1) yield batchAfter(after).batch;
}

const headAfter = (last: number, epoch: number): LogHead => ({
  ...batchAfter(last - 1).head,
  epoch: as<Epoch>(epoch),
});

/** What every command log promises of its beginning, its end, and what operators ask of it. */
export function describeLogBeginnings(name: string, makeHarness: () => Promise<CommandLogHarness>): void {
  describe(`command log contract, beginnings and ends: ${name}`, () => {
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

    test('DEC-CLU-04: a log has applied all that it begins with', async () => {
      await log.found(foundation, headAfter(7, 3));
      expect(await other.applied()).toBe(7);
    });

    test('DEC-CLU-17: a log begins with the batches that it is given', async () => {
      expect(await log.found(foundation, headAfter(7, 3), { batches: batchesOf(5, 7) })).toBe(true);
      expect((await readAll(other)).map(({ last }) => last)).toEqual([5, 6, 7]);
      expect(await log.found(foundation, headAfter(9, 4), { batches: batchesOf(8, 9) })).toBe(false);
      expect((await readAll(other)).map(({ last }) => last)).toEqual([5, 6, 7]);
      expect((await headOf(other)).head).toEqual(headAfter(7, 3));
    });

    test('DEC-CLU-17: it takes the place of another only while that is as it was, and nobody leads', async () => {
      await log.found(foundation, emptyHead);
      const term = await lead(log, 'a');
      const at = await appendBatches(log, term.at, { after: 0, count: 3 });
      const newer = () => ({ batches: batchesOf(4, 6), over: at });
      expect(await other.found(foundation, headAfter(6, 9), newer())).toBe(false);
      await term.resign();
      expect(await other.found(foundation, headAfter(6, 9), { ...newer(), over: term.at })).toBe(false);
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 3]);
      expect(await other.found(foundation, headAfter(6, 9), newer())).toBe(true);
      expect((await readAll(log)).map(({ last }) => last)).toEqual([1, 2, 3, 4, 5, 6]);
      expect([(await headOf(log)).head, await log.applied()]).toEqual([headAfter(6, 9), 6]);
      const passing = await passingOf(log, leaderOf('a', 10));
      expect(await log.campaign(at, headAfter(3, 10), leaderOf('a', 10), 60, passing)).toBeNull();
      expect((await campaign(log, 'b'))?.leader.epoch).toBe(10);
    });

    test('DEC-CLU-16: a cluster ends once, while nobody leads, and may begin anew', async () => {
      await log.found(foundation, emptyHead);
      const term = await lead(log, 'a');
      const at = await appendBatches(log, term.at, { after: 0, count: 3 });
      const end = { node: 'a', head: { ...batchAfter(2).head, epoch: as<Epoch>(2) } };
      expect(await log.end(at, end)).toBe(false);
      await term.resign();
      expect(await log.end(term.at, end)).toBe(false);
      await log.report(statusOf('b', 3), 60);
      expect([await log.ended(), (await readAll(log)).length]).toEqual([null, 3]);
      expect(await log.end(at, end)).toBe(true);
      expect(await other.ended()).toEqual(end);
      expect([await other.foundation(), await other.head(), await other.applied()]).toEqual([null, null, 0]);
      expect([await other.nodes(), await readAll(other)]).toEqual([[], []]);
      expect(await log.end(at, end)).toBe(false);
      expect(await log.found(foundation, headAfter(5, 7))).toBe(true);
      expect(await log.ended()).toBeNull();
    });

    test('DEC-CLU-16: a leader hears that it is asked to end its term, and the next one does not', async () => {
      await log.found(foundation, emptyHead);
      const term = await lead(log, 'a');
      expect(await term.isAskedToEnd()).toBe(false);
      await other.askToStepDown(as<Epoch>(7));
      expect(await term.isAskedToEnd()).toBe(false);
      await other.askToStepDown(term.leader.epoch);
      expect(await term.isAskedToEnd()).toBe(true);
      await term.resign();
      expect(await (await lead(other, 'b')).isAskedToEnd()).toBe(false);
    });

    test('DEC-CLU-29: a report answers what was reported under that name before', async () => {
      expect(await log.report({ ...statusOf('a'), run: 'x' }, 60)).toBeNull();
      expect(await other.report({ ...statusOf('a', 3), run: 'y', rules: 2 }, 60)).toEqual({
        ...statusOf('a'),
        run: 'x',
      });
      expect(await log.report(statusOf('b'), 60)).toBeNull();
      const last = await log.report({ ...statusOf('a'), run: 'x' }, 60);
      expect(last).toEqual({ ...statusOf('a', 3), run: 'y', rules: 2 });
      await log.forget('a');
      expect(await log.report(statusOf('a'), 60)).toBeNull();
    });

    test('a node is silent since its last report, until it is forgotten', async () => {
      expect(await log.silence('a')).toBeNull();
      await log.report(statusOf('a'), 60);
      expect(await other.silence('a')).toBe(0);
      await eventually(async () => (await other.silence('a')) === 2);
      await log.report(statusOf('a'), 60);
      expect(await other.silence('a')).toBe(0);
      await other.forget('a');
      expect([await log.silence('a'), await log.nodes()]).toEqual([null, []]);
      await other.forget('a');
      await log.report(statusOf('a', 4), 60);
      expect(await log.nodes()).toEqual([statusOf('a', 4)]);
      expect((await log.nodes())[0]?.journaled).toBe(as<Seq>(4));
    });
  });
}
