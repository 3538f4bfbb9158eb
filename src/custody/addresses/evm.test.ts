import { expect, test } from 'vitest';
import { evm } from '#custody/addresses/evm.ts';

const published = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const canonicalOf = (text: string): string | null => {
  const reading = evm.read(text);
  return 'fault' in reading ? null : reading.canonical;
};
const upper = (address: string): string => '0x' + address.slice(2).toUpperCase();

test.each(published)('EIP-55: %s is canonical, and so its lower and upper case are read', (address) => {
  expect(canonicalOf(address)).toBe(address);
  expect(canonicalOf(address.toLowerCase())).toBe(address);
  expect(canonicalOf(upper(address))).toBe(address);
});

test('a mixed address whose checksum differs is refused', () => {
  expect(evm.read('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toEqual({
    fault: 'has a wrong checksum: one of its characters, or the case of a letter, differs',
  });
});

test.each([
  '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n',
  'vitalik.eth',
])('%j is no address', (text) => {
  expect(evm.read(text)).toEqual({ fault: 'is not 0x followed by 40 hexadecimal digits' });
});
