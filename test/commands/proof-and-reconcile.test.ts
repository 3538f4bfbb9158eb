import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLiabilityProofs } from '#proof/liability-proofs.ts';

const project = join(import.meta.dirname, '..', '..');
let folder = '';
const path = (name: string): string => join(folder, name);
const write = (name: string, content: unknown): string => {
  writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
  return path(name);
};

/** Runs `bourse` as a process; nothing of this machine's environment tells it a token. */
async function bourse(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['dist/main/bourse.js', ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...environment },
  });
  let [out, fault] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (fault += chunk));
  const status = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { status, out, fault };
}

let proof: Record<string, unknown>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-'));
  const proofs = createLiabilityProofs(async () => ({
    seq: 7,
    at: 1_700_000_000_000,
    accounts: [1, 2, 3].map((uid) => ({ uid: 10_000_000 + uid, balances: new Map([['USDT', BigInt(uid) * 100n]]) })),
  }));
  write('root.json', (await proofs.make())!);
  proof = { ...proofs.proofOf(10_000_002)! };
  write('proof.json', proof);
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (file: string, root: string) => bourse(['proof', 'verify', path(file), '--root', path(root)]);

test('DEC-WAL-80: a proof that holds names what was counted, with exit code 0', async () => {
  expect(await verify('proof.json', 'root.json')).toEqual({
    status: 0,
    out:
      'proved: at 2023-11-14T22:13:20.000Z the exchange counted for account 10000002, in smallest units\n' +
      '  USDT  200 of 600\n',
    fault: '',
  });
});

test('DEC-WAL-80: tampered proofs and roots are not proved, with exit code 1', async () => {
  const [step] = proof['path'] as { node: { hash: string } }[];
  const hidden = { ...step, node: { ...step!.node, sums: { USDT: '0' } } };
  const tampered: Record<string, unknown> = {
    'other-balance.json': { ...proof, balances: { USDT: '201' } },
    'other-uid.json': { ...proof, uid: '10000001' },
    'hidden.json': { ...proof, path: [hidden, ...(proof['path'] as unknown[]).slice(1)] },
    'negative.json': { ...proof, balances: { USDT: '-1' } },
    'cut.json': JSON.stringify(proof).slice(0, 100),
    'garbage.json': '\u0000\u0001 nothing',
    'list.json': [],
  };
  for (const [name, content] of Object.entries(tampered)) {
    write(name, content);
    const { status, out, fault } = await verify(name, 'root.json');
    expect([name, status, out, fault.startsWith('not proved: ')]).toEqual([name, 1, '', true]);
  }
  write('root-2.json', { version: 1, seq: 7, at: 1, accounts: 3, root: { hash: '0'.repeat(64), sums: {} } });
  expect((await verify('proof.json', 'root-2.json')).fault).toBe('not proved: the path does not lead to the root\n');
  expect((await verify('proof.json', 'proof.json')).status).toBe(1);
});

test('missing files and a missing root are usage faults, with exit code 2', async () => {
  expect((await verify('nowhere.json', 'root.json')).status).toBe(2);
  expect((await verify('proof.json', 'nowhere.json')).status).toBe(2);
  expect((await bourse(['proof', 'verify', path('proof.json')])).status).toBe(2);
});

let server: Server | null = null;
afterEach(() => void server?.close());

/** An operator port that answers this, and what it was asked with. */
async function answering(status: number, content: unknown): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = [];
  server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    response.writeHead(status).end(typeof content === 'string' ? content : JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, tokens };
}
const row = (changes: object) => ({
  asset: 'BTC',
  expected: '2',
  inCustody: '2',
  difference: '0',
  rounding: '0',
  isComplete: true,
  isExplained: true,
  networks: [{ network: 'BTC', amount: '2', remainder: '0' }],
  ...changes,
});
const token = { BOURSE_OPERATOR_TOKEN: 'secret' };

test('DEC-WAL-81: bourse reconcile prints a table, and exit code 0 says that all is explained', async () => {
  const { url, tokens } = await answering(200, { items: [row({})] });
  expect(await bourse(['reconcile', '--url', url], token)).toEqual({
    status: 0,
    out: 'asset  expected  in custody  difference\nBTC           2           2           0\n\nall is explained\n',
    fault: '',
  });
  expect(tokens).toEqual(['Bearer secret']);
  await bourse(['reconcile', '--url', url, '--token-file', write('token', 'from-file\n')], token);
  write('demo.json', { operator_url: url, operator_token: 'of-demo' });
  await bourse(['reconcile', '--data', folder]);
  expect(tokens.slice(1)).toEqual(['Bearer from-file', 'Bearer of-demo']);
});

test('DEC-WAL-81: a lasting difference and a silent network are named, with exit code 1', async () => {
  const silent = row({ isComplete: false, isExplained: false, networks: [{ network: 'ETH', amount: null }] });
  const less = row({ asset: 'SOL', difference: '-0.5', isExplained: false });
  const { url, tokens } = await answering(200, { items: [silent, less] });
  const { status, fault } = await bourse(['reconcile', '--url', url], token);
  expect([status, tokens.length]).toEqual([1, 3]);
  expect(fault).toContain('BTC: no answer from ETH\nSOL: custody has 0.5 less than the ledger explains\n');
});

test('an exchange that refuses, talks nonsense or is not there is told with exit code 1', async () => {
  const { url } = await answering(403, { detail: 'The token lacks ledger:read.' });
  const refused = await bourse(['reconcile', '--url', url], token);
  expect(refused).toEqual({
    status: 1,
    out: '',
    fault: `bourse: ${url} refuses with 403: The token lacks ledger:read.\n`,
  });
  server!.close();
  expect((await bourse(['reconcile', '--url', url], token)).status).toBe(1);
  const other = await answering(200, 'hello');
  expect((await bourse(['reconcile', '--url', other.url], token)).fault).toContain('no operator API');
});

test('without a token, with a token file that is not there or no address, exit code 2', async () => {
  const nowhere = ['reconcile', '--data', path('nowhere')];
  expect((await bourse(nowhere)).status).toBe(2);
  expect((await bourse([...nowhere, '--token-file', path('nowhere')], token)).status).toBe(2);
  expect((await bourse([...nowhere, '--url', 'ftp://x'], token)).status).toBe(2);
});
