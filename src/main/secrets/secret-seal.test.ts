import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiKeyOwnership } from '#main/secrets/secret-seal.ts';
import { apiKeyAssociatedData, createSecretSeal, SealBroken } from '#main/secrets/secret-seal.ts';

const keyA = new Uint8Array(32).fill(1);
const keyB = new Uint8Array(32).fill(2);
const owner: ApiKeyOwnership = { accessKey: 'mx0key', uid: 10000001, permissions: 3, ips: ['10.0.0.1'], keyVersion: 1 };
const bound = apiKeyAssociatedData(owner);
const nonceOf = (sealed: string): string => Buffer.from(sealed, 'base64').subarray(5, 17).toString('hex');

describe.each(['random', 'synthetic'] as const)('a seal with %s nonces', (nonces) => {
  const seal = createSecretSeal({ keys: [keyA], nonces });

  test('opens to what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), fc.uint8Array({ maxLength: 80 }), (text, owned) => {
        const plain = Buffer.from(text, 'utf8').toString('utf8');
        expect(seal.unseal(seal.seal(plain, owned), owned)).toBe(plain);
      }),
      { numRuns: 200 },
    );
  });

  test('does not open after any single bit was changed', () => {
    const sealed = Buffer.from(seal.seal('k7Q2vB9xT4mZ8wL1', bound), 'base64');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => seal.unseal(altered.toString('base64'), bound)).toThrow(SealBroken);
    }
  });

  test('does not open for another owner or with wider rights', () => {
    const sealed = seal.seal('secret', bound);
    const others: readonly ApiKeyOwnership[] = [
      { ...owner, accessKey: 'mx0kez' },
      { ...owner, uid: 10_000_002 },
      { ...owner, permissions: 7 },
      { ...owner, ips: [] },
      { ...owner, ips: ['10.0.0.1', '10.0.0.2'] },
      { ...owner, keyVersion: 2 },
    ];
    for (const other of others) expect(() => seal.unseal(sealed, apiKeyAssociatedData(other))).toThrow(SealBroken);
    expect(seal.unseal(sealed, apiKeyAssociatedData({ ...owner }))).toBe('secret');
  });

  test('refuses what is no seal', () => {
    for (const text of ['', 'AQ==', 'not base64 at all', Buffer.alloc(64).toString('base64')]) {
      expect(() => seal.unseal(text, bound)).toThrow(SealBroken);
    }
  });
});

describe('nonces', () => {
  test('random ones differ for the same text', () => {
    const seal = createSecretSeal({ keys: [keyA], nonces: 'random' });
    expect(nonceOf(seal.seal('same', bound))).not.toBe(nonceOf(seal.seal('same', bound)));
  });

  test('synthetic ones repeat for the same text and owner and for nothing else', () => {
    const seal = createSecretSeal({ keys: [keyA], nonces: 'synthetic' });
    const sealed = seal.seal('same', bound);
    expect(createSecretSeal({ keys: [keyA], nonces: 'synthetic' }).seal('same', bound)).toBe(sealed);
    const others = [
      seal.seal('other', bound),
      seal.seal('same', apiKeyAssociatedData({ ...owner, uid: 2 })),
      createSecretSeal({ keys: [keyB], nonces: 'synthetic' }).seal('same', bound),
    ];
    expect(new Set([sealed, ...others].map(nonceOf)).size).toBe(4);
  });

  test('text cannot slide into the owner: only the pair decides the nonce', () => {
    const seal = createSecretSeal({ keys: [keyA], nonces: 'synthetic' });
    expect(nonceOf(seal.seal('bc', Buffer.from('a')))).not.toBe(nonceOf(seal.seal('c', Buffer.from('ab'))));
  });
});

describe('key ring', () => {
  test('a replaced key still opens old seals and seals no new ones', () => {
    const before = createSecretSeal({ keys: [keyA], nonces: 'random' });
    const after = createSecretSeal({ keys: [keyB, keyA], nonces: 'random' });
    expect(after.unseal(before.seal('old', bound), bound)).toBe('old');
    expect(() => before.unseal(after.seal('new', bound), bound)).toThrow('not in the key ring');
  });

  test('an empty ring and a key of the wrong size are refused', () => {
    expect(() => createSecretSeal({ keys: [], nonces: 'random' })).toThrow(SealBroken);
    expect(() => createSecretSeal({ keys: [new Uint8Array(16)], nonces: 'random' })).toThrow('32 bytes');
  });

  test('more than 4096 bytes are not sealed', () => {
    const seal = createSecretSeal({ keys: [keyA], nonces: 'random' });
    expect(() => seal.seal('x'.repeat(4097), bound)).toThrow('at most 4096 bytes');
  });
});

test('rights are bound in one canonical form in which no list or name can stand for another', () => {
  const texts = [
    { ...owner, ips: ['10.0.0.1', '10.0.0.2'] },
    { ...owner, ips: ['10.0.0.110.0.0.2'] },
    { ...owner, accessKey: 'mx0key1', uid: 1 },
    { ...owner, accessKey: 'mx0key', uid: 11 },
  ].map((each) => Buffer.from(apiKeyAssociatedData(each)).toString('hex'));
  expect(new Set(texts).size).toBe(texts.length);
});
