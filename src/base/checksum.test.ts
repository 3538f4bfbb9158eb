import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c, createHash128 } from '#base/checksum.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const bitsSet = (hexadecimal: string): number =>
  [...BigInt(`0x${hexadecimal}`).toString(2)].filter((bit) => bit === '1').length;

describe('crc32c', () => {
  test('known vectors of RFC 3720 come out', () => {
    expect(crc32c(ascii('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
  });

  test('a checksum can be taken in parts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
        const at = Math.min(cut, bytes.length);
        expect(crc32c(bytes, at, bytes.length, crc32c(bytes, 0, at))).toBe(crc32c(bytes));
      }),
    );
  });
});

describe('hash of 128 bits', () => {
  test('going on from a saved state equals never having stopped', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), fc.array(fc.string()), (numbers, texts) => {
        const whole = createHash128();
        const first = createHash128();
        for (const value of numbers) {
          whole.number(value);
          first.number(value);
        }
        const second = createHash128(first.save());
        for (const text of texts) {
          whole.text(text);
          second.text(text);
        }
        expect(second.digest()).toBe(whole.digest());
        expect(whole.digest()).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });

  test('different values, orders and lengths give different digests', () => {
    const seen = new Set<string>();
    const add = (feed: (hash: ReturnType<typeof createHash128>) => void): void => {
      const hash = createHash128();
      feed(hash);
      seen.add(hash.digest());
    };
    for (let value = -5000; value < 5000; value += 1) add((hash) => hash.number(value));
    for (let value = 0; value < 5000; value += 1) add((hash) => hash.number(2 ** 32 + value * 2 ** 21));
    for (let size = 1; size < 100; size += 1)
      add((hash) => {
        for (let index = 0; index < size; index += 1) hash.u32(0);
      });
    for (let size = 1; size < 100; size += 1) add((hash) => hash.bytes(new Uint8Array(size)));
    for (let at = 0; at < 64; at += 1)
      add((hash) => {
        for (let index = 0; index < 64; index += 1) hash.u32(index === at ? 1 : 0);
      });
    add((hash) => {
      hash.text('ab');
      hash.text('c');
    });
    add((hash) => {
      hash.text('a');
      hash.text('bc');
    });
    // `number(0)`, `u32` once and an empty `bytes` are one sequence of words; 64 zeros differ from one set bit.
    expect(seen.size).toBe(10_000 + 5000 + 98 + 99 + 64 + 2);
  });

  test('each flipped bit of the input flips about half of the digest', () => {
    let flipped = 0;
    const base = createHash128();
    for (let index = 0; index < 8; index += 1) base.u32(index);
    const digest = BigInt(`0x${base.digest()}`);
    for (let bit = 0; bit < 256; bit += 1) {
      const other = createHash128();
      for (let index = 0; index < 8; index += 1) other.u32(index === bit >>> 5 ? index ^ (1 << (bit & 31)) : index);
      const distance = bitsSet((BigInt(`0x${other.digest()}`) ^ digest).toString(16));
      expect(distance).toBeGreaterThan(30);
      flipped += distance;
    }
    expect(flipped / 256).toBeGreaterThan(60);
    expect(flipped / 256).toBeLessThan(68);
  });
});
