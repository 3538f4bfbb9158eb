import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { StreamProcess } from './stream-process.ts';

const channel = 'spot@private.deals.v3.api.pb';

/** One deal channel to so many sockets, against a bare `ws` server that sends the same bytes to as many. */
async function measure(
  size: BenchSize,
  report: (line: BenchLine) => void,
  { name, sockets, perTurn, isBudget }: { name: string; sockets: number; perTurn: number; isBudget: boolean },
): Promise<void> {
  const streams = await StreamProcess.start('streams');
  const bare = await StreamProcess.start('bare');
  try {
    await streams.open(sockets, channel);
    await bare.open(sockets, null);
    const messageSize = await streams.messageSize();
    if ((await bare.messageSize()) !== messageSize) throw new Error('both servers send the same bytes');
    const messages = (size.quick ? 200_000 : 600_000) / sockets;
    const turns = Math.ceil(messages / perTurn);
    const rates = await interleave(
      {
        streams: () => streams.fills(turns, perTurn, messageSize),
        bare: () => bare.fills(turns, perTurn, messageSize),
      },
      size.samples,
    );
    report(
      compared(
        {
          name,
          unit: 'msg/s',
          must: isBudget ? atLeast(3) : null,
          aim: isBudget ? atLeast(8) : null,
          note: `${perTurn} fills a turn of ${messageSize} bytes to ${sockets} sockets; against a plain ws loop`,
        },
        rates.streams,
        rates.bare,
      ),
    );
  } finally {
    await streams.stop();
    await bare.stop();
  }
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  await measure(size, report, { name: 'stream/fan-out', sockets: 1000, perTurn: 10, isBudget: true });
  await measure(size, report, { name: 'stream/fan-out-100', sockets: 100, perTurn: 10, isBudget: false });
  await measure(size, report, { name: 'stream/fan-out-single', sockets: 1000, perTurn: 1, isBudget: false });
}

/** Pushes of one event to many: encoded and framed once, one write for all frames of a turn. */
export const group: BenchGroup = { names: ['stream/fan-out', 'stream/fan-out-100', 'stream/fan-out-single'], run };
