import type { Cut } from './engine-run.ts';
import { cutOfW1, EngineStream, streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleaveSlices } from './harness.ts';
import type { WideSize } from './workload.ts';
import { wideSize, wideWorkload } from './workload.ts';

const quickWide: Omit<WideSize, 'limits'> = { symbols: 200, accounts: 10_000, resting: 100_000 };
const wideCut = (quick: boolean): Cut =>
  quick ? { warmUp: 300_000, sample: 100_000 } : { warmUp: 500_000, sample: 400_000 };

const slices = 4;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = wideCut(size.quick);
  const narrowCut = { ...cutOfW1(true), sample: cut.sample };
  const limits = (cut.warmUp + cut.sample * (size.samples + 1)) * 0.6;
  const wide = new EngineStream(wideWorkload({ ...(size.quick ? quickWide : wideSize), limits }));
  wide.advance(cut.warmUp);
  const narrow = warmW1(narrowCut, streamOfW1(narrowCut, size.samples));
  const slice = cut.sample / slices;
  const results = await interleaveSlices(
    { wide: () => wide.advance(slice), narrow: () => narrow.advance(slice) },
    size.samples,
    slices,
  );
  const { symbols, accounts, prefill } = wide.workload;
  report(
    compared(
      {
        name: 'engine/wide',
        unit: 'op/s',
        must: atLeast(0.45),
        aim: atLeast(0.8),
        note: `${symbols} symbols, ${accounts} accounts, ${prefill} resting orders; against engine/pipeline`,
      },
      results.wide,
      results.narrow,
    ),
  );
}

/** `engine/wide`: many books, many accounts, many orders at rest. */
export const group: BenchGroup = { names: ['engine/wide'], run };
