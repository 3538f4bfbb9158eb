import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost } from './harness.ts';
import type { StreamServerKind } from './stream-server.ts';
import { StreamProcess } from './stream-process.ts';

const channel = 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT';

/** Resident bytes that each of so many connections adds; the first hundred warm up. */
async function bytesEach(kind: StreamServerKind, sockets: number): Promise<number> {
  const server = await StreamProcess.start(kind);
  const wanted = kind === 'streams' ? channel : null;
  try {
    await server.open(100, wanted);
    const before = await server.memory();
    await server.open(sockets, wanted);
    return ((await server.memory()) - before) / sockets;
  } finally {
    await server.stop();
  }
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const sockets = size.quick ? 3000 : 10_000;
  const samples: number[] = [];
  for (let sample = 0; sample < Math.min(3, size.samples); sample += 1)
    samples.push(await bytesEach('streams', sockets));
  const bare = await bytesEach('bare', sockets);
  report(
    alone(
      {
        name: 'stream/idle',
        unit: 'bytes',
        must: atMost(20_480),
        aim: atMost(8192),
        note:
          `resident bytes for each of ${sockets} connections with one quiet channel; ` +
          `a bare ws server: ${bare.toFixed(0)}`,
      },
      samples,
    ),
  );
}

/** Memory of connections that only wait. */
export const group: BenchGroup = { names: ['stream/idle'], run };
