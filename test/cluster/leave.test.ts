import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandLog } from '#cluster/command-log.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { leaveCluster } from '#main/cluster/leave-cluster.ts';
import { reconcileCluster } from '#main/cluster/reconcile-cluster.ts';
import { requireAlone } from '#main/storage/membership.ts';
import { lead, statusOf } from '../ports/log-story.ts';
import { CommandStage } from './command-stage.ts';

let stage: CommandStage;
let log: CommandLog;
beforeEach(async () => {
  stage = new CommandStage();
  ({ log } = stage.connection);
  await stage.write('one', { first: 1, count: 3, epoch: 4 });
  await stage.run('one', beginCluster);
});
afterEach(() => stage.clean());

const takeOut = (node: string) => stage.run('one', (call) => leaveCluster(call, node, false));
const leaveAsLast = (node = 'one', exchange?: string) =>
  stage.run(node, (call) => leaveCluster(call, undefined, true), exchange);
const refusal = (message: string | RegExp) => ({ exit: 1, message: expect.stringMatching(message) });

describe('DEC-CLU-16: a node that is gone', () => {
  test('is taken out, once it does not report any more', async () => {
    await log.report(statusOf('two', 3), 60);
    await expect(takeOut('two')).rejects.toMatchObject(refusal('^two runs: stop it first, or it is back at once$'));
    expect(await log.nodes()).toHaveLength(1);
    stage.pass(3);
    expect(await takeOut('two')).toBe(
      'The cluster main no longer waits for two. If that is started again, it is back.\n',
    );
    expect(await log.nodes()).toEqual([]);
    expect(await takeOut('two')).toBe('The cluster main waits for no node named two; it knows none.\n');
  });

  test('is named, or the last one is meant', async () => {
    for (const [node, isLast] of [[undefined, false] as const, ['two', true] as const])
      await expect(stage.run('one', (call) => leaveCluster(call, node, isLast))).rejects.toMatchObject({ exit: 2 });
  });
});

describe('DEC-CLU-16: the last node', () => {
  test('ends the cluster: its directory alone goes on, in a later epoch', async () => {
    await (await lead(log, 'one')).resign();
    await stage.write('two', { first: 1, count: 3, epoch: 4 });
    expect(await leaveAsLast()).toContain('that of a lone exchange after entry 3, in epoch 7: start it without');
    expect(requireAlone(stage.directoryOf('one'), '')).toBe(7);
    expect([await log.head(), await log.foundation()]).toEqual([null, null]);
    expect(await leaveAsLast()).toContain('is that of a lone exchange already');
    expect(await stage.run('one', beginCluster)).toContain('in epoch 8');
  });

  test('is refused while a node leads or reports, and changes nothing', { timeout: 30_000 }, async () => {
    const term = await lead(log, 'two');
    const first = 'stop all nodes of the cluster main first: ';
    await expect(leaveAsLast()).rejects.toMatchObject(refusal(`${first}two leads it`));
    await term.resign();
    await log.report(statusOf('two', 3), 60);
    const reports = setInterval(() => void log.report(statusOf('two', 3), 60), 500);
    try {
      await expect(leaveAsLast()).rejects.toMatchObject(refusal(`${first}two of it still runs`));
    } finally {
      clearInterval(reports);
    }
    expect(stage.membershipOf('one')?.standing).toBe('node');
    expect((await log.head())?.head.last).toBe(3);
  });

  test.each([
    ['less', [{ first: 1, count: 2, epoch: 4 }], /ends at entry 2, that of the cluster main at 3/],
    ['more', [{ first: 1, count: 4, epoch: 4 }], /ends at entry 4 otherwise than the cluster main, at 3/],
    ['other', [{ first: 1, count: 3, epoch: 5 }], /ends at entry 3 otherwise than the cluster main, at 3/],
  ] as const)('is refused where its journal has %s entries', async (_what, parts, message) => {
    await stage.write('two', ...parts);
    stage.copyMembership('one', 'two');
    await expect(leaveAsLast('two')).rejects.toMatchObject(refusal(message));
    expect((await log.head())?.head.last).toBe(3);
  });

  test('is refused in a directory of no cluster, or of another one', async () => {
    await stage.write('two', { first: 1, count: 3, epoch: 4 });
    await expect(leaveAsLast('two')).rejects.toMatchObject(refusal(/two is of no cluster$/));
    await expect(leaveAsLast('one', 'other')).rejects.toMatchObject(refusal('of the cluster main: the cluster file'));
    await expect(leaveAsLast('three')).rejects.toThrow('holds no exchange');
  });

  test('may be repeated where nobody knows whether it happened', async () => {
    const end: CommandLog['end'] = async (at, what) => {
      await log.end(at, what);
      throw new LogUnreachable('the answer was lost');
    };
    const call = stage.callOf('one', 'main', Object.assign(Object.create(log), { end }));
    await expect(leaveCluster(call, undefined, true)).rejects.toMatchObject({ exit: 7 });
    expect(stage.membershipOf('one')?.standing).toBe('node');
    expect(await leaveAsLast()).toContain('The cluster main is over.');
    expect(stage.membershipOf('one')?.standing).toBe('left');
  });

  test('is the only one that goes on', async () => {
    await stage.write('two', { first: 1, count: 3, epoch: 4 });
    stage.copyMembership('one', 'two');
    await leaveAsLast();
    const over = /the cluster main is over after entry 3: the exchange goes on at one alone/;
    await expect(leaveAsLast('two')).rejects.toMatchObject(refusal(over));
    const begin = (call: Parameters<typeof reconcileCluster>[0]) =>
      reconcileCluster(call, { begin: true, without: ['one'] });
    await expect(stage.run('two', begin)).rejects.toMatchObject(refusal(over));
    await expect(stage.join('two')).rejects.toThrow(over);
    await expect(stage.run('two', beginCluster)).rejects.toMatchObject(refusal('is of a node of the cluster main'));
  });
});
