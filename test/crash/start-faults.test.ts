import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { newestRules } from '#model/rules.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { batchOf } from '../ports/memory-journal.ts';
import { startServer } from './server-process.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
const roots: string[] = [];
const newRoot = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'start-'));
  roots.push(root);
  return root;
};
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** Runs a command of `bourse` to its end. */
function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'ignore', 'pipe'], timeout: 30_000 });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('exit', (code) => resolve({ code, errors }));
  });
}

/** Starts with empty books on any free ports unless `settings` say otherwise. */
const start = (data: string, ...settings: readonly string[]) =>
  run('start', '--data', data, '--port', '0', '--operator-port', '0', '--no-simulate', ...settings);

async function listenAnywhere(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  return { server, port };
}

/** A port that is free, and below those that the system gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

const statusOf = (port: number, path: string): Promise<number | null> =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => null,
  );

test('a data directory that cannot be made ends the start with one line and exit code 3', async () => {
  const file = join(newRoot(), 'file');
  writeFileSync(file, '');
  for (const data of [join(file, 'data'), file]) {
    const { code, errors } = await run('start', '--data', data, '--port', '0', '--operator-port', '0');
    expect(code).toBe(3);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    expect(errors).toContain('a part of that path is a file');
  }
});

test.runIf(process.platform === 'linux')(
  'DEC-OPR-23: a start where the kernel makes no directories ends with one line and exit code 3',
  async () => {
    for (const data of ['/proc/bourse/data', '/proc/self']) {
      const { code, errors } = await start(data);
      expect([data, code, errors.trimEnd().split('\n').length]).toEqual([data, 3, 1]);
      expect(errors).toContain('--data');
    }
  },
  60_000,
);

test('DEC-OPR-22: a port in use ends the start with one line that names the setting, and exit code 4', async () => {
  const { server, port } = await listenAnywhere();
  const root = newRoot();
  const { code, errors } = await start(join(root, 'made', 'data'), '--futures-port', String(port));
  server.close();
  expect([code, errors.trimEnd().split('\n').length]).toEqual([4, 1]);
  expect(errors).toContain(`port ${port} of 127.0.0.1 is in use`);
  expect(errors).toContain('with --futures-port ');
  expect(readdirSync(root)).toEqual([]);
}, 60_000);

test('DEC-OPR-23: a refused start leaves an empty directory empty, and an exchange as it was', async () => {
  const custody = join(newRoot(), 'custody.json');
  writeFileSync(custody, JSON.stringify({ networks: [{ kind: 'watchOnly', network: 'BTC' }] }));
  const data = newRoot();
  expect((await start(data, '--custody-file', custody)).code).toBe(2);
  expect(readdirSync(data)).toEqual([]);

  const first = await startServer(data);
  const held = readdirSync(data).toSorted();
  const { code, errors } = await start(data);
  expect([code, errors.trimEnd().split('\n').length]).toEqual([3, 1]);
  expect(errors).toContain(`${data} is in use by another running process`);
  expect(readdirSync(data).toSorted()).toEqual(held);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const before = readdirSync(data).toSorted();
  expect(before).toContain('journal');
  expect((await start(data, '--custody-file', custody)).code).toBe(2);
  expect(readdirSync(data).toSorted()).toEqual(before);
  const again = await startServer(data);
  expect(again.demo).toMatchObject({ accounts: first.demo.accounts });
  again.process.kill('SIGTERM');
  expect(await again.ended).toBe(0);
}, 60_000);

test('DEC-ORD-36: a journal that goes by newer rules ends the start with one line and exit code 3', async () => {
  const data = newRoot();
  const first = await startServer(data);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const journal = await FileJournal.open({
    ...{ files: nodeFileOperations, directory: layoutOf(data).journal, segmentSize: 16 << 20, notice: () => {} },
  });
  const command = { kind: 'activateRules', version: newestRules + 1 } as const;
  const last = journal.last();
  const at = as<TimestampMs>(Date.now());
  await journal.append(last, batchOf([{ seq: as(last + 1), epoch: as(0), at, command }]));
  await journal.close();
  const { code, errors } = await start(data);
  expect([code, errors.trimEnd().split('\n').length]).toEqual([3, 1]);
  expect(errors).toContain(`version ${newestRules + 1} of the rules, and this build knows them up to version`);
  expect(errors).toContain('start a newer build');
}, 60_000);

test('confirm-clock asks for a directory that holds an exchange', async () => {
  const { code, errors } = await run('confirm-clock', newRoot());
  expect(code).toBe(3);
  expect(errors).toContain('holds no exchange');
});

test('confirm-clock reaches an exchange that runs', async () => {
  const data = newRoot();
  const server = await startServer(data);
  expect((await run('confirm-clock', data)).code).toBe(0);
  expect(existsSync(join(data, 'clock-confirmed'))).toBe(false);
  expect(server.output()).toContain('The clock was confirmed, though nothing waited for it.');
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}, 60_000);

test('a sandbox is not ready before demo.json stands there', async () => {
  const data = newRoot();
  const port = await freePort();
  // The start waits here for somebody who reads what it is about to write.
  execFileSync('mkfifo', [join(data, 'demo.json.new')]);
  const ports = ['--port', String(port), '--operator-port', '0'];
  const settings = [...ports, '--no-simulate', '--seed', '7', '--journal-segment-mib', '1'];
  const child = spawn(process.execPath, [entry, 'start', '--data', data, ...settings], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  while ((await statusOf(port, '/healthz')) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let look = 0; look < 10; look += 1) {
    expect([await statusOf(port, '/readyz'), existsSync(join(data, 'demo.json'))]).toEqual([503, false]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await ended;
  rmSync(join(data, 'demo.json.new'));
  const server = await startServer(data, ['--port', String(port)]);
  while ((await statusOf(port, '/readyz')) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}, 60_000);

test("DEC-WAL-176: a damaged head of the simulated chains' file is named, with what to do about it", async () => {
  const data = join(newRoot(), 'data');
  const server = await startServer(data);
  server.process.kill('SIGTERM');
  await server.ended;
  const file = join(data, 'simulated-chain.jsonl');
  const content = readFileSync(file, 'utf8');
  writeFileSync(file, content.replace('"', "'"));
  const { code, errors } = await start(data, '--seed', '7');
  expect(code).toBe(3);
  expect(errors).toContain(file);
  expect(errors).toContain(`remove ${data}`);
  writeFileSync(file, content);
  const again = await startServer(data);
  again.process.kill('SIGTERM');
  expect(await again.ended).toBe(0);
}, 90_000);
