import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { poisson } from '#sandbox/agents/arrivals.ts';

describe('counting by chance', () => {
  test.each([0.05, 1, 12, 200])('as many as expected on average: %d', (mean) => {
    const prng = createPrng(9);
    const rounds = 20_000;
    let sum = 0;
    for (let round = 0; round < rounds; round += 1) {
      const count = poisson(mean, prng);
      expect(Number.isInteger(count) && count >= 0).toBe(true);
      sum += count;
    }
    expect(sum / rounds / mean).toBeGreaterThan(0.9);
    expect(sum / rounds / mean).toBeLessThan(1.1);
  });

  test('nothing in no time', () => {
    expect(poisson(0, createPrng(1))).toBe(0);
    expect(poisson(-1, createPrng(1))).toBe(0);
  });
});
