import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../crash/server-process.ts';
import { filesOf, manifestOf, run } from './run-backup.ts';

let root: string;
/** An exchange that was stopped. */
let data: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'backup-settings-'));
  data = join(root, 'data');
  const server = await startServer(data);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('bourse backup', () => {
  test('DEC-OPR-275: settings are copied without secrets, custody with its seeds, the key when it is asked for', () => {
    const key = 'ab'.repeat(32);
    const seed = join(folder, 'eth.seed');
    const custody = join(folder, 'hot.json');
    const config = join(folder, 'settings.json');
    const made = run(['custody', 'new-seed', '--profile', 'production', '--network', 'ETH', '--out', seed], {
      env: { BOURSE_MASTER_KEY: key },
    });
    expect(made.code).toBe(0);
    const network = {
      ...{ kind: 'evm', network: 'ETH', rpcUrl: 'http://127.0.0.1:1', chainId: 31_337 },
      ...{ keys: { kind: 'hot', seedFile: seed }, nativeCoin: { perHourMax: null, sweepFrom: null } },
    };
    writeFileSync(custody, `// Who keeps the coins.\n${JSON.stringify({ networks: [network] })}`);
    writeFileSync(
      config,
      JSON.stringify({ port: 9000, custodyFile: custody, masterKey: key, operatorToken: 'x'.repeat(32) }),
    );
    const without = join(folder, 'without');
    const ran = run(['backup', data, without, '--config', config]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('bourse:')]);
    expect(ran.stdout.toString()).toContain('Left out    masterKey, operatorToken');
    const names = filesOf(join(without, 'configuration'));
    expect(names).toEqual(['bourse.jsonc', 'custody.jsonc', 'seeds/ETH']);
    const stood = { bourse: config, custody };
    const places = Object.entries(stood).map(([name, path]) => [`configuration/${name}.jsonc`, path]);
    expect(manifestOf(without).places).toEqual({ ...Object.fromEntries(places), 'configuration/seeds/ETH': seed });
    expect(readFileSync(join(without, 'configuration/seeds/ETH'))).toEqual(readFileSync(seed));
    for (const name of filesOf(without)) expect(readFileSync(join(without, name)).includes(key), name).toBe(false);
    const withKey = join(folder, 'with');
    expect(run(['backup', data, withKey, '--config', config, '--with-master-key']).code).toBe(0);
    expect(readFileSync(join(withKey, 'configuration/master.key'), 'utf8')).toBe(`${key}\n`);
    const restored = join(folder, 'restored');
    expect(run(['restore', withKey, restored]).code).toBe(0);
    expect(filesOf(join(restored, 'configuration'))).toEqual([...names.slice(0, 2), 'master.key', 'seeds/ETH']);
    for (const name of [restored, join(restored, 'journal')]) expect(statSync(name).mode & 0o77).toBe(0);
    for (const name of filesOf(restored)) expect(statSync(join(restored, name)).mode & 0o77, name).toBe(0);
  }, 60_000);

  test('DEC-OPR-275: all files of a new exchange are in it but secrets; restored, it is told where they stood', () => {
    const desk = join(folder, 'desk');
    expect(run(['setup', desk, '--yes', '--data', data]).code).toBe(0);
    const config = join(desk, 'bourse.jsonc');
    const made = join(folder, 'made');
    const ran = run(['backup', data, made, '--config', config]);
    const [key, token] = [join(desk, 'secrets/master.key'), join(desk, 'secrets/root.token')];
    expect(ran.stdout.toString()).toContain(`Left out    ${key}; ${token}\n`);
    const copied = [
      ['bourse.jsonc', 'bourse.jsonc'],
      ['custody.jsonc', 'custody.jsonc'],
      ['market.jsonc', 'market.jsonc'],
      ['seeds/ETH', 'secrets/eth.seed'],
    ] as const;
    const restored = join(folder, 'restored');
    const told = run(['restore', made, restored]).stdout.toString();
    const folders = [made, restored].map((each) => join(each, 'configuration'));
    for (const each of folders) expect(filesOf(each)).toEqual(copied.map(([name]) => name));
    for (const [name, stood] of copied) {
      for (const each of folders) expect(readFileSync(join(each, name))).toEqual(readFileSync(join(desk, stood)));
      expect(told).toMatch(new RegExp(`^ {2}${name} +stood at ${join(desk, stood)}$`, 'm'));
    }
    expect(told).toContain(`A start reads too: ${key}, ${token}\n`);

    const market = join(folder, 'coins.jsonc');
    writeFileSync(market, '{}');
    const [elsewhere, without] = [join(folder, 'elsewhere'), join(folder, 'no-market')];
    expect(run(['backup', data, elsewhere, '--market', market]).code).toBe(0);
    expect(readFileSync(join(elsewhere, 'configuration/market.jsonc'), 'utf8')).toBe('{}');
    rmSync(join(desk, 'market.jsonc'));
    expect(run(['backup', data, without, '--config', config, '--with-master-key']).code).toBe(0);
    expect(filesOf(join(without, 'configuration'))).toEqual([
      ...['bourse.jsonc', 'custody.jsonc', 'master.key', 'seeds/ETH'],
    ]);
    expect(manifestOf(without).filesLeftOut).toEqual([token]);
  }, 60_000);
});
