import { type Cipher, createCipheriv, createDecipheriv, type Decipher } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { type WalletIdKind, type WalletIds, walletIdKinds } from '#model/wallet-id.ts';

/** Size of the key in bytes. */
export const idKeySize = 16;
const idPattern = /^[0-9a-f]{32}$/;

/**
 * Ids of the wallet under the key of an installation: AES-128 of one block, which holds the kind and the number. AES is
 * a permutation of blocks, so no two ids are equal, and a text that was never printed decrypts to a block that names
 * nothing, but for one in 2^64. DEC-WAL-170.
 */
export function createWalletIds(key: Uint8Array): WalletIds {
  assert(key.length === idKeySize, 'a key of wallet ids has 16 bytes');
  // One block at a time: without padding every update gives the block that it was given.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return { text: (kind, number) => idOf(cipher, kind, number), numberOf: (kind, id) => numberOf(decipher, kind, id) };
}

const kindNumber = (kind: WalletIdKind): bigint => BigInt(walletIdKinds.indexOf(kind) + 1);

function idOf(cipher: Cipher, kind: WalletIdKind, number: number): string {
  assert(Number.isSafeInteger(number) && number > 0, 'numbers of wallet ids are counted from 1');
  const block = Buffer.alloc(16);
  block.writeBigUInt64BE(kindNumber(kind), 0);
  block.writeBigUInt64BE(BigInt(number), 8);
  return cipher.update(block).toString('hex');
}

function numberOf(decipher: Decipher, kind: WalletIdKind, id: string): number | null {
  if (!idPattern.test(id)) return null;
  const block = decipher.update(Buffer.from(id, 'hex'));
  if (block.readBigUInt64BE(0) !== kindNumber(kind)) return null;
  const number = Number(block.readBigUInt64BE(8));
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
