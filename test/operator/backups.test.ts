import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup } from '#main/backup/restore-backup.ts';
import { OperatorProblem, startBourse, type TestExchange } from '#testing/testing.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

const codeOf = (error: unknown): string => (error instanceof OperatorProblem ? error.code : String(error));
const patience = { timeout: 30_000, interval: 50 };

describe('backups of a running exchange', { timeout: 60_000 }, () => {
  let root: string;
  let directory: string;
  let exchange: TestExchange;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'bourse-backups-'));
    directory = join(root, 'kept');
    exchange = await startBourse({ seed: 'backups', settings: { backupDirectory: directory } });
  });
  afterEach(async () => {
    await exchange.close();
    rmSync(root, { recursive: true, force: true });
  });
  const ended = () => expect.poll(async () => (await exchange.operator.listBackups()).run?.state, patience);

  test('DEC-OPR-243, DEC-OPR-244: one at a time, told by the audit, and sound', async () => {
    const { operator } = exchange;
    expect(await operator.listBackups()).toEqual({ isConfigured: true, isReadable: true, run: null, items: [] });
    const asked = await Promise.allSettled(
      ['Before the upgrade.', 'The same.'].map((reason) => operator.makeBackup({ reason })),
    );
    const [begun] = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [codeOf(each.reason)] : []));
    expect([begun?.state, begun?.endedAt, refused]).toEqual(['running', null, ['backupRunning']]);
    await ended().toBe('done');
    const { items, run } = await operator.listBackups();
    expect(items).toEqual([
      { ...{ name: begun?.name, holdsHistory: true, madeBy: expect.stringMatching(/^Bourse /) }, ...numbers },
    ]);
    expect(run?.endedAt).toBeGreaterThanOrEqual(run?.startedAt ?? Number.NaN);
    const acts = (await operator.listActs({ command: 'recordBackup' })).items;
    expect(acts.map(({ actor, refusal }) => [actor, refusal])).toEqual([['root', null]]);
    expect(JSON.stringify(acts)).toContain(begun?.name);
    const { report } = await restoreBackup(join(directory, begun?.name ?? ''), join(root, 'back'), () => {});
    expect(report).toContain('All sound.');
    // No secret and no key is in it.
    expect(existsSync(join(directory, begun?.name ?? '', 'data', 'master.key'))).toBe(false);
  });

  test('DEC-OPR-245: one that fails says why and leaves nothing; what is not whole is not listed', async () => {
    writeFileSync(directory, 'a file, where a directory should be');
    await exchange.operator.makeBackup();
    await ended().toBe('failed');
    expect(await exchange.operator.listBackups()).toMatchObject({ isReadable: false, items: [] });
    rmSync(directory);
    await exchange.operator.makeBackup();
    await ended().toBe('done');
    const [name = ''] = readdirSync(directory);
    const manifest = readFileSync(join(directory, name, 'manifest.json'));
    rmSync(join(directory, name, 'SHA256SUMS'));
    expect((await exchange.operator.listBackups()).items).toEqual([]);
    writeFileSync(join(directory, name, 'SHA256SUMS'), '');
    writeFileSync(join(directory, name, 'manifest.json'), manifest.subarray(10));
    expect((await exchange.operator.listBackups()).items).toEqual([]);
  });
});

const nothing = { isReadable: false, run: null, items: [] };
const numbers = { madeAt: expect.any(Number), lastEntry: expect.any(Number), bytes: expect.any(Number) };

describe('where the settings name no directory', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await startTestOperator();
  });
  afterAll(() => operator.close());

  test('DEC-OPR-246: nothing is made, nobody names a path, and the scopes are their own', async () => {
    const before = operator.digest();
    expect((await operator.ask('GET', '/v1/backups')).body).toEqual({ ...nothing, isConfigured: false });
    expect((await operator.ask('POST', '/v1/backups')).body).toMatchObject({ status: 409, code: 'noBackupDirectory' });
    const named = await operator.ask('POST', '/v1/backups', { directory: '/tmp/elsewhere' });
    expect(named.body).toMatchObject({ status: 400, code: 'invalidMember' });
    expect(operator.digest()).toBe(before);
    const { body } = await operator.ask('POST', '/v1/tokens', {
      actor: 'erin',
      scopes: ['backups:read'],
      validHours: 1,
    });
    const asErin = { token: body.token };
    expect((await operator.ask('GET', '/v1/backups', undefined, asErin)).status).toBe(200);
    expect((await operator.ask('POST', '/v1/backups', undefined, asErin)).body.code).toBe('insufficientScope');
  });
});
