import { EngineStream, streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, median } from './harness.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';

const depths = [100, 10_000, 1_000_000] as const;

/** An order costs the same whatever rests beside it. */
async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 200_000, sample: 50_000 } : { warmUp: 500_000, sample: 300_000 };
  const contenders = Object.fromEntries(
    depths.map((depth) => {
      const w1 = streamOfW1(cut, size.samples, { depth, seed: 5 });
      const stream = new EngineStream(withOwnedCancels(workloadOfW1(w1, 10_000)));
      stream.advance(cut.warmUp);
      return [String(depth), () => 1e9 / stream.advance(cut.sample)];
    }),
  );
  const results = await interleave(contenders, size.samples);
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
