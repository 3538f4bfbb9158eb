import { beforeEach, describe, expect, test } from 'vitest';
import type { BrokenNote, CommandLog, Term } from '#cluster/command-log.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import type { QuorumJournal } from '#cluster/quorum-journal.ts';
import { BehindLog, JournalDiverged, Standby } from '#cluster/standby.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { as } from '#model/units.ts';
import { batchFrom, expectEntries, journalDirectory } from '../crash/journal-script.ts';
import { AppliedEntries, leaseSeconds, LogHarness, type LogNode, takeOut } from './log-harness.ts';

let harness: LogHarness;
let leader: LogNode;
let follower: LogNode;
let journal: QuorumJournal;
let term: Term;
let appliedByLeader: number;
let applied: AppliedEntries;
let elected: Promise<Term | null>;
let standby: Standby;
/** Entries that kept the follower from leading. */
let aside: number[];
let ownNote: BrokenNote | null;

beforeEach(async () => {
  harness = new LogHarness();
  await harness.found();
  leader = await harness.node('one');
  follower = await harness.node('two');
  appliedByLeader = 0;
  ownNote = null;
  ({ journal, term } = await harness.lead(leader, () => appliedByLeader));
});

function follow(isCandidate = false, log: CommandLog = follower.log, standsAside = (): boolean => false): void {
  applied = new AppliedEntries();
  aside = [];
  const { time } = harness;
  standby = new Standby({
    ...{ log, journal: follower.own, contact: createQuorumContact(time), leaseSeconds, isCandidate },
    takeOut: ({ seq }) => takeOut(follower.own, seq),
    ownNote,
    onAside: ({ seq }) => void aside.push(seq),
    ...{ standsAside, setTimer: time.setTimer, onLeader: () => {}, apply: applied.apply, applied: () => applied.last },
    identity: { node: 'two', address: '', build: 'test' },
  });
  elected = standby.untilElected();
  elected.catch(() => {});
}

/** Lets the follower hear of everything. */
const hear = (): Promise<boolean> => harness.time.pass(50);

async function publish(upTo: number): Promise<void> {
  await harness.during(term.publishApplied(as(upTo)));
  await hear();
}

describe('DEC-CLU-03: a follower', () => {
  test('writes what the log has, byte for byte, and applies no more than the leader has applied', async () => {
    follow();
    await harness.append(journal, 1, 3);
    await harness.append(journal, 4, 2);
    await hear();
    expect([follower.own.last(), applied.last]).toEqual([5, 0]);
    await publish(4);
    expect(applied.last).toBe(4);
    appliedByLeader = 5;
    for (let first = 6; first < 200; first += 10) await harness.append(journal, first, 10);
    await hear();
    expect([follower.own.last(), applied.last]).toEqual([205, 5]);
    await expectEntries(follower.own, 1, 205);
    const segments = leader.disk.paths().filter((path) => path.startsWith(journalDirectory));
    expect(segments.length).toBeGreaterThan(2);
    for (const path of segments) {
      if (follower.disk.paths().includes(path)) expect(follower.disk.content(path)).toEqual(leader.disk.content(path));
    }
  });

  test('reads what it missed when its watch was interrupted', async () => {
    follow();
    follower.faults.delayWatch(5000);
    await harness.append(journal, 1, 2);
    await harness.append(journal, 3, 2);
    follower.faults.interruptWatch();
    follower.faults.delayWatch(0);
    await hear();
    expect(follower.own.last()).toBe(4);
  });

  test('reads again what it has not heard of for half a second', async () => {
    follow();
    await hear();
    follower.faults.delayWatch(60_000);
    await harness.append(journal, 1, 2);
    await publish(2);
    await harness.time.pass(1000);
    expect([follower.own.last(), applied.last]).toEqual([2, 2]);
  });

  test('goes on once the quorum answers again', async () => {
    follow();
    await hear();
    follower.faults.setReachable(false);
    await harness.append(journal, 1, 2);
    await harness.time.pass(3000);
    expect(follower.own.last()).toBe(0);
    follower.faults.setReachable(true);
    await harness.time.pass(1000);
    expect(follower.own.last()).toBe(2);
  });

  test('applies what its own files had before it followed once the leader has, though the log dropped it', async () => {
    await harness.append(journal, 1, 300);
    for (const batch of await harness.batches(leader)) await follower.own.write(batch);
    await harness.during(leader.log.trim(as(300)));
    follow();
    await hear();
    expect(applied.last).toBe(0);
    await publish(299);
    expect(applied.last).toBe(299);
    await publish(300);
    expect(applied.last).toBe(300);
  });

  test('stops when it is told to, also while the quorum does not answer', async () => {
    follow(true);
    await hear();
    standby.stop();
    expect(await harness.during(elected)).toBeNull();
    follower.faults.setReachable(false);
    follow(true);
    await hear();
    standby.stop();
    expect(await harness.during(elected)).toBeNull();
  });
});

describe('DEC-CLU-03: a follower stops', () => {
  test.each([1, 2])(
    'when the log no longer has what follows its journal: %i of 2 batches are dropped',
    async (upTo) => {
      await harness.append(journal, 1);
      await harness.append(journal, 2);
      await harness.during(leader.log.trim(as(upTo)));
      follow();
      await expect(harness.during(elected)).rejects.toBeInstanceOf(BehindLog);
    },
  );

  test('when a batch was damaged, and writes nothing of it', async () => {
    await harness.append(journal, 1, 4);
    harness.quorum.damageBytes(as(4));
    follow();
    await expect(harness.during(elected)).rejects.toBeInstanceOf(JournalDamaged);
    expect(follower.own.last()).toBe(0);
  });

  test.each([
    ['goes on where the log ends', 3],
    ['has another entry where the log ends', 2],
    ['ends within a batch of the log', 1],
  ])('when its own journal %s', async (_, entries) => {
    await harness.append(journal, 1, 2);
    const own = batchFrom(1, entries);
    if (entries !== 1) own.placeAfter(as(0));
    await follower.own.append(as(0), entries === 2 ? differentBatch() : own);
    harness.quorum.expireLeader();
    follow(true);
    await expect(harness.during(elected)).rejects.toBeInstanceOf(JournalDiverged);
  });
});

/** Two entries that are not those of the log. */
function differentBatch() {
  const batch = batchFrom(5, 2);
  batch.placeAfter(as(0));
  return batch;
}

describe('DEC-CLU-03: where nobody leads', () => {
  test('a candidate leads once the lease has ended, in a later epoch, with everything in the log applied', async () => {
    follow(true);
    await harness.append(journal, 1, 3);
    await hear();
    const theirs = await harness.during(elected, leaseSeconds * 1000 + 100);
    expect(theirs?.leader).toMatchObject({ node: 'two', epoch: term.leader.epoch + 1 });
    expect(applied.last).toBe(0);
    await standby.applyRest();
    expect(applied.last).toBe(3);
    await expect(harness.append(journal, 4)).rejects.toThrow('another node leads');
  });

  test.each([
    ['bytes', 'damageBytes'],
    ['the whole of it', 'damageBatch'],
  ] as const)('DEC-CLU-14: %s of a batch damaged in the log: a candidate that has it leads', async (_what, damage) => {
    follow(true);
    await harness.append(journal, 1, 3);
    await harness.append(journal, 4, 2);
    await hear();
    for (const last of [3, 5]) harness.quorum[damage](as(last));
    const theirs = await harness.during(elected, leaseSeconds * 1000 + 1000);
    expect(theirs?.leader.node).toBe('two');
    await standby.applyRest();
    expect(applied.last).toBe(5);
  });

  test('who is no candidate does not lead', async () => {
    follow();
    await expect(harness.during(elected, 10_000)).rejects.toThrow('nothing came of it');
  });

  test('a campaign whose answer was lost ends with its lease, and the next one is won', async () => {
    follow(true);
    follower.faults.loseAnswers(1);
    harness.quorum.expireLeader();
    const theirs = await harness.during(elected, leaseSeconds * 1000 + 1000);
    expect(theirs?.leader.epoch).toBe(term.leader.epoch + 2);
  });

  test('an old answer about who leads does not win over the news that nobody does', async () => {
    const slow = Object.assign(Object.create(follower.log) as CommandLog, {
      leader: async () => {
        const answer = await follower.log.leader();
        await harness.time.sleep(200);
        return answer;
      },
    });
    follow(true, slow);
    await hear();
    harness.quorum.expireLeader();
    expect(await harness.during(elected, 3000)).not.toBeNull();
  });

  test('DEC-CLU-19: a candidate that stands aside begins no term until it is right', async () => {
    let isWrong = true;
    follow(true, follower.log, () => isWrong);
    await harness.append(journal, 1, 3);
    await publish(3);
    harness.quorum.expireLeader();
    await harness.time.pass(5000);
    expect(await harness.during(follower.log.leader())).toBeNull();
    isWrong = false;
    expect(await harness.during(elected, 3000)).not.toBeNull();
  });

  test('a candidate makes space in a full log, and leads', async () => {
    follow(true);
    await harness.append(journal, 1, 3);
    await publish(3);
    const status = { address: '', build: 'test', isCandidate: true, newestRules: 1, commandFormat: 1 };
    for (const { log, own } of [leader, follower]) {
      const positions = { journaled: own.last(), applied: own.last() };
      await harness.during(log.report({ ...status, ...positions, node: own === leader.own ? 'one' : 'two' }, 10));
    }
    harness.quorum.setFull(true);
    harness.quorum.expireLeader();
    expect(await harness.during(elected, 3000)).not.toBeNull();
    expect(await harness.batches(leader)).toEqual([]);
  });
});
