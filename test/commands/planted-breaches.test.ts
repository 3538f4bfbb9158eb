import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

/** A check that sees nothing passes too: so every rule is shown a tree that breaks it. */

const project = join(import.meta.dirname, '..', '..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const use = (name: string, from: string): string => `import { ${name} } from '${from}';\nvoid ${name};\n`;
const documented = (code: string): string => `/** Says something. */\n${code}\n`;

const soundTree: Readonly<Record<string, string>> = {
  'src/base/clock.ts': documented('export const now = (): number => Date.now();'),
  'src/model/units.ts': `${use('now', '#base/clock.ts')}\n${documented('export const born = 1;')}`,
  'src/engine/create-engine.ts': `${use('born', '#model/units.ts')}\n${documented('export const start = 1;')}`,
  'src/journal/journal.ts': documented('export const record = 1;'),
  'src/journal/file-journal.ts': `${use('record', '#journal/journal.ts')}\n${documented('export const journal = 1;')}`,
  'src/main/bourse.ts': `${use('start', '#engine/create-engine.ts')}${use('journal', '#journal/file-journal.ts')}`,
};

/** A small project with the sound tree and `planted` files, under the real rules. */
function plant(planted: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-breach-'));
  folders.push(folder);
  for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs'])
    cpSync(join(project, name), join(folder, name));
  mkdirSync(join(folder, 'tools'));
  cpSync(join(project, 'tools', 'floors.cjs'), join(folder, 'tools', 'floors.cjs'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries({ ...soundTree, ...planted })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function checkFloors(folder: string): { readonly status: number | null; readonly output: string } {
  const cruiser = join(project, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const run = spawnSync(process.execPath, [cruiser, '--config', '.dependency-cruiser.cjs', 'src'], { cwd: folder });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

function checkTidy(folder: string): { readonly status: number | null; readonly output: string } {
  const run = spawnSync(process.execPath, [join(project, 'tools', 'tidy.mjs'), folder]);
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

describe('floors', () => {
  test('a sound tree passes the floors', () => {
    expect(checkFloors(plant({}))).toMatchObject({ status: 0 });
  });

  const backToA = `${use('a', '#jobs/a.ts')}export const b = 1;\n`;
  const breaches: readonly (readonly [string, string, string])[] = [
    ['floor-engine', 'src/engine/a.ts', use('journal', '#journal/file-journal.ts')],
    ['floor-base', 'src/base/a.ts', use('born', '#model/units.ts')],
    ['only-main-chooses-a-journal-adapter', 'src/sequencer/a.ts', use('journal', '#journal/file-journal.ts')],
    ['no-cycles', 'src/jobs/a.ts', `${use('b', '#jobs/b.ts')}export const a = 1;\n`],
    ['the-core-has-no-dependencies', 'src/engine/b.ts', use('readFileSync', 'node:fs')],
    ['the-core-has-no-dependencies', 'src/model/a.ts', use('fastify', 'fastify')],
    ['the-core-has-no-dependencies', 'src/model/b.ts', use('z', 'zod')],
    ['engine-ledger', 'src/engine/ledger/a.ts', use('start', '#engine/create-engine.ts')],
    ['every-folder-of-the-engine-has-a-floor', 'src/engine/attic/a.ts', use('born', '#model/units.ts')],
    ['the-server-needs-no-development-package', 'src/jobs/c.ts', use('assert', 'fast-check')],
    ['every-import-resolves', 'src/jobs/d.ts', use('gone', '#base/gone.ts')],
    ['every-folder-has-a-floor', 'src/attic/a.ts', use('now', '#base/clock.ts')],
    ['no-dead-files', 'src/jobs/e.ts', 'export {};\n'],
  ];
  test('every rule is broken by a planted file and named with it', () => {
    const { status, output } = checkFloors(
      plant({ ...Object.fromEntries(breaches.map(([, path, text]) => [path, text])), 'src/jobs/b.ts': backToA }),
    );
    expect(status).not.toBe(0);
    for (const [rule, path] of breaches) expect(output).toContain(`error ${rule}: ${path}`);
  });
});

describe('tidy', () => {
  test('a sound tree passes tidy', () => {
    expect(checkTidy(plant({}))).toEqual({ status: 0, output: '' });
  });

  const breaches: readonly (readonly [string, string, string])[] = [
    ['Date in a deterministic floor', 'src/engine/a.ts', documented('export const a = Date.now();')],
    ['Promise in a deterministic floor', 'src/model/a.ts', documented('export type A = Promise<number>;')],
    ['waiting in a deterministic floor', 'src/engine/a.ts', documented('export const a = async () => 1;')],
    [
      'localeCompare in a deterministic floor',
      'src/engine/a.ts',
      documented("export const a = 'a'.localeCompare('b');"),
    ],
    ['Math.random', 'src/sandbox/a.ts', documented('export const a = Math.random();')],
    ['for…in', 'src/jobs/a.ts', documented('export const a = (b: object) => {\n  for (const c in b) void c;\n};')],
    ['process.env outside', 'src/jobs/a.ts', documented('export const a = process.env;')],
    ['Date outside src/base/clock.ts', 'src/jobs/a.ts', documented('export const a = new Date(0);')],
    ['relative import', 'src/jobs/a.ts', "import './b.ts';\n"],
    ['default export', 'src/jobs/a.ts', documented('export default 1;')],
    ['enum or namespace', 'src/jobs/a.ts', documented('export enum A {\n  B,\n}')],
    ['swallowed error', 'src/jobs/a.ts', documented('export const a = () => {\n  try {\n    a();\n  } catch {}\n};')],
    ['name what it does', 'src/jobs/a.ts', documented('export class OrderManager {}')],
    ['exported without a doc comment', 'src/jobs/a.ts', 'export const a = 1;\n'],
    [
      'order a Map or Set was filled',
      'src/engine/a.ts',
      documented('export const a = [...new Map<number, number>()];'),
    ],
    [
      'order a Map or Set was filled',
      'src/model/a.ts',
      documented('export const a = (s: ReadonlySet<number>) => {\n  for (const b of s) void b;\n};'),
    ],
    ['Number(text)', 'src/engine/a.ts', documented("export const a = Number('1');")],
    ['71 lines; 70 at most', 'src/jobs/a.ts', documented(`export function a() {\n${'  void 0;\n'.repeat(69)}}`)],
    ['401 lines; 400 at most', 'src/jobs/a.ts', 'void 0;\n'.repeat(401)],
    ['121 columns; 120 at most', 'src/jobs/a.ts', `void '${'x'.repeat(113)}';\n`],
    ['names nothing', 'src/jobs/utils.ts', 'void 0;\n'],
    ['is not kebab-case', 'src/jobs/orderBook.ts', 'void 0;\n'],
    ['without an issue number', 'src/jobs/a.ts', '// TODO later\n'],
    ['code kept in a comment', 'src/jobs/a.ts', '// const a = 1;\n'],
    ['place in a table', 'src/engine/spot/a.ts', documented('export const a = (words: number[]) => words[3];')],
    ['says event router', 'src/websocket/a.ts', documented('export const eventHub = 1;')],
    ['says send snapshot', 'test/streams/a.ts', '/** Topics greet whom they meet. */\nvoid 0;\n'],
    ['says lookup, insert', 'src/engine/a.ts', documented('export const a = (findWanted: number) => findWanted;')],
    ['says trade view', 'benchmarks/a.ts', '/** Reads a `LentTrade`. */\nvoid 0;\n'],
    ['says growable buffer', 'src/model/a.ts', documented('export class Room {}')],
    ['says flush scheduler', 'src/websocket/cadence.ts', 'void 0;\n'],
    ['blank at the end', 'src/jobs/a.ts', 'void 0; \n'],
    ['a test name states what is true', 'src/jobs/a.test.ts', "test('should do it well', () => {});\n"],
    ['a test name is a statement', 'src/jobs/a.test.ts', "test('parse', () => {});\n"],
    ['2 titles', 'docs/a.md', '# One\n\n# Two\n'],
    ['which does not exist', 'docs/a.md', '# One\n\nSee [two](two.md).\n'],
    ['is no part of the project', 'src/jobs/a.ts', `// As in Document ${2}.\nvoid 0;\n`],
    ['is no part of the project', 'docs/a.md', `# One\n\nSee ${'decisions'}.md, section 3.\n`],
    [`SPEC-ORD-${99} is not in docs/rules`, 'src/jobs/a.ts', documented(`// SPEC-ORD-${99}\nexport const a = 1;`)],
    [`DEC-REQ-${99} is not in docs/rules`, 'docs/a.md', `# One\n\nDEC-REQ-${99}.\n`],
    [`E${99} is not in docs/rules`, 'test/api/a.test.ts', `test('E${99}: an order is refused', () => {});\n`],
  ];
  test('every rule is broken by a planted file and named with its line', () => {
    const planted = breaches.map(([message, path, text], index) => {
      const place = path.replace(/(\w+)((?:\.\w+)+)$/, (_, stem: string, end: string) =>
        stem === 'a' ? `a${index}${end}` : stem + end,
      );
      return { message, place, text };
    });
    const { status, output } = checkTidy(plant(Object.fromEntries(planted.map(({ place, text }) => [place, text]))));
    const lines = output.split('\n');
    expect(status).toBe(1);
    for (const { message, place } of planted) {
      expect(lines.filter((line) => line.startsWith(`${place}:`)).join('\n')).toContain(message);
    }
  });

  test('a name that the glossary bans as a name only is free in prose', () => {
    const sound = {
      'src/sequencer/a.ts': documented(
        '// There is room for what is on its way: orders are called in.\nexport const room = 1;',
      ),
    };
    expect(checkTidy(plant(sound))).toMatchObject({ output: '' });
  });

  test('a reason allows a loop whose order nobody can see, and function length counts no inner functions', () => {
    const inner = `  const b = () => {\n${'    void 0;\n'.repeat(60)}  };\n  b();\n`;
    const sound = {
      'src/engine/a.ts': documented(
        '// any order: summed, and addition commutes\nexport const a = [...new Set<number>()].length;',
      ),
      'src/jobs/a.ts': documented(`export function a() {\n${inner}${'  void 0;\n'.repeat(60)}}`),
      'docs/rules/orders.md': `# Orders\n\n- SPEC-ORD-${98}: One. (later: futures)\n- I${98}: Two.\n`,
      'src/jobs/b.ts': documented(`// SPEC-ORD-${98}, I${98}\nexport const b = 1;`),
      'docs/a.md': '# One\n\n```sh\n# no title\n```\n\nSee [itself](a.md#one) and [elsewhere](https://example.org).\n',
    };
    expect(checkTidy(plant(sound))).toMatchObject({ output: '' });
  });
});
