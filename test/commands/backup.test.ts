import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noopSink } from '#model/event-record.ts';
import { as, type Seq } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { restoreBackup } from '#main/backup/restore-backup.ts';
import { replay } from '#sequencer/recovery.ts';
import { isEvery, shareOf } from '../every-case.ts';
import { type ServerProcess, startServer } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';
import { entry, filesOf, manifestOf, type Ran, run } from './run-backup.ts';

const silent = (): void => undefined;

/** As `run`, while this process goes on. */
function runBeside(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ran> } {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(chunks), stderr }));
  });
  return { child, ended };
}

/** Places and cancels orders, several a request, until it is stopped; tells the last one that was acknowledged. */
function trade(server: ServerProcess, ordersOfRequest: number): { last(): string; stop(): Promise<void> } {
  const clients = ['alice', 'bob'].map((name) => new TradingClient(server.demo, name));
  let isOver = false;
  let last = '';
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '40000' };
  const lane = async (client: TradingClient): Promise<void> => {
    for (let step = 0; !isOver; step += 1) {
      const orders = Array.from({ length: ordersOfRequest }, (_, at) => ({
        ...order,
        newClientOrderId: `${step}-${at}`.padEnd(32, '-'),
      }));
      const placed = await client.call('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify(orders) });
      // The exchange may be killed meanwhile.
      if (placed?.status !== 200) return;
      if (client === clients[0]) last = (placed.body as { orderId: string }[]).at(-1)!.orderId;
      await client.call('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    }
  };
  const running = clients.map(lane);
  return {
    last: () => last,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      for (const client of clients) client.close();
    },
  };
}

/** Waits for something that happens within half a minute. */
async function until(happened: () => boolean): Promise<void> {
  for (let left = 600; !happened(); left -= 1) {
    if (left === 0) throw new Error('it did not happen');
    await setTimeout(50);
  }
}

/** The digest of the state after an entry, by the journal of a stopped exchange. */
async function digestAt(data: string, seq: number): Promise<string> {
  const engine = createEngine();
  await replay(
    engine,
    await openJournalReader(nodeFileOperations, join(data, 'journal')),
    noopSink,
    silent,
    as<Seq>(seq),
  );
  return engine.digest();
}

let root: string;
/** A sandbox that traded, and backups that were made meanwhile. */
let data: string;
let backup: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'backup-'));
  data = join(root, 'data');
  backup = join(root, 'under-load');
  const many = ['--snapshot-every-commands', '1000', '--keep-journal-days', '3650'];
  const server = await startServer(data, many);
  // Few orders a request: what is restored hundreds of times below stays small.
  const load = trade(server, 3);
  const snapshots = join(data, 'snapshots');
  await until(() => existsSync(snapshots) && readdirSync(snapshots).length > 1);
  const before = load.last();
  const made = await runBeside(['backup', data, backup]).ended;
  expect([made.code, made.stderr]).toMatchObject([0, expect.not.stringContaining('bourse:')]);
  expect(made.stdout.toString()).toContain('Master key  not in the backup');
  await load.stop();
  writeFileSync(join(root, 'acknowledged'), before);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('bourse backup', () => {
  test('DEC-OPR-274: under load is the state at its last entry, restored elsewhere', async () => {
    const restored = join(folder, 'restored');
    const ran = run(['restore', backup, restored]);
    expect([ran.code, ran.stdout.toString()]).toEqual([0, expect.stringContaining('All sound.')]);
    const { lastEntry, snapshotAt } = manifestOf(backup);
    const digest = /State {6}entry (\d+), .*digest (\w+),/.exec(ran.stdout.toString())!;
    expect(digest[1]).toBe(String(lastEntry));
    expect(digest[2]).toBe(await digestAt(data, lastEntry));
    expect(snapshotAt).toBeGreaterThan(0);

    cpSync(join(data, 'master.key'), join(restored, 'master.key'));
    const server = await startServer(restored);
    const client = new TradingClient(server.demo, 'alice');
    const orderId = readFileSync(join(root, 'acknowledged'), 'utf8');
    const answer = await client.call('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
    expect(answer).toMatchObject({ status: 200, body: { orderId } });
    client.close();
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  }, 60_000);

  test.runIf(isEvery)(
    'DEC-OPR-274: while segments are deleted and with a stream, starts elsewhere',
    async () => {
      const source = join(folder, 'source');
      const server = await startServer(source, ['--snapshot-every-commands', '1000', '--keep-journal-days', '0']);
      const load = trade(server, 20);
      const retained = join(source, 'journal', 'retained');
      await until(() => existsSync(retained));
      const refused = await runBeside(['backup', source, join(folder, 'without'), '--without-history']).ended;
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('history could not be rebuilt')]);
      const { code, stdout } = await runBeside(['backup', source, '--stream', '--with-master-key']).ended;
      await load.stop();
      server.process.kill('SIGTERM');
      await server.ended;
      expect(code).toBe(0);
      const restored = join(folder, 'restored');
      const ran = run(['restore', '-', restored], { input: stdout });
      expect([ran.code, ran.stdout.toString()]).toEqual([0, expect.stringContaining('All sound.')]);
      expect(ran.stdout.toString()).not.toContain('master key is not');
      const again = await startServer(restored);
      again.process.kill('SIGTERM');
      expect(await again.ended).toBe(0);
    },
    180_000,
  );

  test.runIf(isEvery)(
    'DEC-OPR-275: without history the first start makes it anew',
    async () => {
      const other = join(folder, 'other');
      expect(run(['backup', data, other, '--without-history', '--with-master-key']).code).toBe(0);
      expect(filesOf(other)).not.toContain('data/history.db');
      const restored = join(folder, 'restored');
      expect(run(['restore', other, restored]).stdout.toString()).toContain('History is made anew');
      const server = await startServer(restored);
      const client = new TradingClient(server.demo, 'alice');
      const answer = await client.call('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', limit: '1000' });
      expect((answer!.body as unknown[]).length).toBe(1000);
      client.close();
      server.process.kill('SIGTERM');
      await server.ended;
    },
    60_000,
  );

  test('DEC-OPR-275: what cannot be done is refused, and nothing is left', () => {
    const there = join(folder, 'there');
    mkdirSync(there);
    writeFileSync(join(there, 'file'), '');
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['backup', data, there], 2, 'is there already'],
      [['backup', data, join(there, 'file')], 2, 'is there already'],
      [['backup', data], 2, '--stream'],
      [['backup', data, join(folder, 'x'), '--stream'], 2, 'one of them'],
      [['backup', data, join(data, 'backup')], 2, 'in the data directory'],
      [['backup', join(folder, 'nothing'), join(folder, 'x')], 3, 'holds no exchange'],
      [['backup', data, join(folder, 'x'), '--config', join(folder, 'none.json')], 2, 'none.json'],
      [['backup', data, join(folder, 'x'), '--market', join(folder, 'none.jsonc')], 2, 'none.jsonc is not there'],
      [['restore', backup, there], 2, 'is there already'],
      [['restore', join(folder, 'nothing'), join(folder, 'x')], 2, 'is not there'],
      [['restore', there, join(folder, 'x')], 3, 'which no backup does'],
    ];
    for (const [args, code, text] of shareOf(cases, 3)) {
      const ran = run(args);
      expect([args, ran.code, ran.stderr]).toEqual([args, code, expect.stringContaining(text)]);
    }
    expect(readdirSync(folder)).toEqual(['there']);
    expect(readdirSync(there)).toEqual(['file']);
  }, 60_000);

  test('DEC-OPR-276: killed at any moment, it leaves nothing that looks whole', async () => {
    for (const after of shareOf([0, 60, 150, 20], 2)) {
      const target = join(folder, `killed-${after}`);
      const { child, ended } = runBeside(['backup', data, target]);
      for (
        let tries = 0;
        tries < 400 && !readdirSync(folder).some((name) => name.startsWith(`killed-${after}`));
        tries += 1
      )
        await setTimeout(5);
      await setTimeout(after);
      child.kill('SIGKILL');
      await ended;
      const left = readdirSync(folder).filter((name) => name.startsWith(`killed-${after}`));
      for (const name of left) {
        const isWhole = name === `killed-${after}`;
        const hasSums = existsSync(join(folder, name, 'SHA256SUMS'));
        const refusal = await restoreBackup(join(folder, name), join(folder, 'restored'), silent).then(
          () => null,
          (error: Error) => error.message,
        );
        if (isWhole) expect(refusal).toBeNull();
        // The copy of history that it was about to pack may still lie there, and is refused first.
        else if (!hasSums) expect(refusal).toMatch(/SHA256SUMS is missing|scratch\/history\.db/);
        rmSync(join(folder, 'restored'), { recursive: true, force: true });
      }
    }
  }, 60_000);
});

describe('bourse backup --stream', () => {
  test('DEC-OPR-274: fails where nobody reads it to its end', async () => {
    const { child, ended } = runBeside(['backup', data, '--stream']);
    child.stdout!.once('data', () => child.stdout!.destroy());
    const ran = await ended;
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('standard output')]);
  });
});

describe('bourse restore', () => {
  const refused = async (source: string): Promise<string> => {
    const target = join(folder, 'restored');
    const message = await restoreBackup(source, target, silent).then(
      () => 'restored',
      (error: Error) => error.message,
    );
    expect(existsSync(target), message).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    return message;
  };

  test('DEC-OPR-276: a byte changed, a file missing or added is refused, whichever file it is', async () => {
    const copy = join(folder, 'copy');
    cpSync(backup, copy, { recursive: true });
    const names = filesOf(copy);
    const kinds = ['journal/0', 'snapshots/', 'history.db', 'demo.json', 'manifest.json', 'SHA256SUMS'];
    for (const kind of kinds)
      expect(
        names.some((name) => name.includes(kind)),
        kind,
      ).toBe(true);
    for (const name of names) {
      const path = join(copy, name);
      const bytes = readFileSync(path);
      for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const spoilt = Buffer.from(bytes);
        spoilt[at]! ^= 1;
        writeFileSync(path, spoilt);
        expect(await refused(copy), `${name} at ${at}`).toMatch(/damaged|missing|SHA256SUMS|no backup does/);
      }
      writeFileSync(path, bytes.subarray(0, -1));
      expect(await refused(copy), name).toMatch(/damaged|cut short|missing/);
      rmSync(path);
      expect(await refused(copy), name).toMatch(/missing|not whole/);
      writeFileSync(path, bytes);
    }
    writeFileSync(join(copy, 'data', 'now'), '1');
    expect(await refused(copy)).toBe('data/now is in the backup, but not in SHA256SUMS');
  }, 60_000);

  test('DEC-OPR-276: a stream that is cut short or changed is refused, wherever', async () => {
    const tar = run(['backup', data, '--stream']).stdout;
    const path = join(folder, 'backup.tar');
    const headers = [...Array(tar.length / 512).keys()].filter(
      (block) => tar.toString('latin1', block * 512 + 257, block * 512 + 262) === 'ustar',
    );
    // Each file is cut before, in or behind its header; the first is cut at all three places.
    const places = [0, 511, 600];
    const ofFiles = headers.map((block, index) => block * 512 + places[index % places.length]!);
    const cuts = [1, ...places, ...ofFiles, tar.length - 512, tar.length - 1];
    for (const cut of cuts) {
      writeFileSync(path, tar.subarray(0, cut));
      expect(await refused(path), `cut at ${cut}`).toMatch(/cut short/);
    }
    // Of the first header every field is changed, of the others one each in turn.
    const fields = [0, 60, 130, 150, 156, 260];
    for (const [index, block] of headers.entries()) {
      for (const at of index === 0 ? fields : [fields[index % fields.length]!]) {
        const spoilt = Buffer.from(tar);
        spoilt[block * 512 + at]! ^= 1;
        writeFileSync(path, spoilt);
        expect(await refused(path), `block ${block} at ${at}`).toMatch(/damaged|no backup does/);
      }
    }
    writeFileSync(path, tar);
    expect((await restoreBackup(path, join(folder, 'restored'), silent)).report).toContain('All sound.');
  }, 60_000);

  test('DEC-OPR-276: an exchange that is not sound is refused although every hash fits', async () => {
    const copy = join(folder, 'copy');
    cpSync(backup, copy, { recursive: true });
    const sums = join(copy, 'SHA256SUMS');
    const name = /data\/journal\/.*/.exec(readFileSync(sums, 'utf8'))![0];
    const path = join(copy, name);
    const bytes = readFileSync(path);
    bytes[2000]! ^= 1;
    writeFileSync(path, bytes);
    const line = `${createHash('sha256').update(bytes).digest('hex')}  ${name}`;
    writeFileSync(sums, readFileSync(sums, 'utf8').replace(new RegExp(`^.*  ${name}$`, 'm'), line));
    expect(await refused(copy)).toMatch(/not sound(.|\n)*at byte|at byte/);
  }, 60_000);
});
