import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { project } from '../guides/run-process.ts';
import { nodeBinaries } from './node-binaries.ts';
import { newFolder, removeFolder } from './world.ts';

const folder = newFolder();
afterEach(() => removeFolder(folder));

/** Runs a command in the folder of the new project. @throws Error with what it printed, where it fails */
function run(command: string, args: readonly string[], cwd = folder, more: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...more };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 600_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

const client = join(project, 'clients', 'python');
const python = join(client, '.venv', 'bin', 'python');

const hasRegistry = (): boolean => spawnSync('npm', ['ping'], { timeout: 20_000 }).status === 0;

/** Minutes, and packages of the registry: `BOURSE_TEST_PACKAGE=1` runs it. */
test.skipIf(process.env['BOURSE_TEST_PACKAGE'] === undefined)(
  'DEC-KIT-18: an empty project installs the package, sees types, and trades for a day, on each Node and in Python',
  async () => {
    if (!hasRegistry()) {
      console.warn('\nNo registry of packages is to be had: the package was not installed.\n');
      return;
    }
    run('npm', ['pack', '--pack-destination', folder], project);
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "bot", "private": true, "type": "module" }');
    run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', `./${archive}`]);
    cpSync(join(project, 'examples', 'market-maker'), join(folder, 'market-maker'), { recursive: true });
    cpSync(join(import.meta.dirname, 'project', 'trading-day.ts'), join(folder, 'trading-day.ts'));
    // Its types are those of the package and of Node: nothing else is there.
    const options = {
      ...{ target: 'ES2023', lib: ['ES2023', 'ESNext.Disposable', 'DOM'], module: 'NodeNext', strict: true },
      ...{ types: ['node'], typeRoots: [join(project, 'node_modules', '@types')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['trading-day.ts'] }),
    );
    run(process.execPath, [join(project, 'node_modules', 'typescript-native', 'bin', 'tsc'), '-p', '.']);
    const own = { version: `Node ${process.versions.node}`, path: process.execPath };
    for (const { version, path } of [own, ...(await nodeBinaries())]) {
      const told = run(path, ['--test', '--test-reporter=spec', 'trading-day.js']);
      expect(told).toMatch(/pass 2\n/);
      console.log(`${version}: ${/the day took \d+ ms/.exec(told)?.[0]}`);
    }
    const bourse = join(folder, 'node_modules', '.bin', 'bourse');
    const version = run(bourse, ['--version']);
    expect(version).toMatch(/^\S*\d+\.\d+\.\d+/);
    if (!existsSync(python)) {
      console.warn('\nnpm test has not made the environment of the Python client: its day was not traded.\n');
      return;
    }
    const day = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/test_trading_day.py'];
    expect(run(python, day, client, { BOURSE_COMMAND: bourse })).toContain('1 passed');
  },
  1_800_000,
);
