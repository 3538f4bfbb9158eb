import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasAnvil } from '../evm/anvil.ts';
import { testTokenCode } from '../evm/test-token.ts';
import { runPage } from './page-shell.ts';
import { project } from './run-process.ts';

/** Every command of docs/guides/run-an-exchange.md, in one shell, in an empty directory. */

const page = 'docs/guides/run-an-exchange.md';
const hasTools = spawnSync('bash', ['-c', 'command -v curl openssl perl awk']).status === 0;

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/** A minute and a half: `BOURSE_TEST_GUIDE=1` runs it. */
const isAsked = process.env['BOURSE_TEST_GUIDE'] !== undefined;

test.skipIf(!isAsked || !hasAnvil || !hasTools)(
  'DEC-OPR-279: the guide works word for word, and shows what its commands print',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-an-exchange-'));
    const [API_PORT, DESK_PORT, NODE_PORT] = [await freePort(), await freePort(), await freePort()];
    const settings = { CLONE: project, API_PORT, DESK_PORT, NODE_PORT, XDG_CONFIG_HOME: join(folder, 'config') };
    try {
      const run = await runPage(page, folder, settings);
      expect([run.code, run.missing], run.output.slice(-6000)).toEqual([0, []]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  240_000,
);

test('the token of the guide is that of the tests', () => {
  const wallet = readFileSync(join(project, 'examples', 'evm-custody', 'wallet.mjs'), 'utf8');
  const code = /const tokenCode =\n((?: {2}'\w+'(?: \+|;)\n)+)/.exec(wallet)![1]!;
  expect(code.replaceAll(/[^0-9a-fx]/g, '')).toBe(testTokenCode);
});
