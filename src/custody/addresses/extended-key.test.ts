import { HDKey } from '@scure/bip32';
import { describe, expect, test } from 'vitest';
import { childPublicKey, readAccountKey } from '#custody/addresses/extended-key.ts';

const accountOf = (text: string) => {
  const key = readAccountKey(text);
  if ('fault' in key) throw new Error(key.fault);
  return key;
};
const faultOf = (text: string): string | null => {
  const key = readAccountKey(text);
  return 'fault' in key ? key.fault : null;
};

/** BIP-32, vector 1: m/0'/1/2', and the key two steps below it. */
const account =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5';
const below =
  'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy';
/** BIP-84: the account of its test vectors. */
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

describe('known answers', () => {
  test('BIP-32: the key two steps below an account is the published one', () => {
    const { node } = accountOf(account);
    const child = node.deriveChild(2).deriveChild(1_000_000_000);
    expect(child.publicExtendedKey).toBe(below);
  });

  test.each([
    { path: { chain: 0, index: 0 }, key: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c' },
    { path: { chain: 0, index: 1 }, key: '03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77' },
    { path: { chain: 1, index: 0 }, key: '03025324888e429ab8e3dbaf1f7802648b9cd01e9b418485c5fa4c1b9b5700e1a6' },
  ] as const)('BIP-84: the public key at $path.chain/$path.index is the published one', ({ path, key }) => {
    expect(Buffer.from(childPublicKey(accountOf(zpub), path)).toString('hex')).toBe(key);
  });

  test('an index outside 0 to 2^31 − 1 is never derived', () => {
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN])
      expect(() => childPublicKey(accountOf(zpub), { chain: 0, index })).toThrow('below 2^31');
    expect(childPublicKey(accountOf(zpub), { chain: 0, index: 2 ** 31 - 1 })).toHaveLength(33);
  });
});

describe('what is no account key', () => {
  test.each([
    // BIP-32, vector 5.
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY',
    'xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ',
    'xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8',
  ])('BIP-32: the published invalid key %s is refused', (text) => {
    expect(faultOf(text)).toBe('This extended public key holds no valid public key.');
  });

  test.each([
    // BIP-32: m of vector 1, m/0'/1/2'/2 of vector 1, and m/0/2147483647'/1 of vector 2, which is not hardened.
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
    'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
    'xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon',
  ])('%s, the key of another level, is refused', (text) => {
    expect(faultOf(text)).toContain('This is not the key of an account');
  });

  test('a key with the version of another network is refused', () => {
    const versions = { private: 0, public: 0x043587cf };
    const tpub = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), versions).derive("m/84'/1'/0'").publicExtendedKey;
    expect(tpub.startsWith('tpub')).toBe(true);
    expect(faultOf(tpub)).toBe('This extended key is neither an xpub, a ypub nor a zpub.');
  });

  test('a mistyped, a short and an endless text are refused', () => {
    const mistyped = zpub.replace('zpub6r', 'zpub6R');
    for (const text of [mistyped, zpub.slice(0, -1), '', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'])
      expect(faultOf(text)).toBe('This is not an extended public key: a character is wrong or missing.');
    expect(faultOf(zpub.repeat(10_000))).toBe('This is too long to be an extended public key.');
  });
});

describe('private keys', () => {
  const seed = new Uint8Array(32).fill(7);
  /** The account key of a seed with other version bytes, as wallets of other chains write it. */
  const privateKey = (version: number): string =>
    HDKey.fromMasterSeed(seed, { private: version, public: 0 }).derive("m/84'/0'/0'").privateExtendedKey;

  test.each([
    ['xprv', 0x0488ade4],
    ['yprv', 0x049d7878],
    ['zprv', 0x04b2430c],
    ['tprv', 0x04358394],
    ['Ltpv', 0x019d9cfe],
    ['xpub', 0x0488b21e],
  ])('a private key that begins with %s is refused, and no part of it is repeated', (prefix, version) => {
    const text = privateKey(version);
    expect(text.startsWith(prefix)).toBe(true);
    const fault = faultOf(text) ?? '';
    expect(fault).toContain('extended private key');
    for (let at = 0; at + 8 <= text.length; at += 1) expect(fault).not.toContain(text.slice(at, at + 8));
  });

  test('a mistyped private key is told as what it is', () => {
    expect(faultOf(`${privateKey(0x0488ade4).slice(0, -1)}0`)).toContain('extended private key');
  });
});
