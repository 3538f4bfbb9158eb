import { cutOfW1, streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleaveSlices } from './harness.ts';
import { createPeer } from './peer-order-book.ts';

const slices = 4;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = cutOfW1(size.quick);
  const w1 = streamOfW1(cut, size.samples);
  const stream = warmW1(cut, w1);
  const peer = createPeer(w1);
  let peerAt = w1.prefill;
  peer(0, peerAt);
  const slice = Math.floor(cut.sample / slices);
  const results = await interleaveSlices(
    {
      engine: () => stream.advance(slice),
      peer: () => {
        const from = peerAt;
        peerAt = from + slice;
        return slice / peer(from, peerAt);
      },
    },
    size.samples,
    slices,
  );
  report(
    compared(
      {
        name: 'engine/pipeline',
        unit: 'op/s',
        must: atLeast(5),
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
