import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestRules } from '#model/rules.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';

const dayMs = 86_400_000;

/** A minute of one core: `BOURSE_TEST_MONTH=1` runs it; `market-history.test.ts` makes short histories always. */
const isAsked = process.env['BOURSE_TEST_MONTH'] !== undefined;

test.skipIf(!isAsked)(
  'the first start of a sandbox makes a month of history, under the newest rules',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'bourse-first-start-'));
    const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
    const ports = ['--port', '0', '--operator-port', '0'];
    const child = spawn(process.execPath, [entry, 'start', '--data', data, '--seed', '7', ...ports], {
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    try {
      const demoPath = join(data, 'demo.json');
      while (!existsSync(demoPath) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(child.exitCode).toBe(null);
      const { base_url: base } = JSON.parse(readFileSync(demoPath, 'utf8')) as DemoFile;
      const reply = await fetch(`${base}/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=60`);
      const candles = (await reply.json()) as [string, string, string, string, string, string][];
      expect(candles.length).toBeGreaterThanOrEqual(29);
      expect(Date.now() - Number(candles[0]![0])).toBeGreaterThan(28 * dayMs);
      expect(candles.slice(0, -1).every((candle) => Number(candle[5]) > 0)).toBe(true); // Today may be young.
    } finally {
      child.kill('SIGTERM');
      await ended;
      const snapshots = join(data, 'snapshots');
      const store = new FileSnapshotStore({ files: nodeFileOperations, directory: snapshots, notice: () => {} });
      const snapshot = await store.latest();
      rmSync(data, { recursive: true });
      expect(restoreEngine(snapshot!.image, snapshot!.digest).state.progress.rules).toBe(newestRules);
    }
  },
  240_000,
);
