import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crc32c } from '#base/checksum.ts';
import { startServer } from '../crash/server-process.ts';
import { runPage } from './page-shell.ts';
import { project } from './run-process.ts';

/** The rehearsal of docs/operations/upgrade.md, as it stands there, and what it says of refusals. */

const page = 'docs/operations/upgrade.md';
const build = join(project, 'dist', 'main', 'bourse.js');
const hasTools = spawnSync('bash', ['-c', 'true']).status === 0;
let folder: string;
let data: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  data = join(folder, 'data');
  const server = await startServer(data);
  server.process.kill('SIGTERM');
  await server.ended;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bourse = (...args: readonly string[]) => spawnSync(process.execPath, [build, ...args], { encoding: 'utf8' });

test.runIf(hasTools)('DEC-OPR-277: the rehearsal ends with a copy that the new build finds sound', async () => {
  const run = await runPage(page, folder, { OLD: build, NEW: build, DATA: data });
  expect([run.code, run.missing], run.output).toEqual([0, []]);
  expect(existsSync(join(folder, 'rehearsal'))).toBe(false);
});

/** Makes a segment one whose commands are of an earlier format. */
function ageSegment(path: string): Buffer {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint16(10, 4, true);
  view.setUint32(60, crc32c(bytes, 0, 60), true);
  writeFileSync(path, bytes);
  return bytes;
}

test('DEC-OPR-277: a journal of another format is refused as the page says, by restore, verify and start alike', () => {
  const line =
    'the journal was written by Bourse 0.4.0, which alone reads it: start that build, or choose another --data';
  expect(readFileSync(join(project, page), 'utf8')).toContain(`\`${line}\``);
  const refusal = [3, `bourse: ${line}\n`];
  const segment = 'journal/0000000001.journal';

  const copy = join(folder, 'copy');
  cpSync(data, copy, { recursive: true });
  const before = ageSegment(join(copy, segment));
  for (const args of [
    ['verify', copy],
    ['backup', copy, join(folder, 'none')],
    ['start', '--data', copy, '--port', '0'],
  ]) {
    const { status, stderr } = bourse(...args);
    const told = stderr.split('\n').findLast((each) => each !== '') ?? '';
    expect([status, told.startsWith('{') ? `bourse: ${JSON.parse(told).msg}\n` : `${told}\n`], args[0]).toEqual(
      refusal,
    );
  }
  expect(readFileSync(join(copy, segment)).equals(before)).toBe(true);

  const backup = join(folder, 'of-another-build');
  expect(bourse('backup', data, backup).status).toBe(0);
  const bytes = ageSegment(join(backup, 'data', segment));
  const sums = join(backup, 'SHA256SUMS');
  const sum = `${createHash('sha256').update(bytes).digest('hex')}  data/${segment}`;
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(new RegExp(`^.*  data/${segment}$`, 'm'), sum));
  const { status, stderr } = bourse('restore', backup, join(folder, 'refused'));
  expect([status, stderr.split('\n').slice(-2).join('\n')]).toEqual(refusal);
  expect(existsSync(join(folder, 'refused'))).toBe(false);
});
