import { describe, expect, test } from 'vitest';
import type { ParsedCommandLine } from '#main/configuration/command-line.ts';
import { parseCommandLine } from '#main/configuration/command-line.ts';
import { flagOf, settingNames, settings } from '#main/configuration-schema.ts';

const files: Readonly<Record<string, string>> = {
  'good.json': JSON.stringify({ port: 4000, simulate: false, keyHeaderAliases: ['X-OTHER'], keepTradesDays: null }),
  'strange.json': JSON.stringify({ Operator_Port: 1, simulate: 'yes' }),
  'broken.json': '{"port":',
  'list.json': '[]',
};
const readFile = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error('no such file');
  return text;
};
const parse = (argv: readonly string[], variables: Readonly<Record<string, string>> = {}): ParsedCommandLine =>
  parseCommandLine(argv, variables, { version: '1.2.3', readFile });

function run(argv: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const parsed = parse(argv, variables);
  if ('exit' in parsed) throw new Error(parsed.text);
  if ('work' in parsed) throw new Error('it asks a running exchange');
  return parsed;
}
function told(argv: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const parsed = parse(argv, variables);
  if (!('exit' in parsed)) throw new Error('it ran');
  return parsed;
}

describe('sources of a setting', () => {
  test('a flag wins over the environment, that over the file, that over the default', () => {
    const sources = [
      { argv: [], variables: {}, port: 8080, origin: 'default' },
      { argv: ['--config', 'good.json'], variables: {}, port: 4000, origin: 'file good.json' },
      {
        argv: ['--config', 'good.json'],
        variables: { BOURSE_PORT: '5000' },
        port: 5000,
        origin: 'environment BOURSE_PORT',
      },
      {
        argv: ['--config', 'good.json', '--port', '6000'],
        variables: { BOURSE_PORT: '5000' },
        port: 6000,
        origin: 'flag --port',
      },
    ];
    for (const { argv, variables, port, origin } of sources) {
      const { config, origins } = run(argv, variables);
      expect([config.port, origins.port]).toEqual([port, origin]);
    }
  });

  test('the environment may name the configuration file', () => {
    expect(run([], { BOURSE_CONFIG: 'good.json' }).config.keyHeaderAliases).toEqual(['X-OTHER']);
  });

  test('a switch that is usually on has two twins in the environment', () => {
    expect(run([], { BOURSE_SIMULATE: 'false' }).config.simulate).toBe(false);
    expect(run([], { BOURSE_NO_SIMULATE: '1' }).config.simulate).toBe(false);
    expect(run([], { BOURSE_NO_SIMULATE: '0' }).config.simulate).toBe(true);
    expect(told([], { BOURSE_NO_SIMULATE: '1', BOURSE_SIMULATE: '1' }).text).toContain('are both set');
  });

  test('a flag can turn a switch of the environment back on', () => {
    const { config, origins } = run(['--simulate'], { BOURSE_NO_SIMULATE: 'true' });
    expect([config.simulate, origins.simulate]).toEqual([true, 'flag --simulate']);
    expect(run(['--no-hardened-permissions'], { BOURSE_HARDENED_PERMISSIONS: 'on' }).config.hardenedPermissions).toBe(
      false,
    );
  });

  test('an empty variable counts as not given, an unknown one is told', () => {
    const { config, warnings } = run([], { BOURSE_PORT: '', BOURSE_PROT: '1', BOURSE_TEST_KILLS: '3', HOME: 'x' });
    expect(config.port).toBe(8080);
    expect(warnings).toEqual(['The environment variable BOURSE_PROT is no setting and is ignored.']);
  });

  test('lists are separated by commas and "none" empties what may be empty', () => {
    expect(run(['--key-header-aliases', 'X-A, X-B']).config.keyHeaderAliases).toEqual(['X-A', 'X-B']);
    expect(run(['--key-header-aliases=']).config.keyHeaderAliases).toEqual([]);
    expect(run(['--keep-trades-days', 'none']).config.keepTradesDays).toBeNull();
    expect(told(['--port', 'none']).text).toContain('port (flag --port): must be a whole number');
  });

  test('every setting has a flag unless it is a secret', () => {
    const help = told(['start', '--help']).text;
    for (const name of settingNames) expect(help.includes(`${flagOf(name)} `)).toBe(!settings[name].isSecret);
  });
});

describe('faults', () => {
  test('every unusable value is named with its option and origin, all at once', () => {
    const { exit, text } = told(['--port', '65536', '--signature-reuse', 'x'], { BOURSE_OPERATOR_PORT: '-1' });
    expect(exit).toBe(2);
    expect(text.split('\n')).toEqual([
      'bourse: port (flag --port): must be a whole number from 0 to 65535.',
      'bourse: operator-port (environment BOURSE_OPERATOR_PORT): must be a whole number from 0 to 65535.',
      'bourse: signature-reuse (flag --signature-reuse): must be one of all, money, off.',
      '',
    ]);
  });

  test('an unknown option is refused and the nearest one is shown', () => {
    const { exit, text } = told(['--prot', '1']);
    expect(exit).toBe(2);
    expect(text).toContain('Did you mean --port?');
  });

  test.each([
    { argv: ['start', 'verify'], hint: 'verify is a command of its own, not a part of start; run: npx bourse verify' },
    { argv: ['--port', '1', 'custody'], hint: 'custody is a command of its own' },
    { argv: ['start', '--simulate', 'true'], hint: '--simulate takes no value: write --simulate to turn it on' },
    { argv: ['--no-simulate', 'FALSE'], hint: '--simulate takes no value' },
    { argv: ['--simulate=off'], hint: '--simulate takes no value' },
    { argv: ['--hardened-permissions', '1'], hint: '--hardened-permissions takes no value' },
    { argv: ['strat'], hint: 'strat is neither an option nor a command: see npx bourse --help' },
    { argv: ['start', '9000'], hint: '9000 is neither an option nor a command' },
  ])('DEC-OPR-24: words that start does not take get a hint: $argv', ({ argv, hint }) => {
    const { exit, text } = told(argv);
    expect(exit).toBe(2);
    expect(text).toContain(hint);
  });

  test('DEC-OPR-24: start said twice, and values that look like commands, get none', () => {
    for (const argv of [
      ['start', 'start'],
      ['--data', 'verify', '--prot', '1'],
    ])
      expect(told(argv).text).not.toMatch(/takes no value|command of its own|neither an option/);
  });

  test('a configuration file is refused when it is missing, no object, or holds an unknown or unusable setting', () => {
    expect(told(['--config', 'absent.json']).text).toContain('absent.json (flag --config): cannot be read');
    expect(told([], { BOURSE_CONFIG: 'broken.json' }).text).toContain('(environment BOURSE_CONFIG): is not JSON');
    expect(told(['--config', 'list.json']).text).toContain('must hold one JSON object');
    const { text } = told(['--config', 'strange.json']);
    expect(text).toContain('there is no setting "Operator_Port"; did you mean "operatorPort"?');
    expect(text).toContain('simulate (file strange.json): must be true or false.');
  });

  test.each(['2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+01:00', '1999-12-31T23:59:59Z', 'now'])(
    'DEC-OPR-26: %s is no moment to begin at',
    (now) => {
      expect(told(['--seed', '7', '--now', now]).text).toContain('now (flag --now): must be');
    },
  );

  test('secrets are not taken from the command line', () => {
    expect(told(['--operator-token', 'a-long-enough-token']).exit).toBe(2);
    expect(run([], { BOURSE_OPERATOR_TOKEN: 'a-long-enough-token' }).config.operatorToken).toBe('a-long-enough-token');
  });

  test('DEC-REQ-51: production refuses to start with brokerQueryOnlySignature, which the sandbox has on', () => {
    expect(run([]).config.brokerQueryOnlySignature).toBe(true);
    const { exit, text } = told(['--profile', 'production'], { BOURSE_BROKER_QUERY_ONLY_SIGNATURE: 'on' });
    expect(exit).toBe(2);
    expect(text).toContain('bourse: broker-query-only-signature: ');
    expect(told(['--profile', 'production']).text).not.toContain('broker-query-only-signature');
  });

  test.each([
    { argv: ['--seed', '7', '--host', '0.0.0.0'], says: 'the demo keys of a seed are known to everyone' },
    { argv: ['--port', '9000', '--operator-port', '9000'], says: 'operator-port: must differ' },
    { argv: ['--profile', 'production'], says: 'production needs the key that seals secrets' },
    { argv: ['--profile', 'production', '--simulate'], says: 'exists in the sandbox only' },
    { argv: ['--profile', 'production', '--no-rate-limits'], says: 'can be lifted in the sandbox only' },
    {
      argv: ['--profile', 'production', '--broker-query-only-signature'],
      says: 'broker-query-only-signature: bodies that nobody signed are accepted in the sandbox only.',
    },
    { argv: ['--now', '2026-01-01T00:00:00Z'], says: 'now: repeats a market together with its seed only' },
    { argv: ['--clock', 'manual'], says: 'clock: stands from the moment of --now on' },
    {
      argv: ['--profile', 'production', '--seed', '7', '--now', '2026-01-01T00:00:00Z'],
      says: 'now: the time of production is that of the machine',
    },
    {
      argv: ['--cluster', 'one.json', '--seed', '7', '--now', '2026-01-01T00:00:00Z', '--clock', 'manual'],
      says: 'now: nodes of a cluster have the time of their machines.',
    },
    { argv: ['--ban-first-seconds', '500', '--ban-most-seconds', '400'], says: 'must not exceed' },
  ])('settings that contradict each other are refused: $argv', ({ argv, says }) => {
    const { exit, text } = told(argv);
    expect(exit).toBe(2);
    expect(text).toContain(says);
  });
});

describe('commands', () => {
  test('start is the default command and any free port may be asked for', () => {
    expect(run(['--port', '0', '--operator-port', '0']).command).toBe('start');
    expect(run(['start', '--port=0']).config.port).toBe(0);
  });

  test('the offline commands take the data directory as their argument and ask for no keys', () => {
    const { command, config } = run(['verify', 'elsewhere'], { BOURSE_PROFILE: 'production' });
    expect([command, config.data]).toEqual(['verify', 'elsewhere']);
    const audit = run(['audit', 'verify', '/srv/bourse']);
    expect([audit.command, audit.config.data]).toEqual(['audit-verify', '/srv/bourse']);
    expect(run(['rebuild-history']).config.data).toBe('./data');
    expect(run(['quarantine', '/srv/bourse'])).toMatchObject({ command: 'quarantine', isConfirmed: false });
    expect(run(['quarantine', '/srv/bourse', '--yes']).isConfirmed).toBe(true);
    expect(told(['verify', '--port', '1']).exit).toBe(2);
  });

  test('help and version are printed with exit code 0', () => {
    expect(told(['--version'])).toEqual({ exit: 0, text: '1.2.3\n' });
    expect(told(['version'])).toEqual({ exit: 0, text: '1.2.3\n' });
    expect(told(['start', '--version'])).toEqual({ exit: 0, text: '1.2.3\n' });
    expect(told(['--help']).text).toContain('rebuild-history');
    expect(told(['start', '--help']).text).toContain('Where it listens:');
  });

  test('print-config shows every setting with its origin and masks secrets', () => {
    const { exit, text } = told(['--print-config'], { BOURSE_OPERATOR_TOKEN: 'a-long-enough-token' });
    expect(exit).toBe(0);
    expect(text).not.toContain('a-long-enough-token');
    expect(text).toMatch(/operatorToken +"\*{8}" +# environment BOURSE_OPERATOR_TOKEN/);
    for (const name of settingNames) expect(text).toContain(`${name} `);
  });

  test('print-config names the variables that are no settings', () => {
    const { exit, text } = told(['--print-config'], { BOURSE_PROT: 'a-value', BOURSE_CONFIG: 'good.json' });
    expect(exit).toBe(0);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '# The environment variable BOURSE_PROT is no setting and is ignored.',
    );
    expect(text).not.toContain('a-value');
    expect(told(['--print-config']).text).not.toContain('ignored');
  });

  test('defaults follow the profile', () => {
    const variables = { BOURSE_MASTER_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'a-long-enough-token' };
    const production = run(['--profile', 'production'], variables).config;
    expect([production.simulate, production.signatureReuse, production.keyHeaderAliases]).toEqual([false, 'money', []]);
    const sandbox = run([]).config;
    expect([sandbox.simulate, sandbox.signatureReuse, sandbox.banLoopback]).toEqual([true, 'off', false]);
  });
});

describe('custody commands', () => {
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const zprv =
    'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
  const address = (...argv: readonly string[]) => told(['custody', 'address', ...argv]);
  const check = (...argv: readonly string[]) => told(['custody', 'check', ...argv]);

  test('custody address prints five addresses from index 0 with their paths, or those asked for', () => {
    const { exit, text } = address('--network', 'BTC', '--key', zpub);
    expect(exit).toBe(0);
    expect(text.split('\n')).toHaveLength(6);
    expect(text.startsWith('0/0  bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu\n')).toBe(true);
    expect(address('--network', 'BTC', '--key', zpub, '--from', '1', '--count', '1').text).toBe(
      '0/1  bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g\n',
    );
  });

  test('custody address stops at the last index there is', () => {
    const { exit, text } = address('--network', 'BTC', '--key', zpub, '--from', '2147483647');
    expect([exit, text.split('\n').length]).toEqual([0, 2]);
  });

  test('custody address refuses a private key without repeating it', () => {
    const { exit, text } = address('--network', 'BTC', '--key', zprv);
    expect([exit, text]).toEqual([
      2,
      'bourse: This is an extended private key, which can spend. Give the extended public key of the account.\n',
    ]);
  });

  test.each([
    { argv: ['--network', 'ETH', '--key', zpub], says: 'ETH takes an xpub, not a zpub.' },
    { argv: ['--network', 'DOGE', '--key', zpub], says: 'Allowed choices are BTC, ETH' },
    { argv: ['--network', 'BTC'], says: "required option '--key <key>' not specified" },
    { argv: ['--key', zpub], says: "required option '--network <code>' not specified" },
    { argv: ['--network', 'BTC', '--key', zpub, '--count', '0'], says: 'a whole number from 1 to 1000' },
    { argv: ['--network', 'BTC', '--key', zpub, '--count', '1001'], says: 'a whole number from 1 to 1000' },
    { argv: ['--network', 'BTC', '--key', zpub, '--from', '2147483648'], says: 'a whole number from 0 to 2147483647' },
    { argv: ['--network', 'BTC', '--key', zpub, '--from', '1e3'], says: 'a whole number from 0 to 2147483647' },
  ])('custody address refuses what it cannot use: $says', ({ argv, says }) => {
    const { exit, text } = address(...argv);
    expect(exit).toBe(2);
    expect(text).toContain(says);
  });

  test('custody check answers 0 and the canonical form, 1 and the fault, or 2', () => {
    const vitalik = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
    expect(check('--network', 'ETH', vitalik)).toEqual({
      exit: 0,
      text: 'payable: 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045\n',
    });
    expect(check('--network', 'ETH', vitalik.replace('d8da', 'd8Da'))).toMatchObject({ exit: 1 });
    const genesis = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
    expect(check('--network', 'XRP', genesis)).toEqual({ exit: 1, text: 'not payable: the memo is missing\n' });
    expect(check('--network', 'XRP', genesis, '--memo', '7').exit).toBe(0);
    expect(check('--network', 'ETH').exit).toBe(2);
    expect(check(vitalik).exit).toBe(2);
  });

  test('custody alone and its help list both commands', () => {
    expect(told(['custody']).exit).toBe(2);
    const { exit, text } = told(['custody', '--help']);
    expect(exit).toBe(0);
    for (const name of ['address', 'check']) expect(text).toContain(`  ${name} `);
  });
});
