import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'play-chains-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts with empty books; one that becomes ready is stopped. */
async function start(args: readonly string[], secrets: Readonly<Record<string, string>> = {}) {
  const ports = ['--port', '0', '--operator-port', '0', '--no-simulate'];
  const env = { ...process.env, BOURSE_JOURNAL_SEGMENT_MIB: '1', ...secrets };
  const child = spawn(process.execPath, [entry, 'start', ...ports, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdout.on('data', (chunk) => {
    const wasReady = output.includes('ready');
    output += chunk;
    if (!wasReady && output.includes('ready')) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

/** A custody file with one network. */
function custodyOf(network: object): readonly string[] {
  const path = join(folder, 'custody.json');
  writeFileSync(path, JSON.stringify({ networks: [network] }));
  return ['--custody-file', path];
}

const xpub =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5';
const evm = (chainId: number) => ({
  ...{ kind: 'evm', network: 'ETH', rpcUrl: 'http://127.0.0.1:1', chainId, startBlock: 0 },
  ...{ keys: { kind: 'watch', xpub }, nativeCoin: { perHourMax: null, sweepFrom: null } },
});

test.each([
  ['a chain id of Ethereum', evm(1), 'ETH has chain id 1'],
  ['a chain id of a test network that is not listed', evm(11_155_111), 'ETH has chain id 11155111'],
  ['a network that is only watched', { kind: 'watchOnly', network: 'BTC', key: xpub }, 'BTC is watched'],
])(
  'DEC-OPR-110: a sandbox with %s in its custody file does not start, and leaves nothing',
  async (_title, network, told) => {
    const data = join(folder, 'data');
    const refused = await start(['--data', data, ...custodyOf(network)]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain(told);
    expect(refused.errors).toContain('must not be paid out as real coins');
    expect(existsSync(data)).toBe(false);
  },
);

test.each([
  [31_337, []],
  [11_155_111, ['--sandbox-chains', '5,11155111']],
] as const)(
  'DEC-OPR-110: a sandbox takes custody of chain %i with %j',
  async (chainId, listed) => {
    const { code } = await start(['--data', join(folder, 'data'), ...custodyOf(evm(chainId)), ...listed]);
    expect(code).toBe(0);
  },
  60_000,
);

test('DEC-OPR-111: a refused sandbox leaves no file in a directory of production', async () => {
  const data = join(folder, 'data');
  const secrets = { BOURSE_MASTER_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(32) };
  expect((await start(['--data', data, '--profile', 'production'], secrets)).code).toBe(0);
  const before = readdirSync(data).sort();
  const sandbox = ['--data', data, '--profile', 'sandbox'];
  const attempts = [
    await start(sandbox),
    await start([...sandbox, '--seed', 'x', '--now', '2026-01-01T00:00:00Z'], secrets),
    await start([...sandbox, '--seed', 'x', '--now', '2026-01-01T00:00:00Z']),
  ];
  expect(attempts.map(({ code }) => code)).toEqual([2, 2, 2]);
  for (const { errors } of attempts) expect(errors).toContain('--profile production');
  expect(readdirSync(data).sort()).toEqual(before);
  expect((await start(['--data', data, '--profile', 'production'], secrets)).code).toBe(0);
}, 60_000);
