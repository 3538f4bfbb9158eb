import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandLog } from '#cluster/command-log.ts';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { journalEnd } from '#main/cluster/journal-end.ts';
import { reconcileCluster, type ReconcileOptions } from '#main/cluster/reconcile-cluster.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { lead, statusOf } from '../ports/log-story.ts';
import { CommandStage } from './command-stage.ts';

/** All nodes have entries 1 to 5 in common; behind them each has its own. */
const common = { first: 1, count: 5, epoch: 1 } as const;
let stage: CommandStage;
/** A quorum that lost everything. */
let log: CommandLog;

beforeEach(async () => {
  const before = new CommandStage();
  stage = new CommandStage();
  ({ log } = stage.connection);
  try {
    await stage.write('one', common);
    await beginCluster(stage.callOf('one', 'main', before.connection.log));
    for (const node of ['two', 'three']) {
      await stage.write(node, common);
      stage.copyMembership('one', node);
    }
    for (const node of ['one', 'two', 'three']) stage.knowNodes(node, ['one', 'three', 'two']);
  } finally {
    before.clean();
  }
});
afterEach(() => stage.clean());

const reconcile = (node: string, options: ReconcileOptions = {}) =>
  stage.run(node, (call) => reconcileCluster(call, options));
/** What the command prints for the others. */
const wordOf = async (node: string): Promise<string> => /--journal (\S+)/.exec(await reconcile(node))![1]!;
const wordsOf = (...nodes: readonly string[]) => Promise.all(nodes.map(wordOf));
const begin = async (node: string, ...others: readonly string[]) =>
  reconcile(node, { begin: true, journal: await wordsOf(...others) });

describe('DEC-CLU-17: a cluster whose log is lost', () => {
  test('shows where the journal here ends, and changes nothing', async () => {
    const shown = await reconcile('two');
    expect(shown).toMatch(/two\/journal ends at entry 5, of epoch 1\. .*\n {2}--journal two:1:5:[0-9a-f]{64}\n/);
    expect(shown).toContain('The quorum keeps no cluster named main.');
    stage.connection.faults.setReachable(false);
    expect(await reconcile('two')).toContain('The quorum does not answer: ');
  });

  test('begins anew where the journal goes furthest; the others follow, or are cut', async () => {
    await stage.write('one', { first: 6, count: 2, epoch: 1 });
    await stage.write('two', { first: 6, count: 2, epoch: 2 }, { first: 8, count: 1, epoch: 3 });
    const anew = await begin('two', 'one', 'three');
    expect(anew).toBe(
      'The cluster main begins anew after entry 8, in epoch 1003, and keeps the 8 batches before. Start all nodes.\n',
    );
    const { hash } = await journalEnd(stage.directoryOf('two').journal);
    expect((await log.head())?.head).toEqual({ epoch: 1003, last: 8, hash });
    expect((await log.read(as<Seq>(1))).map(({ last, epoch }) => [last, epoch]).slice(4)).toEqual([
      ...[
        [5, 1],
        [6, 2],
        [7, 2],
        [8, 3],
      ],
    ]);
    expect(await log.applied()).toBe(8);
    for (const node of ['one', 'two', 'three']) await stage.join(node);
    expect(stage.told.join()).toContain('Entries 6 to 7 are not in the cluster, and nobody was answered');
    expect(readdirSync(stage.directoryOf('one').quarantine)).toHaveLength(1);
    expect(await Promise.all(['one', 'two', 'three'].map(stage.lastOf))).toEqual([5, 8, 5]);
  });

  test('counts a later epoch for more than a longer journal', async () => {
    await stage.write('one', { first: 6, count: 4, epoch: 1 });
    await stage.write('two', { first: 6, count: 1, epoch: 2 });
    await expect(begin('one', 'two', 'three')).rejects.toMatchObject({
      ...{ exit: 1, message: 'the journal of two goes further, to entry 6 of epoch 2: begin there' },
    });
    await expect(begin('three', 'one', 'two')).rejects.toThrow('the journal of one goes further, to entry 9');
    expect(await log.head()).toBeNull();
    expect(await begin('two', 'one', 'three')).toContain('after entry 6, in epoch 1002');
  });

  test('asks for every journal that there is, or whose is gone', async () => {
    await expect(begin('one', 'two')).rejects.toMatchObject({ exit: 2, message: expect.stringMatching(/^three may/) });
    await expect(reconcile('one', { begin: true })).rejects.toThrow(/^three, two may have acknowledged/);
    const journal = await wordsOf('two');
    const told = await reconcile('one', { begin: true, journal, without: ['three'] });
    expect(told).toContain('What was acknowledged and only three had is lost.\n');
  });

  test.each([
    [{ begin: true, journal: ['two:1:5'] }, '--journal "two:1:5": give what bourse cluster reconcile prints'],
    [{ begin: true, without: ['one', 'two', 'three'] }, 'one is this node: name the others'],
    [{ without: ['two'] }, 'go with --begin'],
    [{ replace: true }, 'go with --begin'],
  ] as const)('refuses %j', async (options, message) => {
    await expect(reconcile('one', options)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(message),
    });
    expect(await log.head()).toBeNull();
  });

  test('refuses journals that differ where they must not', async () => {
    const [word = '', three = ''] = await wordsOf('two', 'three');
    const other = `${word.slice(0, -4)}0000`;
    await expect(reconcile('one', { begin: true, journal: [other, three] })).rejects.toThrow('one of both is damaged');
  });

  test('refuses a journal that is damaged, whatever its end says', async () => {
    const { journal } = stage.directoryOf('one');
    const words = await wordsOf('two', 'three');
    const path = join(journal, readdirSync(journal).find((name) => name.endsWith('.journal'))!);
    const bytes = readFileSync(path);
    bytes[200]! ^= 1;
    writeFileSync(path, bytes);
    await expect(reconcile('one', { begin: true, journal: words })).rejects.toMatchObject({ name: 'JournalDamaged' });
    expect(await log.head()).toBeNull();
  });

  test('refuses a directory of no cluster', async () => {
    await stage.write('lone', common);
    await expect(reconcile('lone')).rejects.toThrow('is not of a node of a cluster');
  });
});

describe('DEC-CLU-17: a quorum that keeps the cluster', () => {
  test('is left alone where it has all that is here, or more', async () => {
    await begin('one', 'two', 'three');
    await expect(begin('two', 'one', 'three')).rejects.toThrow('with all that is here: start the nodes');
    await stage.write('three', { first: 6, count: 1, epoch: 5 });
    await begin('three', 'one', 'two').catch(() => undefined);
    expect((await log.head())?.head.last).toBe(5);
  });

  test('is replaced where it is an older copy, when that is said and all nodes are stopped', {
    timeout: 20_000,
  }, async () => {
    await begin('one', 'two', 'three');
    for (const node of ['one', 'two']) await stage.write(node, { first: 6, count: 3, epoch: 1002 });
    // Neither starts by itself: its entries would be taken for what nobody was told of.
    for (const node of ['one', 'two']) await expect(stage.join(node)).rejects.toThrow('etcd keeps an older copy');
    expect(await stage.lastOf('one')).toBe(8);
    await expect(begin('two', 'one', 'three')).rejects.toThrow('up to entry 5 of 8. If that is an older copy of etcd');
    const journal = await wordsOf('one', 'three');
    const replace = { begin: true, replace: true, journal };
    const term = await lead(log, 'three');
    await expect(reconcile('two', replace)).rejects.toThrow('three leads it');
    await term.resign();
    expect(await reconcile('two', replace)).toContain('begins anew after entry 8, in epoch 2002');
    for (const node of ['one', 'two', 'three']) await stage.join(node);
    expect((await log.read(as<Seq>(6))).map(({ last }) => last)).toEqual([6, 7, 8]);
    await log.report(statusOf('three', 8), 1);
  });

  test('is not replaced by a journal that lacks its last entry', async () => {
    await stage.write('one', { first: 6, count: 1, epoch: 1 });
    await begin('one', 'two', 'three');
    await stage.write('two', { first: 6, count: 3, epoch: 2 });
    const replace = { begin: true, replace: true, without: ['one', 'three'] };
    await expect(reconcile('two', replace)).rejects.toThrow('up to entry 6, which this journal has not');
  });
});

describe('DEC-CLU-06, DEC-CLU-17: at a start nothing is cut that may have been acknowledged', () => {
  test('one batch of the epoch of now is: its leader died before the quorum had it', async () => {
    await begin('one', 'two', 'three');
    await stage.write('two', { first: 6, count: 1, epoch: 1001 });
    await stage.join('two');
    expect(await stage.lastOf('two')).toBe(5);
  });

  test('two batches of one epoch, a later epoch, and those of a lone exchange are not', async () => {
    await begin('one', 'two', 'three');
    await stage.write('one', { first: 6, count: 2, epoch: 1001 });
    await stage.write('two', { first: 6, count: 1, epoch: 1002 });
    await stage.write('lone', common, { first: 6, count: 1, epoch: 1 });
    for (const node of ['one', 'two']) await expect(stage.join(node)).rejects.toThrow('etcd keeps an older copy');
    await expect(stage.join('lone')).rejects.toThrow('it was that of a lone exchange, which acknowledged them');
    expect(await Promise.all(['one', 'two', 'lone'].map(stage.lastOf))).toEqual([7, 6, 6]);
  });
});
