import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallProject } from './small-project.ts';

const entry = `
import { word } from '#main/word.ts';
const wait = setTimeout(() => {}, 60_000);
process.on('SIGTERM', () => process.exit(7));
console.log(JSON.stringify({ word, args: process.argv.slice(2), data: process.env.BOURSE_DATA }));
if (process.argv.includes('--exit')) clearTimeout(wait);
process.exitCode = 3;
`;

let small: SmallProject;
beforeAll(() => {
  small = new SmallProject(['typescript', 'typescript-native', '@types/node', 'undici-types', 'rolldown']);
  small.write('src/main/bourse.ts', entry);
  small.write('src/main/word.ts', "/** A word. */\nexport const word: string = 'first';\n");
});
afterAll(() => small.remove());

const start = (...args: readonly string[]) => small.run('start', ...args);
const inFolder = (...parts: readonly string[]): string => join(small.folder, ...parts);

test('the first start builds, tells so, passes options on and keeps the exit code', () => {
  const { status, lines } = start('--port', '0', '--exit');
  expect(lines[0]).toBe('Building …');
  expect(lines[1]).toMatch(/^Built in \d+\.\d s\.$/);
  expect(JSON.parse(lines[2]!)).toEqual({ word: 'first', args: ['start', '--port', '0', '--exit'] });
  expect(status).toBe(3);
});

test('a later start builds nothing', () => {
  const before = statSync(inFolder('dist', '.build-stamp')).mtimeMs;
  expect(start('--exit').lines).toHaveLength(1);
  expect(statSync(inFolder('dist', '.build-stamp')).mtimeMs).toBe(before);
});

test('a changed source is built again and the output of a removed one goes', () => {
  small.write('src/main/idle-worker.ts', "/** A word. */\nexport const word: string = 'idle';\n");
  small.write('src/main/other.ts', "/** A word. */\nexport const word: string = 'second';\n");
  small.write('src/main/bourse.ts', entry.replace('#main/word.ts', '#main/other.ts'));
  rmSync(inFolder('src', 'main', 'word.ts'));
  expect(JSON.parse(start('--exit').lines.at(-1)!)).toMatchObject({ word: 'second' });
  expect(readdirSync(inFolder('dist', 'main'))).toEqual(['bourse.js', 'idle-worker.js']);
  rmSync(inFolder('src', 'main', 'idle-worker.ts'));
  start('--exit');
  expect(readdirSync(inFolder('dist', 'main'))).toEqual(['bourse.js']);
});

test.each([
  ['the tool', process.execPath, ['tools/start.mjs']],
  ['npm', 'npm', ['start']],
])('SIGTERM sent to %s reaches the server itself, and its exit code comes back', async (_, command, args) => {
  const child = spawn(command, args, { cwd: small.folder });
  await new Promise<void>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('{"word"')) resolve();
    });
  });
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(7);
});

const { VITEST: _, VITEST_WORKER_ID: __, ...environment } = process.env;
const lastLine = (text: string): { readonly args: readonly string[]; readonly data?: string } =>
  JSON.parse(text.trimEnd().split('\n').at(-1)!);

test('DEC-OPR-25: under npm, relative paths are those of the folder that npm was called in', () => {
  const caller = inFolder('elsewhere');
  mkdirSync(caller);
  const args = [
    '--config',
    'c.json',
    '--master-key-file=../key',
    '--operator-token-file=token',
    '--port',
    '0',
    '--custody-file',
    '/etc/x',
    '--exit',
  ];
  const { stdout } = spawnSync('npm', ['--prefix', small.folder, 'start', '--silent', '--', ...args], {
    cwd: caller,
    encoding: 'utf8',
    env: { ...environment, BOURSE_DATA: 'd' },
  });
  const files = [`--master-key-file=${inFolder('key')}`, `--operator-token-file=${join(caller, 'token')}`];
  const absolute = ['--config', join(caller, 'c.json'), ...files, ...args.slice(4)];
  expect(lastLine(stdout)).toMatchObject({ args: ['start', ...absolute], data: join(caller, 'd') });
});

test('DEC-OPR-25: paths stay as they are where npm did not start this project', () => {
  const npm = { INIT_CWD: '/elsewhere', npm_lifecycle_event: 'start', npm_package_json: inFolder('package.json') };
  const dataOf = (env: Readonly<Record<string, string>>): string | undefined => {
    const options = { cwd: small.folder, encoding: 'utf8', env: { ...environment, ...env } } as const;
    return lastLine(spawnSync(process.execPath, ['tools/start.mjs', '--data', 'd', '--exit'], options).stdout).args[2];
  };
  expect(dataOf(npm)).toBe('/elsewhere/d');
  expect(dataOf({ ...npm, npm_lifecycle_event: 'bots' })).toBe('d');
  expect(dataOf({ ...npm, npm_package_json: inFolder('tsconfig.json') })).toBe('d');
  expect(dataOf({ ...npm, INIT_CWD: '' })).toBe('d');
});

test('a build that fails ends with 1 and the compiler’s words, and runs nothing', () => {
  small.write('src/main/other.ts', 'export const word: string = 5;\n');
  const { status, lines, stderr } = start('--exit');
  expect(status).toBe(1);
  expect(lines.join('\n')).toContain("Type 'number' is not assignable to type 'string'");
  expect(lines.join('\n')).not.toContain('{"word"');
  expect(stderr).toContain('The build failed');
});
