import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleKeys } from '#sandbox/demo-accounts.ts';
import { demoFile, MomentDiffers, SeedDiffers, seedOf, startMomentOf, writeDemoFile } from '#sandbox/sandbox-files.ts';

const addresses = {
  baseUrl: 'http://127.0.0.1:8080',
  futuresBaseUrl: 'http://127.0.0.1:8080',
  wsUrl: 'ws://127.0.0.1:8080/ws',
  operatorUrl: 'http://127.0.0.1:8081',
};
const at = Date.UTC(2026, 0, 1);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bourse-demo-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('files of a sandbox', () => {
  test('demo.json holds addresses and keys, for its owner only, and nothing is left aside', async () => {
    const data = join(folder, 'fresh', 'data');
    const path = await writeDemoFile(data, demoFile(peopleKeys('s'), addresses, 'token'));
    await writeDemoFile(data, demoFile(peopleKeys('s'), addresses, 'token'));
    const written = JSON.parse(await readFile(path, 'utf8'));
    expect(Object.keys(written)).toEqual([
      'base_url',
      'futures_base_url',
      'ws_url',
      'operator_url',
      'operator_token',
      'accounts',
    ]);
    expect(written.accounts.map((account: { name: string }) => account.name)).toEqual([
      'alice',
      'bob',
      'alice-readonly',
      'carol',
      'broker',
      'affiliate',
    ]);
    expect(written.accounts[0]).toEqual({
      name: 'alice',
      uid: String(peopleKeys('s')[0]?.uid),
      role: 'trader',
      apiKey: peopleKeys('s')[0]?.accessKey,
      secretKey: peopleKeys('s')[0]?.secretKey,
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(data)).toEqual(['demo.json']);
  });

  test('a seed is made once, kept for its owner only, and not replaced by another one', async () => {
    const data = join(folder, 'seeded');
    const seed = await seedOf(data, null);
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    expect(await seedOf(data, null)).toBe(seed);
    expect(await seedOf(data, seed)).toBe(seed);
    await expect(seedOf(data, 'another')).rejects.toThrow(SeedDiffers);
    expect((await stat(join(data, 'seed'))).mode & 0o777).toBe(0o600);
    expect(await seedOf(join(folder, 'asked'), '77')).toBe('77');
  });

  test('an empty seed file, left by a crash of another program, is made anew; an unreadable one is told', async () => {
    const data = await mkdtemp(join(folder, 'empty-'));
    await writeFile(join(data, 'seed'), '\n');
    expect(await seedOf(data, '5')).toBe('5');
    await expect(seedOf(join(data, 'seed'), null)).rejects.toThrow(/ENOTDIR/);
  });
});

describe('DEC-OPR-27: the moment of a data directory', () => {
  test('is kept, so that later starts need not name it', async () => {
    const data = join(folder, 'kept');
    expect(await startMomentOf(data, null)).toBe(null);
    expect(await startMomentOf(data, at)).toBe(at);
    expect(await startMomentOf(data, null)).toBe(at);
    expect(await startMomentOf(data, at)).toBe(at);
  });

  test('is not changed', async () => {
    const data = join(folder, 'kept');
    await expect(startMomentOf(data, at + 1)).rejects.toThrow(MomentDiffers);
    expect(await startMomentOf(data, null)).toBe(at);
  });

  test('is not given to a market that was made without one', async () => {
    const data = join(folder, 'without');
    await seedOf(data, '7');
    await expect(startMomentOf(data, at)).rejects.toThrow(/was made without --now/);
    expect(await startMomentOf(data, null)).toBe(null);
  });

  test('is not guessed where the file holds something else', async () => {
    const data = await mkdtemp(join(folder, 'strange-'));
    await writeFile(join(data, 'now'), 'yesterday\n');
    await expect(startMomentOf(data, null)).rejects.toThrow(MomentDiffers);
  });
});
