import { pbkdf2Sync } from 'node:crypto';
import { inspect } from 'node:util';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { openKeys } from '#custody/evm/keys.ts';

// The seed of the words that every development chain begins with, by BIP-39.
const words = 'test test test test test test test test test test test junk';
const seed = pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512');

test('DEC-WAL-22: deposit addresses of a seed are those that wallets show for it', () => {
  const { depositAddress } = openKeys({ kind: 'hot', seed });
  // Published with the development chains: m/44'/60'/0'/0/0 to 0/2.
  expect([0, 1, 2].map(depositAddress)).toEqual([
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ]);
  expect(depositAddress(2 ** 31)).toBeNull();
});

test('DEC-WAL-22: the extended public key of a seed gives its deposit addresses, and no key to spend', () => {
  const xpub = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;
  const hot = openKeys({ kind: 'hot', seed });
  const watching = openKeys({ kind: 'watch', xpub, treasury: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] });
  for (const index of [0, 1, 77, 2 ** 31 - 1]) expect(watching.depositAddress(index)).toBe(hot.depositAddress(index));
  expect(watching.spending).toBeNull();
  expect(watching.ownWallets).toEqual(['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266']);
});

test('keys to spend belong to the addresses that they pay from, each its own', () => {
  const { spending, depositAddress, ownWallets } = openKeys({ kind: 'hot', seed });
  const pathOf = (path: string) => HDKey.fromMasterSeed(seed).derive(path).publicKey!;
  const { hotWallet, gasWallet, deposit } = spending!;
  const compressed = (publicKey: string) => Buffer.from(publicKey.slice(4, 68), 'hex');
  expect(Buffer.from(pathOf("m/44'/60'/1'/0/0")).subarray(1)).toEqual(compressed(hotWallet.publicKey));
  expect(Buffer.from(pathOf("m/44'/60'/2'/0/0")).subarray(1)).toEqual(compressed(gasWallet.publicKey));
  expect(deposit(5).address).toBe(depositAddress(5));
  expect(ownWallets).toEqual([hotWallet.address.toLowerCase(), gasWallet.address.toLowerCase()]);
});

test('a key that cannot be used is refused without repeating it', () => {
  const node = HDKey.fromMasterSeed(seed);
  const unusable = [
    { kind: 'hot' as const, seed: seed.subarray(0, 15) },
    { kind: 'hot' as const, seed: Buffer.alloc(65) },
    { kind: 'watch' as const, xpub: node.derive("m/44'/60'/0'").privateExtendedKey, treasury: [] },
    { kind: 'watch' as const, xpub: node.publicExtendedKey, treasury: [] },
    { kind: 'watch' as const, xpub: node.derive("m/44'/60'/0'").publicExtendedKey, treasury: ['0x12'] },
  ];
  for (const source of unusable) {
    expect(() => openKeys(source)).toThrow(TypeError);
    if (source.kind === 'watch') expect(() => openKeys(source)).not.toThrow(source.xpub.slice(4, 20));
  }
});

test('no private key shows when keys are printed', () => {
  const keys = openKeys({ kind: 'hot', seed });
  const privateKey = Buffer.from(HDKey.fromMasterSeed(seed).derive("m/44'/60'/1'/0/0").privateKey!).toString('hex');
  const printed = inspect(keys, { depth: 9 }) + JSON.stringify(keys);
  expect(printed).toContain(keys.spending!.hotWallet.address);
  expect(printed).not.toContain(privateKey);
});
