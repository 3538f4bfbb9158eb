import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Done, bourseInProcess } from '../bourse-in-process.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-op-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
let server: Server | null = null;
afterEach(() => void server?.close());

interface Seen {
  readonly target: string;
  readonly key: string | undefined;
}
type Answering = (response: ServerResponse, at: number) => void;

/** An operator port that answers so, one request after the other, and what it was asked. */
async function listening(answer: Answering): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer((request: IncomingMessage, response) => {
    const { url = '', headers } = request;
    seen.push({ target: `${request.method} ${url}`, key: headers['idempotency-key'] as string | undefined });
    request.resume().on('end', () => answer(response, seen.length));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server!.address() as { port: number }).port}`, seen };
}

const op = (url: string, words: string, isWatched = false): Promise<Done> =>
  bourseInProcess(['op', ...words.split(' '), '--url', url], {
    isWatched,
    environment: { HOME: folder, BOURSE_OPERATOR_TOKEN: 'token-of-the-tests-0123456789' },
  });
const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const problem = (code: string, detail: string) => ({ type: 'x', title: detail, status: 0, detail, code });
const drop: Answering = (response) => void response.socket!.destroy();
const revoke = `tokens revoke ${'0123456789abcdef'.repeat(4)} --yes`;

test('DEC-OPR-264: a lost answer is asked for once more, of a write with the same key', async () => {
  for (const lose of [
    drop,
    (response: ServerResponse) => json(response, 504, problem('outcomeUnknown', 'Unknown.')),
    (response: ServerResponse) => void response.writeHead(502).end('bad gateway'),
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id":');
      response.socket!.destroy();
    },
  ]) {
    const { url, seen } = await listening((response, at) =>
      at === 1 ? lose(response, at) : json(response, 200, { id: 'x' }),
    );
    expect(await op(url, revoke)).toMatchObject({ exit: 0, out: 'id  x\n' });
    const [first, second] = seen;
    expect(second).toEqual(first);
    expect(first!.key).toMatch(/^[0-9a-f-]{36}$/);
    server!.close();
  }
});

test('DEC-OPR-264: what is lost twice is unknown, with the key that repeats it', async () => {
  const { url, seen } = await listening(drop);
  const lost = await op(url, revoke);
  expect(lost).toMatchObject({ exit: 7, out: '' });
  expect(lost.told).toContain(
    `the outcome is unknown. Look, or repeat the command with --idempotency-key ${seen[0]!.key}`,
  );
  await op(url, `${revoke} --idempotency-key of-my-own`);
  expect(seen.slice(2).map(({ key }) => key)).toEqual(['of-my-own', 'of-my-own']);
  expect(await op(url, 'tokens list')).toMatchObject({ exit: 6 });
});

test('DEC-OPR-264: where nobody listens nothing happened, and nothing is said of a key', async () => {
  const { url } = await listening(drop);
  await new Promise((resolve) => void server!.close(resolve));
  const { exit, told } = await op(url, revoke);
  expect([exit, told]).toEqual([6, expect.stringContaining(`${url} does not answer: connect ECONNREFUSED`)]);
  expect(told).not.toContain('key');
});

test('DEC-OPR-264: a token whose answer was lost is told to be lost', async () => {
  const inUse = problem('idempotencyKeyInUse', 'The idempotency key was used for another request.');
  const { url } = await listening((response, at) => (at === 1 ? drop(response, at) : json(response, 422, inUse)));
  const done = await op(url, 'tokens create --actor olga --scopes pairs:read --valid-hours 1');
  expect(done).toMatchObject({ exit: 1, told: expect.stringContaining('take it back, and make another') });
});

test.each([
  [400, 'invalidMember', 2],
  [401, 'invalidToken', 5],
  [403, 'accessDenied', 5],
  [404, 'unknownToken', 1],
  [409, 'wrongState', 1],
  [422, 'invalidConfiguration', 1],
  [429, 'tooManyRequests', 6],
  [500, 'internalError', 7],
  [503, 'unavailable', 6],
])('DEC-OPR-261: a write that is refused with %i %s ends with %i', async (status, code, exit) => {
  const { url, seen } = await listening((response) => json(response, status, problem(code, 'It was refused.')));
  const done = await op(url, revoke);
  expect([done.exit, done.told.split('\n')[0]]).toEqual([exit, `bourse: It was refused (${code})`]);
  expect(done.told.includes(seen[0]!.key!)).toBe(exit === 7);
  expect(seen).toHaveLength(1);
});

test('DEC-OPR-261: what is no operator API is told to be none', async () => {
  for (const answer of [
    (response: ServerResponse) => void response.writeHead(404).end('<html>'),
    (response: ServerResponse) => json(response, 404, { code: 404, msg: 'Not Found' }),
    (response: ServerResponse) => void response.writeHead(301, { location: 'http://elsewhere.example/' }).end(),
    (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ]) {
    const { url, seen } = await listening(answer);
    const { exit, told } = await op(url, 'safety');
    expect([exit, told]).toEqual([6, expect.stringContaining('operator API of this version')]);
    expect(seen).toHaveLength(1);
    server!.close();
  }
});

test('DEC-OPR-142: what waits for a second operator is told, and its proposal shown', async () => {
  const proposal = { proposal: 3, state: 'open', endsAt: 86_400_000 };
  const { url } = await listening((response) => json(response, 202, proposal));
  const { exit, out, told } = await op(url, 'prices remove XRP --reason old --yes');
  expect([exit, told]).toEqual([0, 'It waits for a second operator: this is its proposal.\n']);
  expect(out).toMatch(/^endsAt +1970-01-02T00:00:00\.000Z$/m);
});

test('DEC-OPR-266, DEC-OPR-229: a streamed answer goes to standard output as it comes, or into a file that is whole', async () => {
  const csv = (response: ServerResponse, lines: number, isWhole: boolean): void => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    for (let line = 0; line < lines; line += 1) response.write(`${line},"text"\n`.repeat(1000));
    if (isWhole) response.end();
    else setImmediate(() => response.socket!.destroy());
  };
  const whole = await listening((response) => csv(response, 200, true));
  const { out } = await op(whole.url, 'safety');
  expect([out.length, out.startsWith('0,"text"\n')]).toEqual([
    out.split('\n').slice(0, -1).join('\n').length + 1,
    true,
  ]);
  const path = join(folder, 'lines.csv');
  expect(await op(whole.url, `safety --out ${path}`)).toMatchObject({
    exit: 0,
    out: '',
    told: `${path}: ${out.length} bytes\n`,
  });
  expect(readFileSync(path, 'utf8')).toBe(out);
  const again = join(folder, 'again.csv');
  const watched = await op(whole.url, `safety --out ${again}`, true);
  // How far it is, over and over in one line, which is taken away.
  expect(watched.told).toMatch(/^\r\d+ lines(?:\r\d+ lines)*\r/);
  expect(watched.told.endsWith(`\r${again}: ${out.length} bytes\n`)).toBe(true);
  expect((await op(whole.url, 'safety', true)).told).toMatch(/^\r\d+ lines/);
  rmSync(again);
  server!.close();
  const broken = await listening((response) => csv(response, 3, false));
  const early = await op(broken.url, `safety --out ${join(folder, 'early.csv')}`);
  expect(early).toMatchObject({ exit: 6, told: expect.stringContaining('ended early') });
  expect(readdirSync(folder)).toEqual(['lines.csv']);
});
