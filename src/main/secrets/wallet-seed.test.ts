import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeys } from '#custody/evm/keys.ts';
import { newSeed } from '#main/commands/new-seed.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { makeWalletSeed, openWalletSeed } from '#main/secrets/wallet-seed.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-seed-'));
  path = join(folder, 'eth.seed');
});
afterEach(() => rmSync(folder, { recursive: true }));

const sealOf = (byte: number) => createSecretSeal({ keys: [new Uint8Array(32).fill(byte)], nonces: 'random' });
const seal = sealOf(1);
const readFile = (of: string) => readFileSync(of, 'utf8');

test('DEC-WAL-91: a seed is sealed in a file of its owner, and opened with the same master key for the same network', () => {
  const seed = makeWalletSeed(path, 'ETH', seal);
  expect(seed).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFile(path)).not.toContain(Buffer.from(seed).toString('hex'));
  expect(Buffer.from(openWalletSeed(path, 'ETH', { seal, readFile }))).toEqual(Buffer.from(seed));
});

test('DEC-WAL-91: another master key, another network and a renamed network open nothing', () => {
  makeWalletSeed(path, 'ETH', seal);
  expect(() => openWalletSeed(path, 'ETH', { seal: sealOf(2), readFile })).toThrow('master key');
  expect(() => openWalletSeed(path, 'BSC', { seal, readFile })).toThrow('made for ETH, not for BSC');
  writeFileSync(path, readFile(path).replace('ETH', 'BSC'));
  expect(() => openWalletSeed(path, 'BSC', { seal, readFile })).toThrow('broken or belongs to something else');
});

test('what is no sealed seed is named by its path', () => {
  expect(() => openWalletSeed(path, 'ETH', { seal, readFile })).toThrow(
    `${path} cannot be used as a sealed seed: ENOENT`,
  );
  writeFileSync(path, '{}');
  expect(() => openWalletSeed(path, 'ETH', { seal, readFile })).toThrow('it is not a file of');
});

test('DEC-WAL-91: a seed is never overwritten, and what is printed are its addresses, not the seed', () => {
  const text = newSeed({ network: 'ETH', out: path }, seal);
  const seed = openWalletSeed(path, 'ETH', { seal, readFile });
  const { spending, depositAddress } = openKeys({ kind: 'hot', seed });
  for (const address of [
    spending!.hotWallet.address,
    spending!.gasWallet.address,
    depositAddress(0),
    depositAddress(2),
  ])
    expect(text).toContain(address);
  const xpub = /xpub\w{100,}/.exec(text)![0];
  expect(openKeys({ kind: 'watch', xpub, treasury: [] }).depositAddress(7)).toBe(depositAddress(7));
  expect(text).not.toContain(Buffer.from(seed).toString('hex'));
  const kept = readFile(path);
  expect(() => newSeed({ network: 'ETH', out: path }, seal)).toThrow('never overwritten');
  expect(readFile(path)).toBe(kept);
  expect(() => newSeed({ network: 'ETH', out: join(folder, 'none', 'x') }, seal)).toThrow('cannot be written: ENOENT');
});
