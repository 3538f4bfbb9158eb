import { base58 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { normalTransactionId } from '#custody/addresses/addresses.ts';
import { networkCodes } from '#custody/addresses/networks.ts';
import { transactionFormats } from '#custody/simulated/transaction-format.ts';

const digits = '0123456789abcdef'.repeat(4);
const signature = base58.encode(Uint8Array.from({ length: 64 }, (_, index) => index));

describe('DEC-WAL-100: the id of a transaction has one normal form', () => {
  test.each([
    ...(['ETH', 'BSC'] as const).flatMap((network) =>
      [`0x${digits}`, `0X${digits}`, digits, digits.toUpperCase(), `0x${digits.toUpperCase()}`].map(
        (text) => [network, text, `0x${digits}`] as const,
      ),
    ),
    ...(['BTC', 'TRX'] as const).flatMap((network) =>
      [digits, digits.toUpperCase()].map((text) => [network, text, digits] as const),
    ),
    ['XRP', digits, digits.toUpperCase()],
    ['XRP', digits.toUpperCase(), digits.toUpperCase()],
    ['SOL', signature, signature],
  ] as const)('%s: %s is %s', (network, text, normal) => {
    expect(normalTransactionId(network, text)).toBe(normal);
    expect(normalTransactionId(network, normal)).toBe(normal);
  });

  test.each(networkCodes)('%s: ids of the simulated chain are in normal form', (network) => {
    const txId = transactionFormats[network].txId('a transaction');
    expect(normalTransactionId(network, txId)).toBe(txId);
  });

  test.each(networkCodes)('%s: what is none has none', (network) => {
    const other = network === 'SOL' ? digits : signature;
    const none = ['', ' ', '0x', 'x', other, `${digits}0`, digits.slice(1), ` ${digits}`, `${digits}\n`, `${digits} `];
    for (const text of [...none, `0x0x${digits}`, 'a'.repeat(200), digits.replace('0', 'g'), '\u0660'.repeat(64)])
      expect(normalTransactionId(network, text)).toBeNull();
  });

  test.each(['BTC', 'TRX', 'XRP'] as const)('%s: hexadecimal with 0x is of another network', (network) => {
    expect(normalTransactionId(network, `0x${digits}`)).toBeNull();
  });

  test('SOL: letters of either case are different digits', () => {
    const swapped = signature.replace(/[a-z]/, (letter) => letter.toUpperCase());
    expect(normalTransactionId('SOL', swapped)).not.toBe(signature);
  });
});
