import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walletIdKinds, walletIdText, walletNumberOf } from '#domain/wallet-id.ts';

test('DEC-WAL-04: an id is 32 lower-case hex characters and names its number and nothing else', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...walletIdKinds),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (kind, number) => {
        const id = walletIdText(kind, number);
        expect(id).toMatch(/^[0-9a-f]{32}$/);
        expect(walletNumberOf(kind, id)).toBe(number);
        for (const other of walletIdKinds) if (other !== kind) expect(walletNumberOf(other, id)).toBeNull();
        expect(
          walletNumberOf(
            kind,
            id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          ),
        ).toBeNull();
      },
    ),
  );
});

test('DEC-WAL-04: a hundred thousand ids in a row are different in both halves', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => walletIdText('withdrawal', index + 1));
  for (const half of [(id: string) => id.slice(0, 16), (id: string) => id.slice(16)])
    expect(new Set(ids.map(half)).size).toBe(ids.length);
});

test('DEC-WAL-04: other texts name nothing', () => {
  for (const text of ['', '0'.repeat(32), 'f'.repeat(32), walletIdText('send', 1).toUpperCase(), 'x'.repeat(32)])
    expect(walletNumberOf('send', text)).toBeNull();
});
