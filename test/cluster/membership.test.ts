import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogUnreachable } from '#cluster/command-log.ts';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { OtherMembership, requireAlone, writeMembership } from '#main/storage/membership.ts';
import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import { CommandStage } from './command-stage.ts';

let stage: CommandStage;
beforeEach(() => {
  stage = new CommandStage();
});
afterEach(() => stage.clean());

const alone = (node: string) => requireAlone(stage.directoryOf(node), 'do something else');

describe('DEC-CLU-15: a data directory knows its cluster', () => {
  test('a lone exchange has none', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    expect(stage.membershipOf('one')).toBeNull();
    expect(alone('one')).toBe(0);
  });

  test('from its beginning on it does not start by itself', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    expect(await stage.run('one', beginCluster)).toBe('The cluster main begins after entry 3, in epoch 5.\n');
    expect(await stage.connection.log.applied()).toBe(3);
    expect(stage.membershipOf('one')).toEqual({
      ...{ exchange: 'main', standing: 'node', origin: '09'.repeat(32), epoch: 0, nodes: ['one'] },
    });
    expect(() => alone('one')).toThrow(/is of a node of the cluster main: do something else$/);
  });

  test('nor does that of a node that joined, nor one of a file that cannot be read', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    await stage.run('one', beginCluster);
    await stage.write('two', { first: 1, count: 3, epoch: 4 });
    await stage.join('two');
    expect(() => alone('two')).toThrow(OtherMembership);
    writeFileSync(stage.directoryOf('two').membership, '{}');
    expect(() => alone('two')).toThrow(/cluster-membership.json says which cluster this directory is of/);
  });

  test('it joins no other cluster, and begins none', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    await stage.run('one', beginCluster);
    await expect(stage.join('one', 'other')).rejects.toThrow(/node of the cluster main: its cluster file names other$/);
    await expect(stage.run('one', beginCluster)).rejects.toThrow('the quorum keeps a cluster named main already');
    const empty = new CommandStage();
    try {
      const { log } = empty.connection;
      await expect(beginCluster({ ...stage.callOf('one'), log })).rejects.toThrow(/bourse cluster reconcile/);
      expect(await log.foundation()).toBeNull();
    } finally {
      empty.clean();
    }
    expect(stage.membershipOf('one')?.standing).toBe('node');
  });

  test('a beginning whose outcome is unknown is repeated', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    const { log } = stage.connection;
    const lost = async () => {
      throw new LogUnreachable('the answer was lost');
    };
    const call = stage.callOf('one', 'main', { ...log, foundation: async () => null, found: lost });
    await expect(beginCluster(call)).rejects.toThrow('the answer was lost');
    expect(() => alone('one')).toThrow('for the cluster main was interrupted: repeat it');
    await stage.run('one', beginCluster);
    expect(stage.membershipOf('one')?.standing).toBe('node');
  });

  test('a beginning that is refused leaves it as it was', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    const { log } = stage.connection;
    const taken = async () => false;
    await expect(beginCluster(stage.callOf('one', 'main', { ...log, foundation: async () => null, found: taken }))) //
      .rejects.toThrow('already');
    expect(stage.membershipOf('one')).toBeNull();
  });

  test('what was left is alone, with entries of a later epoch, and may begin again', async () => {
    await stage.write('one', { first: 1, count: 3, epoch: 4 });
    const left = {
      exchange: 'main',
      standing: 'left',
      origin: '09'.repeat(32),
      epoch: as<Epoch>(9),
      nodes: ['one', 'two'],
    } as const;
    writeMembership(stage.directoryOf('one'), left);
    expect(alone('one')).toBe(9);
    expect(await stage.run('one', beginCluster, 'again')).toContain('in epoch 10');
    expect(stage.membershipOf('one')).toMatchObject({ exchange: 'again', standing: 'node', nodes: ['one'] });
  });

  test('an empty directory begins a new exchange', async () => {
    mkdirSync(stage.directoryOf('one').root);
    expect(await stage.run('one', beginCluster)).toBe('The cluster main begins after entry 0, in epoch 1.\n');
  });
});
