import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '#main/configuration/config.ts';
import { defaultOf, flagOf, settingNames } from '#main/configuration-schema.ts';
import { textOf, unitOf } from './deploy-files.ts';

const service = unitOf('deploy/systemd/bourse.service').get('Service')!;
const one = (name: string): string => {
  expect([name, service.get(name)?.length]).toEqual([name, 1]);
  return service.get(name)![0]!;
};
const install = textOf('docs/operations/install.md');

describe('the systemd unit', () => {
  const [node, ...args] = one('ExecStart').split(' ');

  test('starts the exchange with settings that there are', () => {
    expect([node, ...args.slice(0, 3)]).toEqual([
      '/usr/bin/node',
      '--max-semi-space-size=64',
      'dist/main/bourse.js',
      'start',
    ]);
    const flags = args.slice(3).filter((arg) => arg.startsWith('--'));
    const known = ['--config', ...settingNames.map(flagOf)];
    for (const flag of flags) expect(known).toContain(flag);
  });

  test('gives secrets as credentials, which it names', () => {
    const loaded = service.get('LoadCredential')!.map((value) => value.split(':') as [string, string]);
    const used = args.flatMap((arg) => (arg.startsWith('%d/') ? [arg.slice('%d/'.length)] : []));
    expect(loaded.map(([name]) => name).sort()).toEqual(used.sort());
    for (const [, path] of loaded) expect(install).toContain(path);
  });

  test('does not start again after exit codes for which that changes nothing', () => {
    const reference = textOf('docs/reference/commands.md');
    const codes = [...reference.matchAll(/^\| (\d) \|.*\| no \|$/gm)].map(([, code]) => code);
    expect(one('RestartPreventExitStatus').split(' ')).toEqual(codes);
    expect(one('Restart')).toBe('on-failure');
  });

  test('waits for longer than the exchange takes to stop', () => {
    expect(Number(one('TimeoutStopSec'))).toBeGreaterThan(Number(defaultOf('shutdownSeconds', 'production')));
  });

  test('may write to the directory of the data alone', () => {
    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'ProtectKernelTunables'])
      expect([name, one(name)]).toEqual([name, 'yes']);
    expect(one('ProtectSystem')).toBe('strict');
    expect(service.has('ReadWritePaths')).toBe(false);
    expect(one('CapabilityBoundingSet')).toBe('');
    expect(one('StateDirectory')).toBe('bourse');
    // V8 makes code while it runs, and tables reserve addresses.
    for (const name of ['MemoryDenyWriteExecute', 'LimitAS']) expect(service.has(name)).toBe(false);
  });

  test('reads the configuration that the installation guide writes', () => {
    const [, json] = /```json\n(.*?)```/s.exec(install)!;
    const path = args[args.indexOf('--config') + 1]!;
    expect(install).toContain(path);
    const { config } = loadConfiguration({
      flags: new Map([
        ['masterKeyFile', '/run/credentials/master.key'],
        ['operatorTokenFile', '/run/credentials/operator.token'],
      ]),
      environment: {},
      file: { path, namedBy: 'flag --config' },
      isForServer: true,
      readFile: () => json!,
    });
    expect(config.profile).toBe('production');
    expect(config.data).toBe(`/var/lib/${one('StateDirectory')}`);
  });
});
