import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTextFile } from '#main/configuration/config.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import { type AddressOptions, whomToAsk } from '#operator-commands/whom-to-ask.ts';
import { bourseInProcess } from '../bourse-in-process.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-exchanges-'));
  mkdirSync(at('sandbox'));
  writeFileSync(
    at('sandbox/demo.json'),
    JSON.stringify({ operator_url: 'http://127.0.0.1:1111', operator_token: 'token-of-the-sandbox' }),
  );
  for (const name of ['file', 'prod']) writeFileSync(at(name), `token-of-${name}-0123456789\n`, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const exchanges = (words: string) =>
  bourseInProcess(['op', 'exchanges', ...words.split(' ')], { environment: { HOME: folder } });
const asked = (options: AddressOptions, environment: Readonly<Record<string, string>> = {}) => {
  const { url, token } = whomToAsk(options, {
    environment: { HOME: folder, BOURSE_DATA: at('sandbox'), ...environment },
    readFile: readTextFile,
    readPrivateFile,
    pause: async () => {},
  });
  return `${url} ${token}`;
};

const sandbox = 'http://127.0.0.1:1111 token-of-the-sandbox';
const prod = 'https://prod.example token-of-prod-0123456789';
const fromFile = 'token-of-file-0123456789';
const variables = { BOURSE_OPERATOR_URL: 'https://env.example/', BOURSE_OPERATOR_TOKEN: 'token-of-the-environment' };
const environment = 'https://env.example token-of-the-environment';

describe('DEC-OPR-262: which exchange is asked', () => {
  test('is decided by flags, then the environment, then the exchange in use, then the sandbox', async () => {
    expect(asked({})).toBe(sandbox);
    await exchanges(`add prod --url https://prod.example/ --token-file ${at('prod')}`);
    expect(asked({})).toBe(prod);
    expect(asked({}, variables)).toBe(environment);
    expect(asked({ data: at('sandbox') }, variables)).toBe(sandbox);
    expect(asked({ url: 'http://flag.example', tokenFile: at('file') }, variables)).toBe(
      `http://flag.example ${fromFile}`,
    );
    expect(asked({ exchange: 'prod' }, variables)).toBe(prod);
    expect(asked({ exchange: 'prod', tokenFile: at('file') })).toBe(`https://prod.example ${fromFile}`);
  });

  test('a token goes only where it was meant for, or to an address that was named with it', async () => {
    expect(() => asked({ url: 'http://flag.example' })).toThrow('no token for http://flag.example');
    expect(() => asked({}, { BOURSE_OPERATOR_URL: 'http://env.example' })).toThrow('no token for http://env.example');
    await exchanges(`add prod --url https://prod.example --token-file ${at('prod')}`);
    expect(() => asked({ url: 'http://flag.example' })).toThrow('no token for http://flag.example');
    const { BOURSE_OPERATOR_TOKEN } = variables;
    expect(asked({}, { BOURSE_OPERATOR_TOKEN })).toBe(`http://127.0.0.1:1111 ${BOURSE_OPERATOR_TOKEN}`);
    expect(asked({ url: 'http://flag.example' }, { BOURSE_OPERATOR_TOKEN })).toBe(
      `http://flag.example ${BOURSE_OPERATOR_TOKEN}`,
    );
    expect(asked({}, { BOURSE_OPERATOR_TOKEN_FILE: at('file'), BOURSE_DATA: at('nothing') })).toBe(
      `http://127.0.0.1:8081 ${fromFile}`,
    );
    expect(() => asked({}, { BOURSE_DATA: at('nothing'), HOME: at('nobody') })).toThrow('no exchange to ask');
  });

  test.each([
    ['ftp://x', 'no plain http'],
    ['http://user:secret@x', 'the address is no plain http'],
    ['http://x/?a=1', 'no plain http'],
    ['x:8081', 'no plain http'],
    ['', 'no plain http'],
  ])('%j is no address, and no password is repeated', (url, says) => {
    const call = () => asked({ url, tokenFile: at('file') });
    expect(call).toThrow(says);
    expect(call).not.toThrow('secret');
  });

  test('a token file that others may read is refused with the command that mends it', () => {
    chmodSync(at('file'), 0o640);
    expect(() => asked({ url: 'http://x', tokenFile: at('file') })).toThrow(
      `--token-file ${at('file')}: others may read it (mode 0640); run: chmod 600 ${at('file')}`,
    );
    writeFileSync(at('prod'), 'short', { mode: 0o600 });
    const call = () => asked({ url: 'http://x', tokenFile: at('prod') });
    expect(call).toThrow('holds no token');
    expect(call).not.toThrow('short');
  });
});

describe('DEC-OPR-267: exchanges by name', () => {
  const path = () => at('.config/bourse/exchanges.json');
  const stored = () => JSON.parse(readFileSync(path(), 'utf8'));

  test('are added, listed, used and removed; the file is for its owner and holds no token', async () => {
    expect(await exchanges('list')).toMatchObject({ exit: 0, out: '', told: `none yet, in ${path()}\n` });
    expect(await exchanges(`add prod --url https://prod.example --token-file ${at('prod')}`)).toMatchObject({
      exit: 0,
      told: '',
    });
    const far = await exchanges(`add far --url http://far.example --token-file ${at('file')}`);
    expect(far).toMatchObject({ exit: 0, told: expect.stringContaining('sent unencrypted') });
    expect(await exchanges(`add near --url http://127.0.0.1:8081 --token-file ${at('file')}`)).toMatchObject({
      told: '',
    });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readFileSync(path(), 'utf8')).not.toContain('token-of');
    const { out } = await exchanges('list');
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['', 'name', 'url'],
      ['', 'far', 'http://far.example'],
      ['', 'near', 'http://127.0.0.1:8081'],
      ['*', 'prod', 'https://prod.example'],
      [''],
    ]);
    await exchanges('use far');
    expect(asked({})).toBe(`http://far.example ${fromFile}`);
    expect(JSON.parse((await exchanges('list --json')).out)).toEqual(stored());
    await exchanges('remove far');
    expect(stored()).toMatchObject({
      inUse: null,
      exchanges: { prod: { url: 'https://prod.example', tokenFile: at('prod') } },
    });
    expect(asked({})).toBe(sandbox);
  });

  test.each([
    ['add Prod --url https://x --token-file prod', 'the name must be'],
    ['add ../x --url https://x --token-file prod', 'the name must be'],
    ['add __proto__ --url https://x --token-file prod', 'the name must be'],
    ['add x --url x --token-file prod', 'is no plain http'],
    ['add x --url https://x --token-file nowhere', 'cannot be read: ENOENT'],
    ['add x --url https://x', "required option '--token-file <file>'"],
    ['use constructor', 'there is no exchange "constructor"'],
    ['remove x', 'there is no exchange "x"'],
  ])('%s is refused', async (words, says) => {
    const { exit, told } = await exchanges(words.replace('prod', at('prod')).replace('nowhere', at('nowhere')));
    expect([exit, told]).toEqual([2, expect.stringContaining(says)]);
  });

  test('a file that others may change, or that is broken, is refused', async () => {
    await exchanges(`add prod --url https://prod.example --token-file ${at('prod')}`);
    chmodSync(path(), 0o622);
    expect(() => asked({})).toThrow(`run: chmod 600 ${path()}`);
    writeFileSync(path(), '{"inUse":', { mode: 0o600 });
    chmodSync(path(), 0o600);
    expect(await exchanges('list')).toMatchObject({
      exit: 2,
      told: expect.stringContaining('is no list of exchanges'),
    });
    expect(asked({ data: at('sandbox') })).toBe(sandbox);
    expect(() => asked({ exchange: 'prod' })).toThrow('is no list of exchanges');
  });
});
