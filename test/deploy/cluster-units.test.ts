import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readClusterFile } from '#main/cluster/cluster-file.ts';
import { defaultOf, flagOf, settingNames } from '#main/configuration-schema.ts';
import { projectFolder, settingsOf, textOf, unitOf } from './deploy-files.ts';

const folder = 'deploy/systemd';
const lone = unitOf(`${folder}/bourse.service`).get('Service')!;
const node = unitOf(`${folder}/bourse-node.service`).get('Service')!;
const etcd = unitOf(`${folder}/bourse-etcd.service`).get('Service')!;
const clusterFile = readClusterFile(`${folder}/cluster.json`, textOf);
const member = settingsOf('deploy/etcd/member.env');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Credentials of a unit, by their names. */
const loadedBy = (unit: typeof node): readonly string[] =>
  (unit.get('LoadCredential') ?? []).map((value) => value.split(':')[0]!);

describe('the unit of a node', () => {
  test('differs from that of a lone exchange in what a cluster needs, and in nothing else', () => {
    const differing = [...new Set([...lone.keys(), ...node.keys()])].filter(
      (name) => JSON.stringify(lone.get(name)) !== JSON.stringify(node.get(name)),
    );
    expect(differing.sort()).toEqual(['ExecStart', 'Restart', 'RestartSec']);
    expect(node.get('ExecStart')![0]!.replace(' --cluster /etc/bourse/cluster.json', '')).toBe(
      lone.get('ExecStart')![0],
    );
  });

  test('starts a node again whenever it ends, as often as it takes, but not where that changes nothing', () => {
    expect([node.get('Restart'), node.get('RestartSec')]).toEqual([['always'], ['1']]);
    expect(node.get('RestartPreventExitStatus')).toEqual(['2 3']);
    expect(unitOf(`${folder}/bourse-node.service`).get('Unit')!.get('StartLimitIntervalSec')).toEqual(['0']);
    expect(Number(node.get('TimeoutStopSec')![0])).toBeGreaterThan(Number(defaultOf('shutdownSeconds', 'production')));
    const flags = node
      .get('ExecStart')![0]!
      .split(' ')
      .filter((arg) => arg.startsWith('--'));
    const known = ['--max-semi-space-size=64', '--config', ...settingNames.map(flagOf)];
    for (const flag of flags) expect(known).toContain(flag);
  });

  test('finds what proves it to etcd beside the cluster file', () => {
    const { keyFile, passwordFile, certificateFile, caFile } = clusterFile.etcd;
    for (const path of [certificateFile, caFile, keyFile, passwordFile]) expect(path).toMatch(/^\/etc\/bourse\/etcd\//);
  });
});

describe('the unit of a member of etcd', () => {
  test('is hardened as the node is, and writes to its own directory alone', () => {
    const own = new Set(['ExecStart', 'LoadCredential', 'User', 'Group', 'Type', 'StateDirectory']);
    const apart = [...node].filter(([name, value]) => !own.has(name) && `${etcd.get(name)}` !== `${value}`);
    expect(apart.map(([name]) => name).sort()).toEqual(
      ['KillSignal', 'RestartPreventExitStatus', 'TimeoutStopSec', 'WorkingDirectory'].sort(),
    );
    expect(etcd.get('MemoryDenyWriteExecute')).toEqual(['yes']);
    expect(etcd.get('ExecStart')![0]).toContain(`--data-dir /var/lib/${etcd.get('StateDirectory')![0]}/`);
    for (const name of loadedBy(etcd)) expect(etcd.get('ExecStart')![0]).toContain(`%d/${name}`);
  });

  test('reads what all members share, and what is its own', () => {
    expect(etcd.get('EnvironmentFile')).toEqual(['/etc/bourse/etcd/common.env', '/etc/bourse/etcd/member.env']);
    expect(clusterFile.etcd.endpoints[0]).toBe(member['ETCD_ADVERTISE_CLIENT_URLS']);
    const cluster = member['ETCD_INITIAL_CLUSTER']!.split(',').map((each) => each.split('='));
    expect(cluster[0]).toEqual([member['ETCD_NAME'], member['ETCD_INITIAL_ADVERTISE_PEER_URLS']]);
    const clients = cluster.map(([, peer]) => peer!.replace(':2380', ':2379'));
    expect(clusterFile.etcd.endpoints).toEqual(clients);
    for (const name of ['ETCD_CLIENT_CERT_AUTH', 'ETCD_PEER_CLIENT_CERT_AUTH'])
      expect([name, member[name]]).toEqual([name, 'true']);
    // A setting of both would be that of the second file, unseen.
    const common = Object.keys(settingsOf('deploy/etcd/common.env'));
    expect(Object.keys(member).filter((name) => common.includes(name))).toEqual([]);
  });
});

test.skipIf(!hasSystemd)('systemd finds no fault with any unit', () => {
  const copies = mkdtempSync(join(tmpdir(), 'bourse-units-'));
  const units = ['bourse', 'bourse-node', 'bourse-etcd'].map((name) => join(copies, `${name}.service`));
  for (const unit of units) {
    cpSync(new URL(`${folder}/${unit.split('/').at(-1)}`, projectFolder), unit);
    // Programs that are there: the faults that are looked for are those of the unit.
    writeFileSync(unit, readFileSync(unit, 'utf8').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
  const faults = stderr.split('\n').filter((line) => line.includes('bourse'));
  expect([status, faults]).toEqual([0, []]);
  rmSync(copies, { recursive: true });
});
