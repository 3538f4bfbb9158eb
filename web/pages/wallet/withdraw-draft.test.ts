import { expect, test } from 'vitest';
import type { CoinNetwork } from '#web/data/wallet.ts';
import { arriving, emptyDraft, faultOfAmount, faultsOf, mostOf } from '#web/pages/wallet/withdraw-draft.ts';

const network = {
  withdrawFee: '3',
  withdrawMin: '10',
  withdrawMax: '1000',
  withdrawIntegerMultiple: '0.01',
} as CoinNetwork;
const of = (amount: string, free: string | null = '500'): string | null => faultOfAmount(amount, 'USDT', network, free);

test('DEC-WEB-34: what arrives is the amount less the fee inside it', () => {
  expect(arriving('10.5', network)).toBe('7.5');
  expect(arriving('3', network)).toBeNull();
});

test.each([
  ['', 'digits'],
  ['1e3', 'digits'],
  ['-5', 'digits'],
  ['0', 'above zero'],
  ['9.99', 'At least 10 USDT'],
  ['1000.01', 'At most 1000 USDT'],
  ['10.001', 'multiples of 0.01'],
  ['500.01', 'Only 500 USDT'],
])('DEC-WEB-34: an amount of %j is told before it is sent', (amount, words) => {
  expect(of(amount)).toContain(words);
});

test('DEC-WEB-34: an amount that can be sent has no fault, nor one whose balance is not known', () => {
  expect(of('10')).toBeNull();
  expect(of('500')).toBeNull();
  expect(of('900', null)).toBeNull();
});

test('the most is what is free, within the limits of the network', () => {
  expect(mostOf('500.129', network)).toBe('500.12');
  expect(mostOf('5000', network)).toBe('1000');
});

test('DEC-WEB-34: members are named by what is wrong with them', () => {
  const faults = faultsOf(
    { ...emptyDraft, amount: '20', remark: 'x'.repeat(65) },
    { coin: 'USDT', network, free: '50' },
  );
  expect(Object.keys(faults)).toEqual(['address', 'remark']);
});
