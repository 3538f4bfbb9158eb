import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOf } from '#sandbox/demo-seed.ts';
import { MomentDiffers, startMomentOf } from '#sandbox/demo-start.ts';

const at = Date.UTC(2026, 0, 1);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-moment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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
    const data = mkdtempSync(join(folder, 'strange-'));
    writeFileSync(join(data, 'now'), 'yesterday\n');
    await expect(startMomentOf(data, null)).rejects.toThrow(MomentDiffers);
  });
});
