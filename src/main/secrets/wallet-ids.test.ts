import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insideTxId, shownTxId, walletIdKinds } from '#model/wallet-id.ts';
import { createWalletIds } from '#main/secrets/wallet-ids.ts';

const ids = createWalletIds(Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'));
const others = createWalletIds(Buffer.alloc(16, 1));

test('DEC-WAL-04: an id is 32 lower-case hex characters and names its number and nothing else', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...walletIdKinds),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (kind, number) => {
        const id = ids.text(kind, number);
        expect(id).toMatch(/^[0-9a-f]{32}$/);
        expect(ids.numberOf(kind, id)).toBe(number);
        for (const other of walletIdKinds) if (other !== kind) expect(ids.numberOf(other, id)).toBeNull();
        const changed = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
        expect(ids.numberOf(kind, changed)).toBeNull();
        expect(others.text(kind, number)).not.toBe(id);
        expect(others.numberOf(kind, id)).toBeNull();
      },
    ),
  );
});

test('DEC-WAL-170: an id is AES-128 of kind and number: openssl enc -aes-128-ecb gives the same', () => {
  expect(ids.text('withdrawal', 1)).toBe('8f9429444c8f4b3599421235b510df3d');
});

test('DEC-WAL-04: a hundred thousand ids in a row are different in both halves', () => {
  const printed = Array.from({ length: 100_000 }, (_, index) => ids.text('withdrawal', index + 1));
  for (const half of [(id: string) => id.slice(0, 16), (id: string) => id.slice(16)])
    expect(new Set(printed.map(half)).size).toBe(printed.length);
});

test('DEC-WAL-04: other texts name nothing', () => {
  for (const text of ['', '0'.repeat(32), 'f'.repeat(32), ids.text('send', 1).toUpperCase(), 'x'.repeat(32)])
    expect(ids.numberOf('send', text)).toBeNull();
});

test('DEC-WAL-25: a payment from inside is shown by the id of its withdrawal, any other by its transaction', () => {
  expect(shownTxId(ids, insideTxId(17))).toBe(ids.text('withdrawal', 17));
  for (const txId of ['0xab', '17', 'inside', 'inside 0', 'inside 1 ']) expect(shownTxId(ids, txId)).toBe(txId);
});
