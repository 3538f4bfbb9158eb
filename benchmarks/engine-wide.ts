import { quickW1, sampleEngine } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { generateW1, w1PublishedSize } from './w1-workload.ts';
import type { WideSize } from './workload.ts';
import { wideSize, wideWorkload, withOwnedCancels, workloadOfW1 } from './workload.ts';
import { engineMaker } from './workload-exchange.ts';

const quickWide: WideSize = { symbols: 200, accounts: 10_000, resting: 100_000, limits: 100_000 };

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const wide = wideWorkload(size.quick ? quickWide : wideSize);
  const narrow = withOwnedCancels(workloadOfW1(generateW1(size.quick ? quickW1 : w1PublishedSize)));
  const makeWide = engineMaker(wide);
  const makeNarrow = engineMaker(narrow);
  const results = await interleave(
    {
      wide: () => sampleEngine(wide, makeWide),
      narrow: () => sampleEngine(narrow, makeNarrow),
    },
    size.samples,
  );
  report(
    compared(
      {
        name: 'engine/wide',
        unit: 'op/s',
        must: atLeast(0.5),
        aim: atLeast(0.8),
        note: `${wide.symbols} symbols, ${wide.accounts} accounts, ${wide.prefill} resting; against engine/pipeline`,
      },
      results.wide,
      results.narrow,
    ),
  );
}

/** `engine/wide`: many books, many accounts, many orders at rest. */
export const group: BenchGroup = { names: ['engine/wide'], run };
