import { contractSetUp } from './contract-set-up.ts';
import { cutOfW1, EngineStream, streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleaveSlices } from './harness.ts';
import { withBothSides, workloadOfW1 } from './workload.ts';
import { emptyExchange, exchangeOf } from './workload-exchange.ts';

const slices = 4;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = cutOfW1(size.quick);
  const workload = withBothSides(workloadOfW1(streamOfW1(cut, size.samples)));
  const slice = Math.floor(cut.sample / slices);
  const spot = new EngineStream(workload, emptyExchange(workload));
  const contract = new EngineStream(workload, exchangeOf(contractSetUp(workload)));
  for (const stream of [spot, contract]) stream.advance(cut.warmUp);
  const results = await interleaveSlices(
    { contract: () => contract.advance(slice), spot: () => spot.advance(slice) },
    size.samples,
    slices,
  );
  report(
    compared(
      {
        name: 'futures/pipeline',
        unit: 'op/s',
        must: atLeast(0.3),
        aim: atLeast(0.5),
        note:
          `W1 on a contract, ${cut.sample} operations a sample, 1,000 accounts that buy and sell; ` +
          'against the same operations on a pair',
      },
      results.contract,
      results.spot,
    ),
  );
}

/** `futures/pipeline`: everything an order of a contract passes, against the same of a pair. */
export const group: BenchGroup = { names: ['futures/pipeline'], run };
