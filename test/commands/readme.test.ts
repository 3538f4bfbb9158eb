import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerProcess } from '../crash/server-process.ts';
import { startServer } from '../crash/server-process.ts';

/** The examples of the README are run as they stand there, against a server of their own. */

const project = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const hasTools = spawnSync('bash', ['-c', 'command -v curl && command -v openssl']).status === 0;
let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-readme-'));
  server = await startServer(join(folder, 'data'), ['--settle-every-ms', '50']);
});
afterAll(async () => {
  server?.process.kill('SIGTERM');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Code blocks of one language below a heading, with this server's address. */
function examples(heading: string, language: string): readonly string[] {
  const section = readme.split('\n## ').find((part) => part.startsWith(heading)) ?? '';
  const blocks = [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))];
  return blocks.map(([, code = '']) => code.replaceAll('127.0.0.1:8080', new URL(server.demo.base_url).host));
}

/** Output lines of a program that runs where `./data` is the server's directory. */
function run(command: string, args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('close', () => resolve(text.trim().split('\n'))));
}
const shell = (script: string): Promise<readonly string[]> =>
  run('bash', ['-ec', script.replace(/^curl.*/gm, '$&; echo')]);

test.runIf(hasTools)('the first commands answer a book and candles', async () => {
  const [, curls = ''] = examples('Start in a minute', 'sh');
  const [depth, candles] = (await shell(curls)).map((line) => JSON.parse(line));
  expect(depth).toMatchObject({ bids: [], asks: [] });
  expect(Array.isArray(candles)).toBe(true);
});

test.runIf(hasTools)('the signed commands answer balances and place an order', async () => {
  const [script = ''] = examples('Sign a request', 'sh');
  const [account, order] = (await shell(script)).map((line) => JSON.parse(line));
  expect(account.balances.length).toBeGreaterThan(0);
  expect(order).toMatchObject({ symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__\d+$/) });
});

test.runIf(hasTools)(
  'DEC-CMP-05: the text that the server signed, decoded as shown, gives the right signature',
  async () => {
    const [script = '', decoder = ''] = examples('Sign a request', 'sh');
    const { apiKey } = server.demo.accounts[0]!;
    const query = `symbol=BTCUSDT&origClientOrderId=%7Ba%20b%7D&timestamp=${Date.now()}`;
    const ask = (signature: string) =>
      fetch(`${server.demo.base_url}/api/v3/openOrders?${query}&signature=${signature}`, {
        headers: { 'X-SVC-APIKEY': apiKey },
      });
    const encoded = (await ask('0'.repeat(64))).headers.get('x-bourse-signed-text') ?? '';
    expect(encoded).toContain('%3D');
    const preparation = script.split('\n').filter((line) => /^(?:key=|secret=|sign\(\))/.test(line));
    const decoding = decoder.replace(/^encoded='.*'/m, `encoded='${encoded}'`);
    const [signature = ''] = await shell([...preparation, decoding].join('\n'));
    expect((await ask(signature)).status).toBe(200);
  },
);

test('the JavaScript example places an order and hears of it', async () => {
  const [code = ''] = examples('Sign a request', 'js');
  const { apiKey, secretKey } = server.demo.accounts[0]!;
  const [imports = '', ...lines] = code.split('\n');
  const keys = `const apiKey = '${apiKey}';\nconst secretKey = '${secretKey}';`;
  const before =
    'const told = new Promise((go) => { const { log } = console; console.log = (...words) => go(log(...words)); });';
  // As in a project that has the package.
  const own = imports.replace("'bourse/client'", `'${pathToFileURL(join(project, 'dist', 'client', 'client.js'))}'`);
  const here = lines.join('\n').replace('{ apiKey', `{ baseUrl: '${server.demo.base_url}', apiKey`);
  const end = 'await told;\nawait client.close();';
  writeFileSync(join(folder, 'example.mjs'), [own, keys, before, here, end].join('\n'));
  expect(await run(process.execPath, ['example.mjs'])).toEqual([expect.stringMatching(/^b-[0-9a-z]{20} 1$/)]);
});

test.runIf(hasTools)('the wallet example ends with a deposit that is credited', async () => {
  const [signing = ''] = examples('Sign a request', 'sh');
  const [script = ''] = examples('Move money in and out', 'sh');
  const preparation = signing.split('\n').filter((line) => /^(?:key=|secret=|sign\(\))/.test(line));
  const lines = await run('bash', ['-ec', [...preparation, script].join('\n')]);
  const [deposit] = JSON.parse(/\[\{.*\}\]$/.exec(lines.join(''))?.[0] ?? '[]');
  expect(deposit).toMatchObject({ coin: 'BTC', network: 'BTC', amount: '0.5', status: 5, unlockConfirm: '2' });
});

test.runIf(hasTools)(
  'the examples of desks, customers and invitations answer what the sandbox has of each',
  async () => {
    const [signing = ''] = examples('Sign a request', 'sh');
    const [script = ''] = examples('Run desks, customers and invitations', 'sh');
    const preparation = signing.split('\n').filter((line) => line.startsWith('sign()'));
    const answers = await run('bash', ['-ec', [...preparation, script].join('\n')]);
    const [assets, rebates, invited] = answers.map((line) => JSON.parse(line));
    expect(assets.balances).toContainEqual({ asset: 'USDT', free: '10000', locked: '0' });
    expect(rebates).toMatchObject({ totalRecords: 0, data: [] });
    expect(invited.data).toMatchObject({ totalCount: 7, pageSize: 3 });
    expect(invited.data.resultList.map(({ nickName }: { nickName: string }) => nickName)).toHaveLength(3);
  },
);

test('the websocket example is told that it listens', async () => {
  const [code = ''] = examples('Listen', 'js');
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'listen.mjs'), `${code}\nsocket.on('message', () => process.exit());\n`);
  const [answer = ''] = await run(process.execPath, ['listen.mjs']);
  expect(JSON.parse(answer)).toEqual({ id: 0, code: 0, msg: 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT' });
});
