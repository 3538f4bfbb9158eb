import { quickW1, sampleEngine } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave, timed } from './harness.ts';
import { createPeer } from './peer-order-book.ts';
import { generateW1, w1PublishedSize } from './w1-workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { engineMaker } from './workload-exchange.ts';

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const w1 = generateW1(size.quick ? quickW1 : w1PublishedSize);
  const workload = withOwnedCancels(workloadOfW1(w1));
  const make = engineMaker(workload);
  const results = await interleave(
    {
      engine: () => sampleEngine(workload, make),
      peer: () => {
        const run = createPeer(w1);
        run(0, w1.prefill);
        return (w1.count - w1.prefill) / timed(() => run(w1.prefill, w1.count));
      },
    },
    size.samples,
  );
  report(
    compared(
      {
        name: 'engine/pipeline',
        unit: 'op/s',
        must: atLeast(10),
        aim: atLeast(20),
        note:
          `W1, ${w1.count - w1.prefill} operations, 1,000 accounts, client ids, one operation a ms; ` +
          'against nodejs-order-book, a book only',
      },
      results.engine,
      results.peer,
    ),
  );
}

/** `engine/pipeline`: everything an order passes, against a book alone. */
export const group: BenchGroup = { names: ['engine/pipeline'], run };
