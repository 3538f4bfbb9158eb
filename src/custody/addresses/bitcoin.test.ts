import { describe, expect, test } from 'vitest';
import { bitcoin } from '#custody/addresses/bitcoin.ts';

const faultOf = (text: string): string | null => {
  const reading = bitcoin.read(text);
  return 'fault' in reading ? reading.fault : null;
};
const payloadOf = (text: string): string | null => {
  const reading = bitcoin.read(text);
  return 'fault' in reading ? null : Buffer.from(reading.payload).toString('hex');
};

describe('BIP-173 and BIP-350', () => {
  test.each([
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      '1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
  ])('the published address %s stands for its published program', (address, program) => {
    expect(payloadOf(address)).toBe(program);
  });

  test.each([
    ['tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty', 'is of another network than Bitcoin'],
    ['tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'is of another network than Bitcoin'],
    ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'is of a Bitcoin test network'],
    ['tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 'is of a Bitcoin test network'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'is not a Bitcoin address: a character is wrong or missing'],
    [
      'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      'is not a Bitcoin address: a character is wrong or missing',
    ],
    ['bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'is not a Bitcoin address: a character is wrong or missing'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'has the checksum of another witness version'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'has the checksum of another witness version'],
    ['BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', 'names a witness version that does not exist'],
    ['BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'names a witness version that does not exist'],
    ['bc1gmk9yu', 'names a witness version that does not exist'],
    ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'has a witness program of the wrong length'],
    ['bc1pw5dgrnzv', 'has a witness program of the wrong length'],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      'has a witness program of the wrong length',
    ],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'has a witness program of the wrong length'],
  ])('the published invalid address %s %s', (address, fault) => {
    expect(faultOf(address)).toBe(fault);
  });

  test.each(['BC1SW50QGDZ25J', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'])(
    '%s is well formed, but anyone could spend what is sent to it',
    (address) => expect(faultOf(address)).toBe('names a witness version that is not in use yet'),
  );

  test('a program of version 1 that is no Taproot key is refused', () => {
    expect(faultOf('bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y')).toBe(
      'has a witness program of the wrong length',
    );
  });
});

test('a letter of another alphabet that folds to the right one is refused', () => {
  const kelvin = '\u212a';
  expect(kelvin.toLowerCase()).toBe('k');
  expect(payloadOf('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'.replace('K', kelvin))).toBeNull();
});

describe('Base58Check of Bitcoin', () => {
  test('the first address ever and the example of BIP-13 are read', () => {
    expect(payloadOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe('62e907b15cbf27d5425399ebf6f0fb50ebb88f18');
    expect(payloadOf('3P14159f73E4gFr7JterCCQh9QjiTjiZrG')).toBe('e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a');
  });

  test.each([
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'is of another network than Bitcoin'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'is of another network than Bitcoin'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'is of another network than Bitcoin'],
    ['L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ', 'has the wrong length'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'is not a Bitcoin address: a character is wrong or missing'],
  ])('%s %s', (address, fault) => {
    expect(faultOf(address)).toBe(fault);
  });
});
