import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogUnreachable } from '#cluster/command-log.ts';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { showStatus } from '#main/cluster/cluster-status.ts';
import { stepDown } from '#main/cluster/step-down.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { campaign, lead, statusOf } from '../ports/log-story.ts';
import { CommandStage } from './command-stage.ts';

let stage: CommandStage;
beforeEach(async () => {
  stage = new CommandStage();
  await stage.write('one', { first: 1, count: 3, epoch: 4 });
});
afterEach(() => stage.clean());

describe('DEC-CLU-16: step-down', () => {
  test('is refused where there is no cluster, or no leader', async () => {
    await expect(stage.run('one', stepDown)).rejects.toMatchObject({
      ...{ exit: 1, message: 'the quorum keeps no cluster named main' },
    });
    await stage.run('one', beginCluster);
    await expect(stage.run('one', stepDown)).rejects.toMatchObject({
      ...{ exit: 1, message: 'nobody leads the cluster main' },
    });
  });

  test('asks the leader of now, and tells who leads next', async () => {
    await stage.run('one', beginCluster);
    const { log } = stage.connection;
    const term = await lead(log, 'one');
    await log.report(statusOf('one', 3), 10);
    await log.report(statusOf('two', 3), 10);
    expect(await term.isAskedToEnd()).toBe(false);
    const told = stage.run('one', stepDown);
    while (!(await term.isAskedToEnd()));
    await term.resign();
    await campaign(log, 'two');
    expect(await told).toBe('one led the cluster main until now; two leads it in epoch 7.\n');
  });

  test('is refused where nobody else could lead now: the leader is not asked', { timeout: 30_000 }, async () => {
    await stage.run('one', beginCluster);
    const { log } = stage.connection;
    const term = await lead(log, 'one');
    await log.report(statusOf('one', 3), 60);
    await log.report({ ...statusOf('two', 3), isCandidate: false }, 60);
    await log.report(statusOf('three', 2), 60);
    await expect(stage.run('one', stepDown)).rejects.toMatchObject({
      ...{ exit: 1, message: 'no other node could lead now: one goes on' },
    });
    expect(await term.isAskedToEnd()).toBe(false);
  });

  test('whose answer is lost may have happened', async () => {
    await stage.run('one', beginCluster);
    const { log } = stage.connection;
    await lead(log, 'one');
    await log.report(statusOf('two', 3), 60);
    const askToStepDown = async () => {
      throw new LogUnreachable('lost');
    };
    const call = stage.callOf('one', 'main', Object.assign(Object.create(log), { askToStepDown }));
    await expect(stepDown(call)).rejects.toMatchObject({ exit: 7 });
  });
});

describe('DEC-CLU-04: status', () => {
  test('tells lag, silence and in what nodes differ, also as JSON', async () => {
    await stage.run('one', beginCluster);
    const { log } = stage.connection;
    await lead(log, 'one');
    await log.report({ ...statusOf('two', 1), applied: as<Seq>(0), address: '10.0.0.2:9000' }, 60);
    await log.report({ ...statusOf('three', 3), build: '0.6.0', newestRules: 4, isCandidate: false }, 60);
    expect(await stage.run('one', showStatus)).toBe(
      [
        'Cluster main: epoch 6, last entry 3, applied 3, 0 KiB of batches kept.',
        'one leads.',
        'node   role       journaled  lag  applied  seen     address        build',
        'three  learns             3    0        3  0 s ago  -              0.6.0',
        'two    stands by          1    2        0  0 s ago  10.0.0.2:9000  0.5.0',
        'Nodes differ in their build: three: 0.6.0; two: 0.5.0.',
        'Nodes differ in the newest rules that they know: three: 4; two: 3.',
        'one leads, and does not report.',
        '',
      ].join('\n'),
    );
    const shown = JSON.parse(await stage.run('one', (call) => showStatus(call, true)));
    expect(shown).toMatchObject({ exchange: 'main', last: 3, leader: 'one', nodes: [{ node: 'three' }, { lag: 2 }] });
    expect(shown.notices).toHaveLength(3);
  });
});
