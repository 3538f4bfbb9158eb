import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseCommandLine } from '#main/configuration/command-line.ts';
import { readTextFile } from '#main/configuration/config.ts';
import { calledAs } from '#main/setup/shell-words.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { openWalletSeed } from '#main/secrets/wallet-seed.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';
import { readMarketFile } from '#operator-commands/market-file.ts';
import { bourseInProcess, type Called } from '../bourse-in-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const setup = (flags: readonly string[], rest: Called = {}, name = 'desk') =>
  bourseInProcess(['setup', join(folder, name), ...flags], rest);
const at = (file: string): string => join(folder, 'desk', file);
const json = (file: string) => parseCommentedJson(readFileSync(at(file), 'utf8')) as Record<string, never>;
const files = (under: string): readonly string[] =>
  readdirSync(under, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name, ...files(join(under, each.name))] : [each.name],
  );
const contract = { usd: '0xdAC17F958D2ee523a2206206994597C13D831ec7', tkn: `0x${'1'.repeat(40)}` };

describe('DEC-OPR-271: bourse setup', () => {
  test('makes files that a start, its custody and apply can read, for their owner only', async () => {
    const { exit, out } = await setup(['--yes', '--native-price', '2500']);
    expect(exit).toBe(0);
    const made = ['bourse.jsonc', 'custody.jsonc', 'eth.seed', 'market.jsonc', 'master.key', 'root.token', 'secrets'];
    expect(files(join(folder, 'desk')).toSorted()).toEqual(made);
    const modes = (['.', 'secrets'] as const).flatMap((under) =>
      readdirSync(at(under)).map((name) => statSync(at(join(under, name))).mode & 0o077),
    );
    expect([statSync(at('.')).mode & 0o077, ...modes]).toEqual(Array(8).fill(0));

    const { config } = parseCommandLine(['--config', at('bourse.jsonc')], {}) as Extract<
      ReturnType<typeof parseCommandLine>,
      { config: unknown }
    >;
    expect(config).toMatchObject({ profile: 'production', data: at('data'), port: 8080, operatorPort: 8081 });
    const keys = loadMasterKeys(config);
    const [network] = readCustodyFile(config.custodyFile!, readTextFile);
    expect(network).toMatchObject({ network: 'ETH', chainId: 1, tokens: [{ contract: contract.usd }, {}] });
    const parts = { seal: createSecretSeal(keys), readFile: readTextFile };
    expect(openWalletSeed(at('secrets/eth.seed'), 'ETH', parts)).toHaveLength(32);
    const { things, operators } = readMarketFile(json('market.jsonc'));
    expect(things.map(({ name }) => name)).toEqual([
      ...['assets.USDT', 'assets.ETH', 'assets.LINK', 'walletRules', 'prices.ETH'],
      ...['networks.USDT.ETH', 'networks.ETH.ETH', 'networks.LINK.ETH', 'pairs.ETHUSDT', 'pairs.LINKUSDT'],
    ]);
    expect(operators.map(({ name }) => name)).toEqual(['operators.first', 'operators.second']);
    for (const line of [
      'start --config',
      'doctor --config',
      `op apply ${at('market.jsonc')} --url http://127.0.0.1:8081`,
    ])
      expect(out).toContain(`${calledAs(process.argv[1]!)} ${line}`);
    for (const file of ['secrets/master.key', 'secrets/root.token'])
      expect(out).not.toContain(readFileSync(at(file), 'utf8').trim());
  });

  test('no token of the desk may make tokens, and every other scope of production is there', async () => {
    await setup(['--yes']);
    const { scopes } = json('market.jsonc')['operators']!['first'] as { readonly scopes: readonly string[] };
    expect(scopes).toContain('withdrawals:review');
    expect(scopes.filter((scope) => scope === 'tokens:write' || scope.endsWith(':control'))).toEqual([]);
  });

  test('takes every answer from flags', async () => {
    const flags = {
      ...{ persons: 'anna,ben', host: '0.0.0.0', port: '80', 'operator-host': '::', 'operator-port': '81' },
      ...{ 'trusted-proxies': '10.0.0.1, 10.1.0.0/16', 'allowed-origins': 'https://a.example', data: '/var/x y' },
      ...{ network: 'BSC', 'rpc-url': 'https://node.example/key', 'chain-id': '31337', confirmations: '2' },
      ...{ quote: 'USD', 'quote-contract': contract.usd, 'quote-decimals': '18' },
      ...{ token: 'TKN', 'token-contract': contract.tkn, 'token-decimals': '2', 'native-price': '600' },
      'token-price': '0.01',
    };
    const { exit } = await setup(
      Object.entries(flags)
        .flatMap(([name, value]) => [`--${name}`, value])
        .concat('--yes'),
    );
    expect(exit).toBe(0);
    expect(json('bourse.jsonc')).toMatchObject({
      ...{ host: '0.0.0.0', port: 80, operatorHost: '::', operatorPort: 81, data: '/var/x y' },
      ...{ trustedProxies: ['10.0.0.1', '10.1.0.0/16'], allowedOrigins: ['https://a.example'] },
    });
    const [network] = readCustodyFile(at('custody.jsonc'), readTextFile);
    expect(network).toMatchObject({ network: 'BSC', chainId: 31_337, rpcUrl: 'https://node.example/key' });
    const market = json('market.jsonc') as Record<string, Record<string, unknown>>;
    expect(market['prices']).toMatchObject({ BNB: { price: '600' }, TKN: { price: '0.01' } });
    expect(Object.keys(market['pairs']!)).toEqual(['BNBUSD', 'TKNUSD']);
    expect(market['assets']!['TKN']).toMatchObject({ scale: 2 });
    expect(Object.keys(market['operators']!)).toEqual(['anna', 'ben']);
    expect(readMarketFile(market).things).not.toEqual([]);
  });

  test('asks on a terminal, with the usual answer in brackets, again where one cannot be used', async () => {
    const answers = ['n', 'anna', 'root,ben', 'anna,Anna', 'anna,ben', ...Array<string>(7).fill(''), 'DOGE', 'ETH', ''];
    const rest = [
      '31337',
      '',
      '',
      '0x12',
      contract.usd,
      '',
      'USDT',
      'TKN',
      contract.usd,
      contract.tkn,
      '',
      '0',
      '2500',
    ];
    const { exit, told } = await setup([], { answers: [...answers, ...rest, ''] });
    expect(exit).toBe(0);
    expect(told).toContain('Port of the public API [8080]: ');
    for (const wrong of [
      'It must be two names, separated by a comma.',
      'It must not be root, who makes tokens.',
      'It must be the names of two persons.',
      'It must be one of ETH, BSC.',
      'It must be the address of its contract on ETH.',
      'It must be another coin.',
      'It must be another contract.',
      'It must be above zero.',
    ])
      expect(told).toContain(wrong);
    expect(json('market.jsonc')['operators']).toMatchObject({ anna: {}, ben: {} });
  });

  test('one person alone says so first, and has no four eyes', async () => {
    await setup(['--yes', '--alone', '--persons', 'anna']);
    expect(json('market.jsonc')).toMatchObject({
      alone: { enabled: true },
      walletRules: { fourEyesAbove: null, adjustFourEyesAbove: null },
    });
    expect(readMarketFile(json('market.jsonc')).things[0]!.name).toBe('alone');
    expect(Object.keys(json('market.jsonc')['operators']!)).toEqual(['anna']);
  });

  const refused: readonly (readonly [readonly string[], string])[] = [
    [['--port', '0'], '--port must be at least 1'],
    [['--port', 'x'], '--port must be a whole number'],
    [['--rpc-url', 'ftp://x'], '--rpc-url must be the address of a node'],
    [['--rpc-url', 'http://user:secret@node'], '--rpc-url must not hold a password'],
    [['--network', 'SOL'], '--network must be one of'],
    [['--confirmations', '0'], '--confirmations must be at least 1'],
    [['--chain-id', '5'], '--quote-contract must be given'],
    [['--quote', 'usd'], '--quote must be 2 to 12 capital letters and digits'],
    [['--token', 'USDT'], '--token must be another coin'],
    [['--native-price', '-1'], '--native-price must be decimal text'],
    [['--alone', '--persons', 'a,b'], '--persons must be one name'],
    [['--trusted-proxies', 'proxy'], '--trusted-proxies must be addresses'],
  ];
  test.each(refused)('%j is refused by its flag, and nothing is made', async (flags, says) => {
    const { exit, told } = await setup(['--yes', ...flags]);
    expect([exit, told]).toEqual([2, expect.stringContaining(`bourse: ${says}`)]);
    expect(told).not.toContain('secret');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('where nobody can be asked it makes nothing without --yes', async () => {
    const { exit, told } = await setup([]);
    expect([exit, told]).toEqual([2, expect.stringContaining('--yes')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('overwrites nothing, and leaves nothing half made', async () => {
    mkdirSync(at('.'), { recursive: true });
    const { exit, told } = await setup(['--yes']);
    expect([exit, told]).toEqual([2, expect.stringContaining('exists, and nothing in it is overwritten')]);
    expect(files(folder)).toEqual(['desk']);
    const missing = await setup(['--yes'], {}, 'nowhere/desk');
    expect([missing.exit, missing.told]).toEqual([3, expect.stringContaining('cannot be made: ENOENT')]);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test('of two at once one makes the directory, and the other nothing', async () => {
    const late = async () => {
      expect((await setup(['--yes'])).exit).toBe(0);
      return 'n';
    };
    const before = () => readFileSync(at('secrets/master.key'), 'utf8');
    const second = await setup(['--chain-id', '1'], { answers: [late] });
    expect([second.exit, second.told]).toEqual([2, expect.stringContaining('exists')]);
    expect(before()).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readdirSync(folder)).toEqual(['desk']);
  });

  test('a directory with blanks is quoted in the commands that come next', async () => {
    const { out } = await setup(['--yes'], {}, "it's mine");
    expect(out).toContain(`start --config '${folder}/it'\\''s mine/bourse.jsonc'`);
  });
});

test('a configuration and a custody file may have comments', async () => {
  const none = { readFile: () => '// two\n{ "port": 1, /* one */ "operatorPort": 2, }', version: '1' };
  const parsed = parseCommandLine(['--config', 'x', '--print-config'], {}, none);
  expect(parsed).toMatchObject({ exit: 0, text: expect.stringMatching(/^port +1 /m) });
});
