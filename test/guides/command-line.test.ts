import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';
import { startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { openWallet, rulesBody } from '../operator/wallet-stage.ts';
import { runPage } from './page-shell.ts';
import { project } from './run-process.ts';

/** Every command of docs/operations/command-line.md runs, as it stands there, at exchanges that are really there. */

const page = 'docs/operations/command-line.md';
const build = join(project, 'dist', 'main', 'bourse.js');
const text = readFileSync(join(project, page), 'utf8');
const hasTools = spawnSync('bash', ['-c', 'true']).status === 0;
let folder: string;
let sandbox: ServerProcess;
/** In production, where a change waits for a second operator. */
let production: TestOperator;
let secondOperator: string;
let withdrawal: number;
const at = (name: string): string => join(folder, name);

/** Makes the command `bourse`. Who reads the page types `y` where it asks; here nobody can, so it is said before. */
function writeCommand(): void {
  const environment = `BOURSE_OPERATOR_URL=${production.url} BOURSE_OPERATOR_TOKEN=${secondOperator}`;
  const script = `#!/bin/bash
case "$*" in
  *--plan*) ;;
  *' approve '*|*' freeze '*|'op apply '*) set -- "$@" --yes ;;
esac
case "$*" in 'op proposals '*) export ${environment} ;; esac
exec ${process.execPath} ${build} "$@"
`;
  mkdirSync(at('bin'));
  writeFileSync(at('bin/bourse'), script);
  chmodSync(at('bin/bourse'), 0o700);
}

/** A withdrawal of the sandbox that waits for a review. Answers its number. */
async function withdrawalInReview(): Promise<number> {
  const { operator_url: url, operator_token: token } = sandbox.demo;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const rules = (await (await fetch(`${url}/v1/wallet/rules`, { headers })).json()) as object;
  const body = JSON.stringify({ ...rules, riskHoldAbove: '0' });
  expect((await fetch(`${url}/v1/wallet/rules`, { method: 'PUT', headers, body })).status).toBe(200);
  const client = new TradingClient(sandbox.demo, 'alice');
  const address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
  const asked = await client.call('POST', '/api/v3/capital/withdraw', {
    ...{ coin: 'USDT', netWork: 'ETH', address, amount: '50' },
  });
  client.close();
  expect(asked).toMatchObject({ status: 200 });
  for (;;) {
    const answer = await fetch(`${url}/v1/withdrawals?status=auditing`, { headers });
    const { items } = (await answer.json()) as { readonly items: readonly { readonly withdrawal: number }[] };
    if (items.length > 0) return items[0]!.withdrawal;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What waits in production, and a second operator who may approve it. */
async function openProduction(): Promise<void> {
  production = await startTestOperator();
  await openWallet(production);
  await production.exchange.submit({ kind: 'recordProfile', profile: 'production' });
  const scopes = ['assets:read', 'proposals:review'];
  secondOperator = (await production.ask('POST', '/v1/tokens', { actor: 'dan', scopes, validHours: 1 })).body.token;
  const { status } = await production.ask('PUT', '/v1/wallet/rules', { ...rulesBody, fourEyesAbove: null });
  expect(status).toBe(202);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  sandbox = await startServer(at('data'));
  await openProduction();
  withdrawal = await withdrawalInReview();
  writeCommand();
  const { operator_token: token, base_url: url, operator_url: operatorUrl } = sandbox.demo;
  for (const name of ['bourse.token', 'test.token']) writeFileSync(at(name), `${token}\n`, { mode: 0o644 });
  chmodSync(at('test.token'), 0o600);
  mkdirSync(at('etc'));
  const ports = { port: Number(new URL(url).port), operatorPort: Number(new URL(operatorUrl).port) };
  writeFileSync(at('etc/bourse.json'), JSON.stringify({ data: at('data'), ...ports }));
  const [, market] = /```jsonc\n([\s\S]*?)```/.exec(text)!;
  writeFileSync(at('market.jsonc'), market!);
}, 120_000);
afterAll(async () => {
  sandbox.process.kill('SIGTERM');
  await sandbox.ended;
  await production.close();
  rmSync(folder, { recursive: true, force: true });
});

test.runIf(hasTools)(
  'DEC-OPR-260: every command of the page does what the page says',
  async () => {
    const { operator_url: url, operator_token: token, accounts } = sandbox.demo;
    const uid = accounts.find(({ name }) => name === 'bob')!.uid;
    // What the page cannot know: addresses, files of the machine, and numbers of things.
    const here = (commands: string): string =>
      commands
        .replaceAll('http://127.0.0.1:8081', url)
        .replaceAll('/etc/bourse/', at('etc/'))
        .replaceAll('approve 17', `approve ${withdrawal}`)
        .replaceAll('10000001', uid);
    const environment = {
      ...{ HOME: folder, XDG_CONFIG_HOME: at('.config'), PATH: `${at('bin')}:${process.env['PATH']}` },
      ...{ BOURSE_OPERATOR_URL: url, BOURSE_OPERATOR_TOKEN: token },
    };
    const run = await runPage(page, folder, environment, here);
    expect([run.code, run.missing], run.output).toEqual([0, []]);

    const ask = async (path: string) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.json()) as Record<string, unknown>;
    };
    expect(await ask('/v1/pairs/BTCUSDT')).toMatchObject({ takerFeePpm: 400 });
    expect((await ask(`/v1/withdrawals/${withdrawal}`))['status']).not.toBe('auditing');
    expect(await ask(`/v1/accounts/${uid}`)).toMatchObject({ status: 'frozen' });
    expect(await ask('/v1/assets/NEW')).toMatchObject({ fullName: 'New coin' });
    expect(existsSync(at('dan.token'))).toBe(true);
    expect((await production.ask('GET', '/v1/proposals/1')).body).toMatchObject({ state: 'applied', decidedBy: 'dan' });
    expect(JSON.parse(readFileSync(at('.config/bourse/exchanges.json'), 'utf8'))).toMatchObject({ inUse: 'main' });
  },
  120_000,
);
