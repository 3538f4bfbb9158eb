import { EngineStream, streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, median } from './harness.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';

/** Resting orders; only the ends have a budget. */
const depths = [100, 1000, 10_000, 100_000, 1_000_000] as const;
const [fewest, middle, most] = [depths[0], 10_000, depths.at(-1)] as const;

const nameOf = (depth: number): string => `engine/cost-at-${depth}`;

/** An order costs the same whatever rests beside it. */
async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 200_000, sample: 50_000 } : { warmUp: 500_000, sample: 300_000 };
  const contenders = Object.fromEntries(
    depths.map((depth) => {
      const w1 = streamOfW1(cut, size.samples, { depth, seed: 5 });
      const stream = new EngineStream(withOwnedCancels(workloadOfW1(w1, 10_000)));
      stream.advance(cut.warmUp);
      return [nameOf(depth), () => 1e9 / stream.advance(cut.sample)];
    }),
  );
  const results = await interleave(contenders, size.samples);
  const held = results[nameOf(middle)] ?? [];
  for (const depth of depths) {
    const isEnd = depth === fewest || depth === most;
    report(
      compared(
        {
          name: nameOf(depth),
          unit: 'ns/op',
          must: isEnd ? atMost(1.5) : null,
          aim: isEnd ? atMost(1.2) : null,
          note: `W1 beside ${depth} resting orders; against ${median(held).toFixed(0)} ns beside ${middle}`,
        },
        results[nameOf(depth)] ?? [],
        held,
      ),
    );
  }
}

/** Curves: what an operation costs beside few and many resting orders. */
export const group: BenchGroup = { names: depths.map(nameOf), run };
