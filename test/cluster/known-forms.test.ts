import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NodeStatus } from '#cluster/command-log.ts';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';
import { commandFormatVersion } from '#model/command-codec.ts';
import { newestRules } from '#model/rules.ts';
import { lead as leadLog, statusOf } from '../ports/log-story.ts';
import { CommandStage } from './command-stage.ts';

let stage: CommandStage;
beforeEach(async () => {
  stage = new CommandStage();
  await stage.write('one', { first: 1, count: 3, epoch: 4 });
  await stage.run('one', beginCluster);
  await stage.write('two', { first: 1, count: 3, epoch: 4 });
});
afterEach(() => stage.clean());

/** A node leads that reports this. */
async function lead(more: Partial<NodeStatus>): Promise<void> {
  const { log } = stage.connection;
  await leadLog(log, 'three');
  await log.report({ ...statusOf('three', 3), build: '9.9.9', commandFormat: commandFormatVersion, ...more }, 60);
}

describe('DEC-CLU-28: a build that cannot follow says so before it joins', () => {
  test('because the leader writes commands in another form', async () => {
    await lead({ commandFormat: commandFormatVersion + 1 });
    const refused = stage.join('two');
    await expect(refused).rejects.toBeInstanceOf(ClusterRefused);
    await expect(refused).rejects.toThrow(
      'the leader of the cluster main, three of build 9.9.9, writes commands in form ' +
        `${commandFormatVersion + 1}, and this build, test, in form ${commandFormatVersion}: all nodes need builds ` +
        'of one form',
    );
    expect(stage.membershipOf('two')).toBeNull();
  });

  test('because newer rules are in force', async () => {
    await lead({ rules: newestRules + 1, newestRules: newestRules + 1 });
    const refused = stage.join('two');
    await expect(refused).rejects.toBeInstanceOf(ClusterRefused);
    await expect(refused).rejects.toThrow(
      `the cluster main goes by version ${newestRules + 1} of the rules, and this build, test, knows them up to ` +
        `version ${newestRules}: start a newer build, such as 9.9.9 of three`,
    );
    expect(stage.membershipOf('two')).toBeNull();
  });

  test('newer rules that are known and not in force keep nobody out', async () => {
    await lead({ rules: newestRules, newestRules: newestRules + 5 });
    expect(await stage.join('two')).toMatchObject({ journaled: 3 });
  });
});
