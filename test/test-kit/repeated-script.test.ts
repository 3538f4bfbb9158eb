import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import { nodeBinaries } from './node-binaries.ts';
import { playScript, type Told } from './script-of-controls.ts';
import { journalOf, newFolder, openWorld, removeFolder } from './world.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** What a run told its clients, and the end of its journal, which all bytes before go into. */
interface Run extends Told {
  readonly journal: string;
}

test('DEC-KIT-39: the same seed and script give the same journal, answers and pushes', async () => {
  const run = async (name: string): Promise<Run> => {
    const world = await openWorld(join(folder, name));
    try {
      const told = await playScript(world.demo);
      return { ...told, journal: await world.journal() };
    } finally {
      await world.close();
      expect(world.failures).toEqual([]);
    }
  };
  const [one, other] = await Promise.all([run('one'), run('other')]);
  expect(one.answers.filter((answer) => answer.startsWith('504'))).toHaveLength(2);
  expect(one.pushes.length).toBeGreaterThan(10);
  expect(other).toEqual(one);
}, 60_000);

const program = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
const settings = ['--port', '0', '--operator-port', '0', '--seed', '7', '--no-rate-limits', '--log-level', 'error'];
const time = ['--now', '2026-01-01T00:00:00Z', '--clock', 'manual'];

/** The script on a process of its own, with the simulated market and its month of history. */
async function runProcess(node: string, name: string): Promise<Run> {
  const data = join(folder, name);
  const child = spawn(node, [program, 'start', '--data', data, ...settings, ...time], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const demoPath = join(data, 'demo.json');
    while (!existsSync(demoPath) && child.exitCode === null) await pause(100);
    const demo = JSON.parse(readFileSync(demoPath, 'utf8')) as DemoFile;
    while (!(await isReady(demo)) && child.exitCode === null) await pause(100);
    const told = await playScript(demo);
    child.kill('SIGTERM');
    await ended;
    // What traders do while time passes is gathered by the machine's clock.
    const pushes = told.pushes.filter((push) => !Buffer.from(push, 'base64').includes('public.aggre'));
    return { answers: told.answers, pushes, journal: await journalOf(data) };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

const isReady = async ({ base_url: url }: DemoFile): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;

/** Minutes: a month of market for each run. `BOURSE_TEST_SCRIPT=1` runs it. */
test.skipIf(process.env['BOURSE_TEST_SCRIPT'] === undefined)(
  'DEC-KIT-39: so do processes with a simulated market, on each version of Node that is to be had',
  async () => {
    const nodes = await nodeBinaries();
    const first = await runProcess(process.execPath, 'first');
    expect(first.pushes.length).toBeGreaterThan(10);
    for (const { version, path } of [{ version: 'the same', path: process.execPath }, ...nodes]) {
      const other = await runProcess(path, version.replace(' ', '-'));
      expect({ version, ...other }).toEqual({ version, ...first });
    }
  },
  900_000,
);
