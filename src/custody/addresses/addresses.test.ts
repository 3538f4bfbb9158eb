import { pbkdf2Sync } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp, bech32, bech32m, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressSizeMax,
  canonicalAddress,
  checkAddress,
  deriveAddress,
  memoFault,
  readDepositKey,
} from '#custody/addresses/addresses.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { networkCodes } from '#custody/addresses/networks.ts';

/** The seed of a mnemonic without a passphrase (BIP-39). */
const seedOf = (mnemonic: string): Uint8Array => pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512');
const abandon = HDKey.fromMasterSeed(seedOf(`${'abandon '.repeat(11)}about`));
const junk = HDKey.fromMasterSeed(seedOf(`${'test '.repeat(11)}junk`));
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ypub =
  'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP';

const keyOf = (network: Network, text: string) => {
  const key = readDepositKey(network, text);
  if ('fault' in key) throw new Error(key.fault);
  return key;
};
const firstAddresses = (network: Network, text: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => deriveAddress(network, keyOf(network, text), index));

describe('known answers of derivation', () => {
  test('BIP-84: a zpub gives the published P2WPKH addresses', () => {
    expect(firstAddresses('BTC', zpub, 2)).toEqual([
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ]);
  });

  test('an xpub of the same account gives the same P2WPKH addresses', () => {
    const xpub = abandon.derive("m/84'/0'/0'").publicExtendedKey;
    expect(firstAddresses('BTC', xpub, 5)).toEqual(firstAddresses('BTC', zpub, 5));
  });

  test('BIP-49: a ypub gives the P2SH addresses that its wallet shows', () => {
    expect(firstAddresses('BTC', ypub, 2)).toEqual([
      '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf',
      '3LtMnn87fqUeHBUG414p9CWwnoV6E2pNKS',
    ]);
  });

  test('the mnemonic of development chains gives their well-known EVM accounts, on every EVM network', () => {
    const xpub = junk.derive("m/44'/60'/0'").publicExtendedKey;
    const accounts = [
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ];
    expect(firstAddresses('ETH', xpub, 3)).toEqual(accounts);
    expect(firstAddresses('BSC', xpub, 3)).toEqual(accounts);
  });

  test('the mnemonic of BIP-84 gives its well-known Ethereum and TRON accounts', () => {
    expect(firstAddresses('ETH', abandon.derive("m/44'/60'/0'").publicExtendedKey, 1)).toEqual([
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    ]);
    expect(firstAddresses('TRX', abandon.derive("m/44'/195'/0'").publicExtendedKey, 2)).toEqual([
      'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
    ]);
  });
});

describe('keys of deposit addresses', () => {
  test('a network refuses the keys whose addresses are not its own', () => {
    expect(readDepositKey('ETH', zpub)).toEqual({ fault: 'ETH takes an xpub, not a zpub.' });
    expect(readDepositKey('TRX', ypub)).toEqual({ fault: 'TRX takes an xpub, not a ypub.' });
    for (const network of ['SOL', 'XRP'] as const)
      expect(readDepositKey(network, zpub)).toEqual({
        fault: `Addresses of ${network} are not derived from extended public keys.`,
      });
  });

  test('a key that was not accepted for a network derives nothing', () => {
    expect(() => deriveAddress('ETH', keyOf('BTC', zpub), 0)).toThrow('accepted for this network');
  });
});

/** One well-formed address of each format, and of each kind of Bitcoin's. */
const samples: readonly (readonly [Network, string])[] = [
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
  ['BTC', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['BSC', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['SOL', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
];

describe('addresses and memos', () => {
  test('an address is payable on the networks of its format and on no other', () => {
    for (const [owner, address] of samples) {
      const payable = networkCodes.filter((network) => checkAddress(network, address, '1')?.part !== 'address');
      expect([address, payable]).toEqual([address, address.startsWith('0x') ? ['ETH', 'BSC'] : [owner]]);
    }
  });

  test('XRP needs a destination tag and the other networks take no memo', () => {
    for (const [network, address] of samples) {
      const faults = [null, '', '17', 'for Bob'].map((memo) => checkAddress(network, address, memo));
      const missing = { part: 'memo', reason: 'is missing' };
      const needless = { part: 'memo', reason: 'is not known on this network: leave it out' };
      const strange = { part: 'memo', reason: 'is not a destination tag, a whole number from 0 to 4294967295' };
      expect(faults).toEqual(network === 'XRP' ? [missing, missing, null, strange] : [null, null, needless, needless]);
    }
  });

  test('a memo that is allowed may be missing and is looked at when it is there', () => {
    const rule = { memo: 'allowed', faultOf: (memo: string) => (memo === 'bad' ? 'is bad' : null) } as const;
    expect(['', 'good', 'bad'].map((memo) => memoFault(rule, memo))).toEqual([null, null, 'is bad']);
  });

  test('the fault of the address comes before that of the memo', () => {
    expect(checkAddress('XRP', 'r', null)?.part).toBe('address');
  });

  test.each([
    ['BTC', '1111111111111111111114oLvT2'],
    ['BTC', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs'],
    ['ETH', '0x0000000000000000000000000000000000000000'],
    ['TRX', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['SOL', '11111111111111111111111111111111'],
    ['XRP', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
  ] as const)('on %s the address of zeros, %s, is not payable', (network, address) => {
    expect(checkAddress(network, address, null)?.reason).toBe('is all zeros: nobody can spend what is sent to it');
  });

  test('equal addresses have one canonical form', () => {
    expect(canonicalAddress('ETH', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(
      canonicalAddress('ETH', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'),
    );
    expect(canonicalAddress('BTC', 'BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU')).toBe(
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    );
    expect(canonicalAddress('BTC', 'nowhere')).toBeNull();
  });

  test('a text of more than 128 characters is refused before it is decoded', () => {
    for (const network of networkCodes)
      expect(checkAddress(network, '1'.repeat(addressSizeMax + 1), null)).toEqual({
        part: 'address',
        reason: 'has more than 128 characters',
      });
  });
});

const base58check = createBase58check(sha256);
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).filter((all) => all.some(Boolean));
const versioned = (version: number, payload: Uint8Array): Uint8Array => Uint8Array.of(version, ...payload);
const xrpOf = (payload: Uint8Array): string => {
  const content = versioned(0, payload);
  return base58xrp.encode(Uint8Array.of(...content, ...sha256(sha256(content)).subarray(0, 4)));
};

/** Arbitrary addresses of each kind that has a checksum over every character. */
const checksummed: readonly (readonly [Network, fc.Arbitrary<string>])[] = [
  ['BTC', bytes(20).map((payload) => base58check.encode(versioned(0x00, payload)))],
  ['BTC', bytes(20).map((payload) => base58check.encode(versioned(0x05, payload)))],
  ['BTC', bytes(20).map((payload) => bech32.encode('bc', [0, ...bech32.toWords(payload)]))],
  ['BTC', bytes(32).map((payload) => bech32m.encode('bc', [1, ...bech32m.toWords(payload)]))],
  ['TRX', bytes(20).map((payload) => base58check.encode(versioned(0x41, payload)))],
  ['XRP', bytes(20).map(xrpOf)],
];
const plain: readonly (readonly [Network, fc.Arbitrary<string>])[] = [
  ['ETH', bytes(20).map((payload) => `0x${Buffer.from(payload).toString('hex')}`)],
  ['SOL', bytes(32).map((payload) => base58.encode(payload))],
];
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const isWellFormed = (network: Network, address: string): boolean => canonicalAddress(network, address) !== null;

describe('properties of addresses', () => {
  test.each(checksummed)('%s: an address with one changed character is refused', (network, arbitrary) => {
    const place = fc.nat();
    fc.assert(
      fc.property(arbitrary, place, fc.constantFrom(...letters), (address, at, letter) => {
        const changed = at % address.length;
        fc.pre(address[changed] !== letter);
        expect(isWellFormed(network, address)).toBe(true);
        expect(isWellFormed(network, address.slice(0, changed) + letter + address.slice(changed + 1))).toBe(false);
      }),
    );
  });

  test('ETH: a mixed address with the case of one letter changed is refused', () => {
    fc.assert(
      fc.property(plain[0]![1], fc.nat(), (lower, at) => {
        const address = canonicalAddress('ETH', lower)!;
        const places = [...address].flatMap((letter, place) => (/[a-f]/i.test(letter) ? [place] : []));
        fc.pre(places.length > 0);
        const place = places[at % places.length]!;
        const letter = address[place]!;
        const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const changed = address.slice(0, place) + swapped + address.slice(place + 1);
        const digits = changed.slice(2);
        fc.pre(digits !== digits.toLowerCase() && digits !== digits.toUpperCase());
        expect(isWellFormed('ETH', changed)).toBe(false);
      }),
    );
  });

  test.each([...checksummed, ...plain])('%s: the canonical form of a canonical address is itself', (network, all) => {
    fc.assert(
      fc.property(all, (address) => {
        const canonical = canonicalAddress(network, address)!;
        expect(canonicalAddress(network, canonical)).toBe(canonical);
      }),
    );
  });

  test.each(['BTC', 'ETH', 'TRX', 'BSC'] as const)('%s: every derived address is payable and canonical', (network) => {
    const account = fc.tuple(bytes(32), fc.constantFrom("m/44'/60'/0'", "m/84'/0'/7'"));
    const index = fc.nat({ max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(account, index, ([seed, path], at) => {
        const xpub = HDKey.fromMasterSeed(seed).derive(path).publicExtendedKey;
        const address = deriveAddress(network, keyOf(network, xpub), at);
        expect(checkAddress(network, address, null)).toBeNull();
        expect(canonicalAddress(network, address)).toBe(address);
      }),
      { numRuns: 20 },
    );
  });

  test('every text as address, memo or key gets an answer', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...letters), maxLength: 140 }),
      fc.string({ unit: fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bc'), maxLength: 100 }),
      fc.constantFrom('\ud800', 'bc1', '0x', 'xpub', '1'.repeat(128), '\u0000'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...networkCodes), text, text, (network, address, memo) => {
        const fault = checkAddress(network, address, memo);
        expect(fault === null || fault.reason.length > 0).toBe(true);
        expect(canonicalAddress(network, address) === null).toBe(fault?.part === 'address');
        expect('fault' in readDepositKey(network, address)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
