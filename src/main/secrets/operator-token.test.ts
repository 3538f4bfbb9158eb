import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operatorTokenOf } from '#main/secrets/operator-token.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-token-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const token = 'token-of-the-tests-0123456789';
const fileWith = (text: string, mode = 0o600): string => {
  const path = join(folder, 'operator.token');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const tokenIn = (path: string) => operatorTokenOf({ operatorToken: null, operatorTokenFile: path });

describe('DEC-OPR-11: the token of the configuration', () => {
  test('is the setting, or what the file holds', () => {
    expect(operatorTokenOf({ operatorToken: token, operatorTokenFile: null })).toBe(token);
    expect(operatorTokenOf({ operatorToken: null, operatorTokenFile: null })).toBeNull();
    expect(tokenIn(fileWith(`${token}\n`))).toBe(token);
  });

  test('is refused where others may read its file, with what to do', () => {
    const path = fileWith(token, 0o644);
    expect(() => tokenIn(path)).toThrow(`operator token file ${path}: others may read it (mode 0644); run: chmod 600`);
  });

  test.each([
    ['nothing', ''],
    ['too little', 'short'],
    ['two words', `${token} ${token}`],
    ['two lines', `${token}\n${token}\n`],
  ])('is refused where the file holds %s, and not repeated', (_, text) => {
    const path = fileWith(text);
    expect(() => tokenIn(path)).toThrow(
      `operator token file ${path}: must hold one token of 16 to 128 visible characters.`,
    );
  });

  test('a credential of the service may look as if its group may read it, and no more than that', () => {
    const path = fileWith(token, 0o440);
    expect(() => tokenIn(path)).toThrow('mode 0440');
    vi.stubEnv('CREDENTIALS_DIRECTORY', folder);
    expect(tokenIn(path)).toBe(token);
    chmodSync(path, 0o444);
    expect(() => tokenIn(path)).toThrow('mode 0444');
    chmodSync(path, 0o460);
    expect(() => tokenIn(path)).toThrow('mode 0460');
    vi.stubEnv('CREDENTIALS_DIRECTORY', join(folder, 'elsewhere'));
    chmodSync(path, 0o440);
    expect(() => tokenIn(path)).toThrow('mode 0440');
  });
});
