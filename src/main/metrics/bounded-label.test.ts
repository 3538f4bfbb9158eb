import { expect, test } from 'vitest';
import { boundedLabel } from '#main/metrics/bounded-label.ts';

test('DEC-OPR-281: beyond its bound a label says other, whatever it is asked for', () => {
  const label = boundedLabel(['BTC', 'ETH', 'BTC', 'TRX', 'SOL'], 3);
  expect(['BTC', 'ETH', 'TRX', 'SOL', 'unheard of'].map(label)).toEqual(['BTC', 'ETH', 'TRX', 'other', 'other']);
});
