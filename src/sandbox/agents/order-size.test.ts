import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { drawOrderSize, meanOrderSize, roundSomePrices } from '#sandbox/agents/order-size.ts';

test.each([1, 5, 40])('%d orders together are worth as many mean orders on average', (orders) => {
  const prng = createPrng(4);
  const rounds = 100_000;
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) sum += drawOrderSize(orders, prng);
  expect(sum / rounds / (orders * meanOrderSize)).toBeGreaterThan(0.95);
  expect(sum / rounds / (orders * meanOrderSize)).toBeLessThan(1.05);
});

test('round prices are never nearer to the other side', () => {
  const prng = createPrng(5);
  for (let price = 10_001; price < 10_400; price += 1) {
    expect(roundSomePrices(price, 'buy', prng)).toBeLessThanOrEqual(price);
    expect(roundSomePrices(price, 'sell', prng)).toBeGreaterThanOrEqual(price);
  }
});
