import { sampleEngine } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, median } from './harness.ts';
import { generateW1 } from './w1-workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { engineMaker } from './workload-exchange.ts';

const depths = [100, 10_000, 1_000_000] as const;

/** An order costs the same whatever rests beside it. */
async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const limits = size.quick ? 40_000 : 300_000;
  const contenders = Object.fromEntries(
    depths.map((depth) => {
      const workload = withOwnedCancels(workloadOfW1(generateW1({ limits, depth, seed: 5 }), 10_000));
      const make = engineMaker(workload);
      return [String(depth), () => 1e9 / sampleEngine(workload, make)];
    }),
  );
  const results = await interleave(contenders, size.quick ? 2 : size.samples);
  const middle = results['10000'] ?? [];
  for (const depth of depths.filter((other) => other !== 10_000)) {
    report(
      compared(
        {
          name: `engine/cost-at-${depth}`,
          unit: 'ns/op',
          must: atMost(1.5),
          aim: atMost(1.2),
          note: `W1 beside ${depth} resting orders; against ${median(middle).toFixed(0)} ns beside 10,000`,
        },
        results[String(depth)] ?? [],
        middle,
      ),
    );
  }
}

/** Curves: what an operation costs beside few and many resting orders. */
export const group: BenchGroup = { names: ['engine/cost-at-100', 'engine/cost-at-1000000'], run };
