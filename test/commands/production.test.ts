import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import type { Entry } from '#model/command.ts';
import { as } from '#model/units.ts';
import { catalogue as operatorCatalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { catalogue as publicCatalogue } from '#public-api/catalogue.ts';
import { startTestOperator } from '../operator/operator-harness.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
const token = 'cd'.repeat(32);
const env = {
  ...process.env,
  BOURSE_JOURNAL_SEGMENT_MIB: '1',
  BOURSE_MASTER_KEY: 'ab'.repeat(32),
  BOURSE_OPERATOR_TOKEN: token,
};
/** What a sandbox alone keeps in its directory. */
const sandboxFiles = ['demo.json', 'exchange-time.json', 'now', 'secrets-made.json', 'seed', 'simulated-chain.jsonl'];
const folder = mkdtempSync(join(tmpdir(), 'production-'));
const data = join(folder, 'data');
let running: { readonly child: ChildProcess; readonly url: string; readonly operatorUrl: string } | null = null;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function start(): Promise<void> {
  const operatorPort = await freePort();
  const args = [
    'start',
    '--data',
    data,
    '--profile',
    'production',
    '--port',
    '0',
    '--operator-port',
    `${operatorPort}`,
  ];
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.on('data', (chunk) => (text += chunk));
  for (let left = 600; left > 0; left -= 1) {
    const url = /Bourse is ready: (http:\/\/[^\s"]+)/.exec(text)?.[1];
    if (url !== undefined) {
      running = { child, url, operatorUrl: `http://127.0.0.1:${operatorPort}` };
      return;
    }
    await setTimeout(50);
  }
  child.kill('SIGKILL');
  throw new Error(`it did not start:\n${text}`);
}

async function stop(): Promise<void> {
  const child = running?.child;
  running = null;
  if (child === undefined) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A start that is refused: its exit code and what it says. */
function refused(
  args: readonly string[],
  changes: Readonly<Record<string, string>> = {},
  at = join(folder, 'refused'),
) {
  const all = ['start', '--data', at, '--profile', 'production', '--port', '0', '--operator-port', '0', ...args];
  const { status, stderr } = spawnSync(process.execPath, [entry, ...all], {
    env: { ...env, ...changes },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stderr };
}

beforeAll(start, 60_000);
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const asked = async (path: string, method = 'GET', body?: string) => {
  const reply = await fetch(running!.operatorUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: reply.status, text: await reply.text() };
};
/** A path of the catalogue with something in place of its parameters. */
const filled = (path: string): string => path.replace(/\{\w+\}/g, 'ETH');

describe('DEC-OPR-295: routes of a sandbox in production', () => {
  const endpoints = Object.entries<AnyOperatorEndpoint>(operatorCatalogue);
  const ofSandbox = endpoints.filter(([, { sandboxOnly }]) => sandboxOnly !== undefined);

  test('every endpoint that controls a part of the sandbox answers as a path that nobody knows, whoever asks', async () => {
    expect(ofSandbox.length).toBeGreaterThan(7);
    const sandbox = await startTestOperator({ hasChains: true });
    for (const [id, { method, path, body }] of ofSandbox) {
      const sent = body === null ? undefined : '{}';
      const unknown = await asked(`/v1/nowhere${filled(path)}`, method, sent);
      expect([id, await asked(filled(path), method, sent)]).toEqual([id, unknown]);
      expect([id, unknown.status]).toEqual([id, 404]);
      expect(unknown.text).toContain('"code":"unknownPath"');
      // In a sandbox it is there.
      const known = await sandbox.ask(method, filled(path), body === null ? undefined : {});
      expect([id, known.status === 405 || known.text.includes('"code":"unknownPath"')]).toEqual([id, false]);
    }
    await sandbox.close();
  });

  test('all others are served, and the document names them alone', async () => {
    for (const [id, { method, path, body, sandboxOnly }] of endpoints) {
      if (sandboxOnly !== undefined) continue;
      const { text } = await asked(filled(path), method, body === null ? undefined : '{"unknown":1}');
      expect([id, text.includes('"code":"unknownPath"')]).toEqual([id, false]);
    }
    const document = JSON.parse((await asked('/openapi.json')).text) as { paths: Record<string, object> };
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = endpoints
      .filter(([, { sandboxOnly }]) => sandboxOnly === undefined)
      .map(([, { method, path }]) => `${method} ${path}`);
    expect(told.sort()).toEqual(served.sort());
  });

  test('no public endpoint is of a sandbox, and none tells what it expected to be signed', async () => {
    const opened = await asked('/v1/accounts', 'POST', JSON.stringify({ name: 'carol', class: 'user', kycLevel: 1 }));
    const { uid } = JSON.parse(opened.text) as { uid: number };
    const made = await asked(
      `/v1/accounts/${uid}/api-keys`,
      'POST',
      JSON.stringify({ note: 'hers', permissions: ['SPOT_ACCOUNT_READ'], ips: [] }),
    );
    const { accessKey, secretKey } = JSON.parse(made.text) as { accessKey: string; secretKey: string };
    expect([opened.status, made.status]).toEqual([201, 201]);
    const unknown = await (await fetch(`${running!.url}/api/v3/nowhere`)).text();
    let refusedSignatures = 0;
    for (const [id, { method, path }] of Object.entries(publicCatalogue)) {
      const query = `timestamp=${Date.now()}`;
      const signature = createHmac('sha256', `${secretKey}x`).update(query).digest('hex');
      const reply = await fetch(`${running!.url}${path}?${query}&signature=${signature}`, {
        method,
        headers: { 'X-SVC-APIKEY': accessKey },
      });
      const text = await reply.text();
      expect([id, reply.headers.get('x-bourse-signed-text'), text === unknown]).toEqual([id, null, false]);
      if (/signature/i.test(text)) refusedSignatures += 1;
    }
    expect(refusedSignatures).toBeGreaterThan(50);
  });

  test('pages offer no demo keys, name no demo account, and other pages of this machine may not ask', async () => {
    const { url } = running!;
    const bodyOf = async (path: string) => {
      const reply = await fetch(url + path, { headers: { 'sec-fetch-site': 'same-origin' } });
      return [reply.status, (await reply.text()).replaceAll(path, 'PATH')];
    };
    expect(await bodyOf('/docs/demo-keys.json')).toEqual(await bodyOf('/docs/nowhere.json'));
    expect((await bodyOf('/docs/demo-keys.json'))[0]).toBe(404);
    expect((await bodyOf('/metrics'))[0]).toBe(404);
    for (const page of ['/', '/docs'])
      expect(String((await bodyOf(page))[1])).not.toMatch(/\balice\b|demo\.json|play money/i);
    const origin = 'http://localhost:3000';
    const { headers } = await fetch(`${url}/api/v3/ping`, { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).not.toBe(origin);
  });
});

/** Every entry of the journal of the stopped exchange. */
async function entriesOf(directory: string): Promise<readonly Entry[]> {
  const reader = await openJournalReader(nodeFileOperations, join(directory, 'journal'));
  const entries: Entry[] = [];
  for await (const batch of reader.read(as(1))) entries.push(...batch);
  return entries;
}

describe('DEC-OPR-297: files of a sandbox and production', () => {
  test('production writes none of them, and its journal begins with its profile and has nothing simulated', async () => {
    await stop();
    const names = readdirSync(data, { recursive: true }) as string[];
    expect(names.filter((name) => sandboxFiles.includes(name) || name === 'master.key')).toEqual([]);
    const commands = (await entriesOf(data)).map(({ command }) => command);
    expect(commands[0]).toEqual({ kind: 'recordProfile', profile: 'production' });
    const plain = commands.map((command) => (command.kind === 'operate' ? command.command : command));
    expect(plain.map(({ kind }) => kind)).toContain('registerAccount');
    expect(plain.filter((command) => command.kind === 'creditFunds')).toEqual([]);
    expect(plain.filter((command) => 'simulated' in command && command.simulated)).toEqual([]);
  });

  test('a start on a directory with any of them is refused with exit code 2, and changes nothing', () => {
    for (const at of [data, join(folder, 'new')]) {
      mkdirSync(at, { recursive: true });
      for (const name of sandboxFiles) writeFileSync(join(at, name), `${name}\n`);
      const before = readdirSync(at).sort();
      const { status, stderr } = refused([], {}, at);
      const [line, ...more] = stderr.trimEnd().split('\n');
      const { msg } = JSON.parse(line!) as { readonly msg: string };
      const told = `${at} has files of a sandbox, which cannot be in production: remove `;
      expect([msg.slice(0, told.length), more]).toEqual([told, []]);
      expect(/remove (.*), or choose another --data$/.exec(msg)![1]!.split(', ').sort()).toEqual(sandboxFiles);
      expect([status, readdirSync(at).sort()]).toEqual([2, before]);
      for (const name of sandboxFiles) {
        expect(readFileSync(join(at, name), 'utf8')).toBe(`${name}\n`);
        rmSync(join(at, name));
      }
    }
  }, 30_000);

  test('without them it starts again', async () => {
    await start();
    expect((await asked('/v1/safety')).status).toBe(200);
    await stop();
  }, 60_000);
});

describe('DEC-OPR-298: settings of a sandbox are refused in production', () => {
  test('each by a sentence of its own, and no directory is made', () => {
    const { status, stderr } = refused([
      ...['--simulate', '--seed', '7', '--now', '2026-01-01T00:00:00Z', '--clock', 'manual'],
      ...['--no-rate-limits', '--broker-query-only-signature'],
    ]);
    for (const sentence of [
      'simulate: the simulated market exists in the sandbox only.',
      'seed: keys made from a seed can be guessed; production makes none.',
      'now: the time of production is that of the machine.',
      'no-rate-limits: rate limits can be lifted in the sandbox only.',
      'broker-query-only-signature: bodies that nobody signed are accepted in the sandbox only.',
    ])
      expect(stderr).toContain(sentence);
    expect([status, existsSync(join(folder, 'refused'))]).toEqual([2, false]);
    const manual = refused(['--clock', 'manual']);
    expect([manual.status, manual.stderr]).toEqual([2, expect.stringContaining('clock: ')]);
  });

  test('a master key that was derived from a seed', () => {
    const file = join(folder, 'guessable.key');
    writeFileSync(file, `# derived from a seed: guessable, for this machine only\n${'ab'.repeat(32)}\n`);
    chmodSync(file, 0o600);
    const { status, stderr } = refused(['--master-key-file', file], { BOURSE_MASTER_KEY: '' });
    expect(stderr).toContain('was derived from the seed of a sandbox and can be guessed');
    expect([status, existsSync(join(folder, 'refused'))]).toEqual([2, false]);
  });
});
