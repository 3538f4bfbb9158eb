import { beforeEach, describe, expect, test } from 'vitest';
import type { QuorumJournal } from '#cluster/quorum-journal.ts';
import { JournalFull, JournalMoved, JournalUnavailable } from '#journal/journal.ts';
import { as } from '#model/units.ts';
import { batchFrom, expectEntries } from '../crash/journal-script.ts';
import { LogHarness, type LogNode } from './log-harness.ts';

let harness: LogHarness;
let node: LogNode;
let journal: QuorumJournal;

beforeEach(async () => {
  harness = new LogHarness();
  await harness.found();
  node = await harness.node('one');
  ({ journal } = await harness.lead(node, () => 0));
});

/** Fails unless log and own journal have entries 1 to `last`, in as many batches. */
async function expectBoth(last: number, batches = last): Promise<void> {
  const kept = await harness.batches(node);
  expect(kept.length).toBe(batches);
  expect(kept.at(-1)?.last ?? 0).toBe(last);
  expect(node.own.last()).toBe(last);
  if (last > 0) await expectEntries(node.own, 1, last);
}

describe('DEC-CLU-02: an append whose fate is unknown', () => {
  test('has happened once when only the answer was lost, and the next one follows', async () => {
    node.faults.loseAnswers(1);
    await harness.append(journal, 1);
    await harness.append(journal, 2, 3);
    await expectBoth(4, 2);
  });

  test('is repeated until it happens when the request was lost', async () => {
    node.faults.loseRequests(3);
    await harness.append(journal, 1);
    await expectBoth(1);
  });

  test('waits for as long as the quorum does not answer', async () => {
    node.faults.setReachable(false);
    const appended = journal.append(as(0), batchFrom(1, 1));
    await expect(harness.during(appended, 20_000)).rejects.toThrow('nothing came of it');
    node.faults.setReachable(true);
    await harness.during(appended);
    await expectBoth(1);
  });

  test.each(['answer', 'request'] as const)(
    'is not taken for refused by a log that is full meanwhile: the %s was lost',
    async (lost) => {
      if (lost === 'answer') node.faults.loseAnswers(1);
      else node.faults.loseRequests(1);
      const appended = journal.append(as(0), batchFrom(1, 1));
      await harness.time.pass(10);
      harness.quorum.setFull(true);
      await expect(harness.during(appended, 5000)).rejects.toThrow('nothing came of it');
      harness.quorum.setFull(false);
      await harness.during(appended);
      await harness.append(journal, 2);
      await expectBoth(2);
    },
  );

  test('is not answered when it happened and another node leads since', async () => {
    node.faults.loseAnswers(1);
    const appended = journal.append(as(0), batchFrom(1, 1));
    await harness.time.pass(10);
    harness.quorum.expireLeader();
    await harness.lead(await harness.node('two'), () => 0);
    await expect(harness.during(appended)).rejects.toBeInstanceOf(JournalMoved);
    await expectBoth(1);
  });
});

describe('DEC-CLU-02: a refused append', () => {
  test('left nothing in either place when the log is full, and the same position is taken again', async () => {
    await harness.append(journal, 1);
    harness.quorum.setFull(true);
    await expect(harness.append(journal, 2, 5)).rejects.toBeInstanceOf(JournalFull);
    await expectBoth(1);
    harness.quorum.setFull(false);
    await harness.append(journal, 2);
    await expectBoth(2);
  });

  test('left nothing when the own disk is full too', async () => {
    let strikes = 1;
    node.disk.plan = ({ name }) => (name === 'writeThrough' && strikes-- > 0 ? 'ENOSPC' : null);
    harness.quorum.setFull(true);
    await expect(harness.append(journal, 1)).rejects.toBeInstanceOf(JournalFull);
    await expectBoth(0);
    harness.quorum.setFull(false);
    await harness.append(journal, 1);
    await expectBoth(1);
  });

  test('tells that another node leads', async () => {
    harness.quorum.expireLeader();
    const { journal: theirs } = await harness.lead(await harness.node('two'), () => 0);
    await expect(harness.append(journal, 1)).rejects.toBeInstanceOf(JournalMoved);
    expect(await harness.batches(node)).toEqual([]);
    await harness.append(theirs, 1, 2);
    expect((await harness.batches(node)).map(({ last }) => last)).toEqual([2]);
  });
});

test('DEC-CLU-02: a batch that the quorum has and the own disk has not is unknown, and the leader stops', async () => {
  let strikes = 1;
  node.disk.plan = ({ name }) => (name === 'writeThrough' && strikes-- > 0 ? 'ENOSPC' : null);
  await expect(harness.append(journal, 1)).rejects.toBeInstanceOf(JournalUnavailable);
  expect((await harness.batches(node)).map(({ last }) => last)).toEqual([1]);
  expect(node.own.last()).toBe(0);
});
