import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readTextFile } from '#main/configuration/config.ts';
import { addReconcileCommand } from '#main/commands/reconcile-commands.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import { finish, type Work } from '#operator-commands/terminal.ts';
import { createLiabilityProofs } from '#proof-of-liabilities/liability-proofs.ts';
import { bourseInProcess, memoryTerminal } from '../bourse-in-process.ts';

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

/** The same without a process, for what differs in arguments and files only. */
async function answerOf(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { exit, out, told } = await bourseInProcess(args, { environment: { HOME: folder, ...environment } });
  return { exit, text: out + told };
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

const verification = (file: string, root: string) => ['proof', 'verify', path(file), '--root', path(root)];
const verify = (file: string, root: string) => bourse(verification(file, root));
const check = (file: string, root: string) => answerOf(verification(file, root));

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
    const { exit, text } = await check(name, 'root.json');
    expect([name, exit, text.startsWith('not proved: ')]).toEqual([name, 1, true]);
  }
  write('root-2.json', { version: 1, seq: 7, at: 1, accounts: 3, root: { hash: '0'.repeat(64), sums: {} } });
  const text = 'not proved: the path does not lead to the root\n';
  expect(await verify('proof.json', 'root-2.json')).toEqual({ status: 1, out: '', fault: text });
  expect(await check('proof.json', 'root-2.json')).toEqual({ exit: 1, text });
  expect((await check('proof.json', 'proof.json')).exit).toBe(1);
});

test('missing files and a missing root are usage faults, with exit code 2', async () => {
  expect((await verify('nowhere.json', 'root.json')).status).toBe(2);
  expect((await check('proof.json', 'nowhere.json')).exit).toBe(2);
  expect((await answerOf(['proof', 'verify', path('proof.json')])).exit).toBe(2);
});

let server: Server | null = null;
afterEach(() => void server?.close());

/** An operator port that answers this, and what it was asked with. */
async function answering(status: number, content: unknown): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = [];
  server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    const [type, text] =
      typeof content === 'string' ? ['text/html', content] : ['application/json', JSON.stringify(content)];
    response.writeHead(status, { 'content-type': type! }).end(text);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, tokens };
}
const row = (changes: object) => ({
  asset: 'BTC',
  expected: '2',
  inCustody: '2',
  byHand: null as string | null,
  difference: '0',
  rounding: '0',
  isComplete: true,
  isExplained: true,
  networks: [{ network: 'BTC', amount: '2', isByHand: false, remainder: '0' }],
  ...changes,
});
const secret = 'secret-of-the-tests';
const token = { BOURSE_OPERATOR_TOKEN: secret };

test('DEC-WAL-81: bourse reconcile prints a table, and exit code 0 says that all is explained', async () => {
  const { url, tokens } = await answering(200, { items: [row({})] });
  expect(await bourse(['reconcile', '--url', url], token)).toEqual({
    status: 0,
    out:
      'asset  expected  in custody  by hand  difference\n' +
      'BTC           2           2  -                 0\n\nall is explained\n',
    fault: '',
  });
  expect(tokens).toEqual([`Bearer ${secret}`]);
  chmodSync(write('token', 'token-from-a-file\n'), 0o600);
  await answerOf(['reconcile', '--url', url, '--token-file', path('token')], token);
  write('demo.json', { operator_url: url, operator_token: 'token-of-the-demo' });
  await answerOf(['reconcile', '--data', folder]);
  expect(tokens.slice(1)).toEqual(['Bearer token-from-a-file', 'Bearer token-of-the-demo']);
});

test('DEC-WAL-81: a lasting difference and a silent network are named, with exit code 1', async () => {
  const silent = row({
    isComplete: false,
    isExplained: false,
    networks: [{ network: 'ETH', amount: null, isByHand: false }],
  });
  const less = row({ asset: 'SOL', difference: '-0.5', isExplained: false });
  const { url, tokens } = await answering(200, { items: [silent, less] });
  const pauses: number[] = [];
  let work: Work | null = null;
  const program = new Command();
  const pause = async (ms: number) => pauses.push(ms);
  addReconcileCommand(program, { environment: token, readFile: readTextFile, readPrivateFile, pause }, (later) => {
    work = later;
  });
  program.parse(['reconcile', '--url', url], { from: 'user' });
  const { terminal, written } = memoryTerminal();
  const exit = await finish(work!, terminal);
  const text = written();
  expect([exit, tokens.length, pauses]).toEqual([1, 3, [2000, 2000]]);
  expect(text).toContain('BTC: no answer from ETH\nSOL: custody has 0.5 less than the ledger explains\n');
});

test('DEC-OPR-186: bourse reconcile says what must be where nobody reads, and compares it with what was counted', async () => {
  const networks = [
    { network: 'SOL', amount: null, isByHand: true },
    { network: 'ETH', amount: '2', isByHand: false },
  ];
  const { url } = await answering(200, { items: [row({}), row({ asset: 'SOL', byHand: '7.5', networks })] });
  const reconcile = (...counted: string[]) =>
    answerOf(['reconcile', '--url', url, ...counted.flatMap((count) => ['--counted', count])], token);
  const must = 'SOL: 7.5 must be on SOL, ';
  const told = [
    [await reconcile(), 0, `all is explained\n${must}which nobody reads: count it, and give --counted\n`],
    [await reconcile('SOL=7.50'), 0, 'all is explained\n'],
    [await reconcile('SOL=7.4'), 1, `${must}another amount was counted\n`],
    [await reconcile('SOL=7.5', 'BTC=2'), 1, 'BTC: nothing of it is counted by hand\n'],
  ] as const;
  for (const [{ exit, text }, code, end] of told) {
    expect([exit, text.slice(text.indexOf('\n\n') + 2)]).toEqual([code, end]);
  }
  for (const wrong of ['SOL', 'SOL=x', 'SOL=-1', '=1']) expect((await reconcile(wrong)).exit).toBe(2);
  expect((await reconcile('SOL=1', 'SOL=2')).exit).toBe(2);
});

test('DEC-OPR-261: an exchange that refuses, talks nonsense or is not there has exit codes of its own', async () => {
  const { url } = await answering(403, { code: 'insufficientScope', detail: 'The token lacks the scope ledger:read.' });
  const refused = await bourse(['reconcile', '--url', url], token);
  const fault = 'bourse: The token lacks the scope ledger:read (insufficientScope)\n';
  expect(refused).toEqual({ status: 5, out: '', fault });
  server!.close();
  expect(await answerOf(['reconcile', '--url', url], token)).toMatchObject({ exit: 6 });
  const other = await answering(200, 'hello');
  const nonsense = await answerOf(['reconcile', '--url', other.url], token);
  expect(nonsense).toEqual({ exit: 6, text: `bourse: ${other.url} is no operator API of this version\n` });
});

test('without a token, with a token file that is not there or no address, exit code 2', async () => {
  const nowhere = ['reconcile', '--data', path('nowhere')];
  expect((await bourse(nowhere, { HOME: folder })).status).toBe(2);
  expect((await answerOf([...nowhere, '--token-file', path('nowhere')], token)).exit).toBe(2);
  expect((await answerOf([...nowhere, '--url', 'ftp://x'], token)).exit).toBe(2);
});
