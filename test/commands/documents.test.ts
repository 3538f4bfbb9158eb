import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingNames } from '#main/configuration-schema.ts';

const project = join(import.meta.dirname, '..', '..');

test('every setting is read by somebody, so that none of them lies', () => {
  const readers = ['main', 'http', 'public-api', 'websocket'].flatMap((floor) =>
    readdirSync(join(project, 'src', floor), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|configuration-schema|command-line/.test(name))
      .map((name) => readFileSync(join(project, 'src', floor, name), 'utf8')),
  );
  const reads = (name: string) => new RegExp(`(config|settings)\\.${name}\\b|[{,]\\s*${name}\\s*[,}]`);
  expect(settingNames.filter((name) => !readers.some((text) => reads(name).test(text)))).toEqual([]);
});

test('the README names every file that a newcomer is sent to', () => {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']) {
    expect(readme).toContain(`(${name})`);
  }
});

test('every line of what was attacked names a test that exists', () => {
  const security = readFileSync(join(project, 'SECURITY.md'), 'utf8');
  const attacks = security
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| attack ') && !line.startsWith('| ---'));
  expect(attacks.length).toBeGreaterThan(20);
  for (const line of attacks) {
    const named = [...(line.split(' | ').at(-1) ?? '').matchAll(/`([^`]+\.test\.ts)`/g)].map((match) => match[1] ?? '');
    expect([line, named.length > 0]).toEqual([line, true]);
    for (const name of named) expect([name, existsSync(join(project, name))]).toEqual([name, true]);
  }
});

test('the index of decisions names every page of them', () => {
  const folder = join(project, 'docs', 'decisions');
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

test('every place of the code that the map names is there', () => {
  const map = readFileSync(join(project, 'ARCHITECTURE.md'), 'utf8');
  const places = [...map.matchAll(/`((?:src|test|tools)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter((place) => !existsSync(join(project, place)))).toEqual([]);
});

const contributing = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');

test('every place of the code that contributors are sent to is there', () => {
  const places = [...contributing.matchAll(/`((?:src|test|tools|docs)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter((place) => !existsSync(join(project, place)) && place !== 'test/seeds/SEED.json')).toEqual([]);
});

test.each([
  'To add a read endpoint',
  'To add a command with a table of its own',
  'To add a push on the websocket',
  'To add an event',
  'To add a history table',
])('%s: the worked example names files that hold what it quotes', (title) => {
  const section = contributing.split(`## ${title}\n`)[1]!.split('\n## ')[0]!;
  // A step ends where the next one begins; its further lines are indented.
  const steps = section.match(/^\d+\. .*(?:\n {2,}\S.*)*/gm) ?? [];
  expect(steps.length).toBeGreaterThan(3);
  for (const step of steps) {
    const [path, ...quoted] = [...step.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
    const text = readFileSync(join(project, path!), 'utf8');
    expect([step, quoted.length > 0]).toEqual([step, true]);
    expect([path, quoted.filter((words) => !text.includes(words))]).toEqual([path, []]);
  }
});
