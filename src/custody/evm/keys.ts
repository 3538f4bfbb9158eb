import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { assert } from '#base/assert.ts';
import { evm } from '#custody/addresses/evm.ts';
import type { AccountKey } from '#custody/addresses/extended-key.ts';
import { addressIndexLimit, childPublicKey, readAccountKey } from '#custody/addresses/extended-key.ts';
import { asHex } from '#custody/evm/erc20.ts';
import type { EvmKeySource } from '#custody/evm/settings.ts';

/** Keys that can spend, by what they pay for. */
export interface SpendingKeys {
  /** Pays withdrawals: m/44'/60'/1'/0/0. */
  readonly hotWallet: PrivateKeyAccount;
  /** Pays for gas that token sweeps need on deposit addresses: m/44'/60'/2'/0/0. */
  readonly gasWallet: PrivateKeyAccount;
  /** Key of the deposit address with an index: m/44'/60'/0'/0/index. */
  readonly deposit: (index: number) => PrivateKeyAccount;
}

/** Addresses of one chain, and the keys to spend from them where this process has them. */
export interface EvmKeys {
  /** Deposit address in its canonical form; null beyond the last index. */
  readonly depositAddress: (index: number) => string | null;
  /** Null: somebody else spends. */
  readonly spending: SpendingKeys | null;
  /** What belongs to custody beside deposit addresses, in lower case. */
  readonly ownWallets: readonly string[];
}

/**
 * Keys of a seed or of an account's extended public key. A watch-only key of m/44'/60'/0' gives the deposit addresses
 * of its seed. Throws `TypeError` with the reason where the source is unusable; it repeats nothing of a key.
 */
export function openKeys(source: EvmKeySource): EvmKeys {
  if (source.kind === 'watch') {
    const account = readAccountKey(source.xpub);
    if ('fault' in account) throw new TypeError(account.fault);
    if (account.prefix !== 'xpub') throw new TypeError(`EVM chains take an xpub, not a ${account.prefix}.`);
    const ownWallets = source.treasury.map((address) => readAddress(address).toLowerCase());
    return { depositAddress: (index) => addressBelow(account, index), spending: null, ownWallets };
  }
  const { seed } = source;
  if (seed.length < 16 || seed.length > 64) throw new TypeError('A seed has 16 to 64 bytes.');
  const coin = coinKey(seed);
  const account = coin.deriveChild(HARDENED_OFFSET);
  const receiving = account.deriveChild(0);
  const wallet = (number: number) => accountOf(coin.deriveChild(HARDENED_OFFSET + number).derive('m/0/0'));
  const spending = {
    hotWallet: wallet(1),
    gasWallet: wallet(2),
    deposit: (index: number) => accountAt(receiving, index),
  };
  const ownWallets = [spending.hotWallet, spending.gasWallet].map(({ address }) => address.toLowerCase());
  return { depositAddress: (index) => addressBelow({ prefix: 'xpub', node: account }, index), spending, ownWallets };
}

/** The xpub of m/44'/60'/0' of a seed: shows all its deposit addresses, and spends nothing. */
export const depositAccountKey = (seed: Uint8Array): string =>
  coinKey(seed).deriveChild(HARDENED_OFFSET).publicExtendedKey;

const coinKey = (seed: Uint8Array): HDKey => HDKey.fromMasterSeed(seed).derive("m/44'/60'");

/** The canonical form of an address; throws `TypeError` where it is none. */
export function readAddress(text: string): string {
  const reading = evm.read(text);
  if ('fault' in reading) throw new TypeError(`An address ${reading.fault}.`);
  return reading.canonical;
}

function addressBelow(account: AccountKey, index: number): string | null {
  return index < addressIndexLimit ? evm.derive.xpub!(childPublicKey(account, { chain: 0, index })) : null;
}

function accountAt(receiving: HDKey, index: number): PrivateKeyAccount {
  const child = receiving.deriveChild(index);
  assert(child.index === index, 'every index has its own key');
  return accountOf(child);
}

function accountOf({ privateKey }: HDKey): PrivateKeyAccount {
  assert(privateKey !== null, 'a seed gives private keys');
  return privateKeyToAccount(asHex('0x' + Buffer.from(privateKey).toString('hex')));
}
