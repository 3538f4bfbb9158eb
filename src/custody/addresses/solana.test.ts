import { expect, test } from 'vitest';
import { solana } from '#custody/addresses/solana.ts';

test.each([
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'So11111111111111111111111111111111111111112',
])('%s, a program or mint that everyone knows, is read', (address) => {
  expect(solana.read(address)).toMatchObject({ canonical: address, payload: expect.objectContaining({ length: 32 }) });
});

test.each([
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10', 'has a character that Base58 does not know'],
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt', 'has 31 bytes; a Solana address has 32'],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'has 25 bytes; a Solana address has 32'],
  ['', 'has 0 bytes; a Solana address has 32'],
])('%j %s', (address, fault) => {
  expect(solana.read(address)).toEqual({ fault });
});
