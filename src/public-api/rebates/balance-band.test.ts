import { expect, test } from 'vitest';
import { balanceBandOf } from '#public-api/rebates/balance-band.ts';

test('DEC-SUB-28, DEC-SUB-67: nine bands, each with its upper end; the first ends below 1 USDT', () => {
  const cents = (text: string): bigint => BigInt(text.replace('.', ''));
  const edges = [
    ['0.00', '0.99', '0 USDT'],
    ['1.00', '1000.00', '1-1,000 USDT'],
    ['1000.01', '10000.00', '1,000 - 10,000 USDT'],
    ['10000.01', '50000.00', '10,000 - 50,000 USDT'],
    ['50000.01', '100000.00', '50,000 - 100,000 USDT'],
    ['100000.01', '500000.00', '100,000 - 500,000 USDT'],
    ['500000.01', '1000000.00', '500,000 - 1,000,000 USDT'],
    ['1000000.01', '5000000.00', '1,000,000 - 5,000,000 USDT'],
    ['5000000.01', '90000000000000000.00', '>5,000,000 USDT'],
  ] as const;
  for (const [lowest, highest, band] of edges) {
    expect([lowest, balanceBandOf(cents(lowest), 2)]).toEqual([lowest, band]);
    expect([highest, balanceBandOf(cents(highest), 2)]).toEqual([highest, band]);
  }
});
