import { beforeEach, describe, expect, test } from 'vitest';
import type { BrokenNote, Term } from '#cluster/command-log.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import { QuorumJournal } from '#cluster/quorum-journal.ts';
import { Standby } from '#cluster/standby.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import type { Entry } from '#model/command.ts';
import { as } from '#model/units.ts';
import { batchFrom, entryAt, journalDirectory } from '../crash/journal-script.ts';
import { noteAt } from '../ports/log-story.ts';
import { leaseSeconds, LogHarness, type LogNode, takeOut } from './log-harness.ts';

let harness: LogHarness;
let leader: LogNode;
let journal: QuorumJournal;
let term: Term;

/** A node that follows, and what it did. */
interface Follower {
  readonly node: LogNode;
  readonly standby: Standby;
  readonly elected: Promise<Term | null>;
  /** Times of the entries that it applied, by which they are told apart. */
  readonly applied: number[];
  readonly aside: number[];
}

beforeEach(async () => {
  harness = new LogHarness();
  await harness.found();
  leader = await harness.node('one');
  ({ journal, term } = await harness.lead(leader, () => 3));
});

interface FollowerOptions {
  readonly isCandidate?: boolean;
  readonly ownNote?: BrokenNote;
  /** How long it takes to apply something. */
  readonly applyMs?: number;
}

async function follow(name: string, options: FollowerOptions = {}): Promise<Follower> {
  const { isCandidate = false, ownNote = null, applyMs = 0 } = options;
  const node = await harness.node(name);
  const { time } = harness;
  const applied: number[] = [];
  const aside: number[] = [];
  const standby = new Standby({
    ...{ log: node.log, journal: node.own, contact: createQuorumContact(time), leaseSeconds, isCandidate, ownNote },
    ...{ setTimer: time.setTimer, onLeader: () => {}, applied: () => as(applied.length) },
    apply: async (entries: readonly Entry[]) => {
      applied.push(...entries.map(({ at }) => at));
      if (applyMs > 0) await time.sleep(applyMs);
    },
    takeOut: ({ seq }) => takeOut(node.own, seq),
    onAside: ({ seq }) => void aside.push(seq),
    identity: { node: name, address: '', build: 'test' },
  });
  const elected = standby.untilElected();
  elected.catch(() => {});
  return { node, standby, elected, applied, aside };
}

const hear = (ms = 50): Promise<boolean> => harness.time.pass(ms);
const timesOf = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => entryAt(first + index).at);
/** Note about an entry of `batchFrom`. */
const noteOf = (seq: number): BrokenNote => noteAt(seq, entryAt(seq).epoch);

/** Entries 1 to 3, which are applied, then 4 to 8 in a batch, then 9 and 10; the leader breaks on `broken`. */
async function breakOn(broken: number): Promise<void> {
  await harness.append(journal, 1, 3);
  await harness.append(journal, 4, 5);
  await harness.append(journal, 9, 2);
  await hear();
  expect(await harness.during(leader.log.noteBroken(term.leader.epoch, noteOf(broken)))).toBe(true);
}

/** The journal with which a node leads. */
function journalOf({ node }: Follower, theirs: Term, applied: () => number): QuorumJournal {
  const { time } = harness;
  const parts = { own: node.own, log: node.log, term: theirs, contact: createQuorumContact(time) };
  return new QuorumJournal({ ...parts, setTimer: time.setTimer, applied: () => as(applied()) });
}

/** Other entries than those that stood there before: those from 100 on, at the place after `after`. */
function otherBatch(after: number, count: number): EntryBatch {
  const batch = batchFrom(100, count);
  batch.placeAfter(as(after));
  return batch;
}

describe('DEC-CLU-11: an entry that broke the leader', () => {
  test.each([4, 6, 8, 9, 10])(
    'and all behind it leave the log and every journal, nobody applies it: entry %i of 10',
    async (broken) => {
      const two = await follow('two', { isCandidate: true });
      const three = await follow('three');
      await breakOn(broken);
      const theirs = (await harness.during(two.elected))!;
      expect(theirs.leader.node).toBe('two');
      expect(await two.standby.applyRest()).toEqual({ ...noteOf(broken), voidedTo: 10 });
      expect((await harness.batches(leader)).at(-1)!.last).toBe(broken - 1);
      expect(two.applied).toEqual(timesOf(1, broken - 1));
      await hear();
      expect([two.node.own.last(), three.node.own.last()]).toEqual([broken - 1, broken - 1]);
      expect(three.applied).toEqual(timesOf(1, 3));

      const next = journalOf(two, theirs, () => broken - 1);
      await harness.during(next.append(as(broken - 1), otherBatch(broken - 1, 4)));
      await harness.during(theirs.publishApplied(as(broken + 3)));
      await hear();
      expect(three.applied).toEqual([...timesOf(1, broken - 1), ...timesOf(100, 103)]);
      expect(three.node.own.lastHash()).toEqual(two.node.own.lastHash());
      const segments = two.node.disk.paths().filter((path) => path.startsWith(journalDirectory));
      for (const path of segments.filter((each) => three.node.disk.paths().includes(each)))
        expect(three.node.disk.content(path)).toEqual(two.node.disk.content(path));
    },
  );

  test('is not written by a follower that hears of it when it is voided already', async () => {
    const two = await follow('two', { isCandidate: true });
    const three = await follow('three');
    await harness.append(journal, 1, 3);
    await hear();
    three.node.faults.delayWatch(800);
    await harness.append(journal, 4, 5);
    expect(await harness.during(leader.log.noteBroken(term.leader.epoch, noteOf(4)))).toBe(true);
    const theirs = (await harness.during(two.elected))!;
    await two.standby.applyRest();
    await hear(1300);
    expect(three.node.own.last()).toBe(3);
    await harness.during(journalOf(two, theirs, () => 3).append(as(3), otherBatch(3, 5)));
    await harness.during(theirs.publishApplied(as(8)));
    await hear(2000);
    expect(three.applied).toEqual([...timesOf(1, 3), ...timesOf(100, 104)]);
    expect(three.node.own.lastHash()).toEqual(two.node.own.lastHash());
  });

  test('is not applied by a follower that is busy while others go on', async () => {
    const two = await follow('two', { isCandidate: true });
    const three = await follow('three', { applyMs: 300 });
    await harness.append(journal, 1, 3);
    await harness.append(journal, 4, 5);
    await harness.append(journal, 9, 2);
    await harness.during(leader.log.noteBroken(term.leader.epoch, noteOf(4)));
    const theirs = (await harness.during(two.elected))!;
    await two.standby.applyRest();
    expect(three.applied).toEqual(timesOf(1, 3));
    await harness.during(journalOf(two, theirs, () => 3).append(as(3), otherBatch(3, 7)));
    await harness.during(theirs.publishApplied(as(10)));
    await hear(2000);
    expect(three.applied).toEqual([...timesOf(1, 3), ...timesOf(100, 106)]);
  });

  test('counts for nothing that is told before a follower knows what was voided', async () => {
    const two = await follow('two', { isCandidate: true });
    const three = await follow('three');
    await breakOn(4);
    three.node.faults.setReachable(false);
    const theirs = (await harness.during(two.elected))!;
    await two.standby.applyRest();
    await harness.during(journalOf(two, theirs, () => 3).append(as(3), otherBatch(3, 7)));
    await harness.during(theirs.publishApplied(as(10)));
    three.node.faults.setReachable(true);
    await hear(2000);
    expect(three.applied).toEqual([...timesOf(1, 3), ...timesOf(100, 106)]);
  });

  test('DEC-CLU-27: is not applied where the next leader tells over the link what it applied, before the log does', async () => {
    const two = await follow('two', { isCandidate: true });
    const three = await follow('three');
    await breakOn(4);
    expect(three.node.own.last()).toBe(10);
    three.node.faults.delayWatch(60_000);
    const theirs = (await harness.during(two.elected))!;
    await two.standby.applyRest();
    await harness.during(journalOf(two, theirs, () => 3).append(as(3), otherBatch(3, 7)));
    three.standby.leaderApplied(as(6), theirs.leader.epoch);
    await hear();
    expect(three.applied).toEqual([...timesOf(1, 3), ...timesOf(100, 102)]);
    // What the one before tells now is of other entries.
    three.standby.leaderApplied(as(10), term.leader.epoch);
    await hear();
    expect(three.applied).toHaveLength(6);
    three.standby.leaderApplied(as(10), theirs.leader.epoch);
    await hear();
    expect(three.applied).toEqual([...timesOf(1, 3), ...timesOf(100, 106)]);
  });

  test('is recorded by the next one where the leader that voided it died before', async () => {
    const two = await follow('two', { isCandidate: true });
    await breakOn(6);
    const theirs = (await harness.during(two.elected))!;
    await two.standby.applyRest();
    await harness.during(theirs.resign());
    const three = await follow('three', { isCandidate: true });
    expect(await harness.during(three.elected)).not.toBeNull();
    expect(await three.standby.applyRest()).toMatchObject({ seq: 6, voidedTo: 10 });
  });

  test('is voided once where the answer to the campaign was lost', async () => {
    const two = await follow('two', { isCandidate: true });
    await breakOn(6);
    two.node.faults.loseAnswers(1);
    const theirs = await harness.during(two.elected, leaseSeconds * 1000 + 2000);
    expect(theirs!.leader.epoch).toBe(term.leader.epoch + 2);
    expect(await two.standby.applyRest()).toMatchObject({ seq: 6, voidedTo: 10 });
    expect([two.node.own.last(), two.applied.length]).toEqual([5, 5]);
  });
});

describe('DEC-CLU-12: without a note in the log', () => {
  test('a node on which it broke before voids it with its own note, rather than break again', async () => {
    await harness.append(journal, 1, 3);
    await harness.append(journal, 4, 5);
    const two = await follow('two', { isCandidate: true, ownNote: noteOf(7) });
    await hear();
    await harness.during(term.resign());
    expect(await harness.during(two.elected)).not.toBeNull();
    expect(await two.standby.applyRest()).toMatchObject({ seq: 7, voidedTo: 8 });
    expect(two.applied).toEqual(timesOf(1, 6));
  });

  test('its own note about another entry at that place changes nothing', async () => {
    await harness.append(journal, 1, 3);
    await harness.append(journal, 4, 5);
    const two = await follow('two', { isCandidate: true, ownNote: noteAt(7, 77) });
    await hear();
    await harness.during(term.resign());
    expect(await harness.during(two.elected)).not.toBeNull();
    expect(await two.standby.applyRest()).toBeNull();
    expect(two.applied).toEqual(timesOf(1, 8));
  });
});

test('DEC-CLU-12: a node does not lead where a leader of another build may have answered the entry, and says so once', async () => {
  await harness.append(journal, 1, 3);
  await harness.append(journal, 4, 5);
  await harness.during(term.resign());
  // A leader of another build, to which everything up to entry 8 may be answered, breaks as it takes over.
  const now = (await harness.during(leader.log.head()))!;
  const passed = (await harness.during(leader.log.handover()))!;
  const epoch = as<typeof now.head.epoch>(now.head.epoch + 1);
  const identity = { node: 'one', epoch, address: '', build: 'test' };
  const handover = { ...passed.handover, term: epoch, since: as<typeof now.head.last>(8) };
  const passing = { handover, after: passed.at, shortened: null };
  await harness.during(leader.log.campaign(now.at, { ...now.head, epoch }, identity, leaseSeconds, passing));
  const note = { ...noteOf(7), builds: ['test'] };
  expect(await harness.during(leader.log.noteBroken(epoch, note))).toBe(true);
  const two = await follow('two', { isCandidate: true });
  await expect(harness.during(two.elected, 5000)).rejects.toThrow('nothing came of it');
  expect(two.aside).toEqual([7]);
  expect(two.node.own.last()).toBe(8);
});
