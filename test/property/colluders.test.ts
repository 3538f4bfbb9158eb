import { expect, test } from 'vitest';
import { Collusion } from './colluders.ts';

/** 200 pairs by default; more by `BOURSE_TEST_COLLUDERS`, from another seed on by `BOURSE_TEST_SEED`. */
const pairs = Number(process.env['BOURSE_TEST_COLLUDERS'] ?? 200);
const firstSeed = Number(process.env['BOURSE_TEST_SEED'] ?? 1);

test('DEC-FUT-100 to DEC-FUT-104: while the index stands no pair of accounts wins together, and no fund falls', {
  timeout: 3_600_000,
}, () => {
  const total = { trades: 0, takeovers: 0, deleveragings: 0, refusals: 0, lost: 0n };
  for (let seed = firstSeed; seed < firstSeed + pairs; seed += 1) {
    try {
      const result = new Collusion(seed).run();
      for (const name of ['trades', 'takeovers', 'deleveragings', 'refusals'] as const) total[name] += result[name];
      total.lost += result.lost;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  // A pair that is refused everything, or never liquidated, would prove nothing.
  expect(total.trades / pairs).toBeGreaterThan(3);
  expect(total.takeovers).toBeGreaterThan(pairs / 40);
  expect(total.lost).toBeGreaterThan(0n);
});
