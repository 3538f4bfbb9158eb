import { cutOfW1, streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { createPeer } from './peer-order-book.ts';

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = cutOfW1(size.quick);
  const w1 = streamOfW1(cut, size.samples);
  const stream = warmW1(cut, w1);
  const peer = createPeer(w1);
  let peerAt = w1.prefill;
  peer(0, peerAt);
  const results = await interleave(
    {
      engine: () => stream.advance(cut.sample),
      peer: () => {
        const from = peerAt;
        peerAt = from + cut.sample;
        return cut.sample / peer(from, peerAt);
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
          `W1, ${cut.sample} operations a sample, 1,000 accounts, client ids, one operation a ms; ` +
          'against nodejs-order-book, a book only',
      },
      results.engine,
      results.peer,
    ),
  );
}

/** `engine/pipeline`: everything an order passes, against a book alone. */
export const group: BenchGroup = { names: ['engine/pipeline'], run };
