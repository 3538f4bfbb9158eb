import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave } from './harness.ts';
import { type Pushed, StreamProcess } from './stream-process.ts';

const channel = 'spot@private.deals.v3.api.pb';

/** The streams, and a bare `ws` server that sends the same bytes to as many sockets. */
interface Servers {
  readonly streams: StreamProcess;
  readonly bare: StreamProcess;
}

interface FanOut {
  readonly name: string;
  readonly perTurn: number;
  /** Name of the line of processor time from the same pushes, if there is one. */
  readonly costName?: string;
}

const rateOf = ({ messages, seconds }: Pushed): number => messages / seconds;
const cpuMicroseconds = ({ cpuSeconds, messages }: Pushed): number => (cpuSeconds / messages) * 1e6;

async function measure(
  { streams, bare }: Servers,
  { name, perTurn, costName }: FanOut,
  size: BenchSize,
): Promise<BenchLine[]> {
  const sockets = streams.sockets.length;
  const messageSize = await streams.messageSize();
  if ((await bare.messageSize()) !== messageSize) throw new Error('both servers send the same bytes');
  const messages = (size.quick ? 20_000 : 600_000) / sockets;
  const turns = Math.ceil(messages / perTurn);
  const pushes = await interleave(
    {
      streams: () => streams.fills(turns, perTurn, messageSize),
      bare: () => bare.fills(turns, perTurn, messageSize),
    },
    size.samples,
  );
  const note = `${perTurn} fills a turn of ${messageSize} bytes to ${sockets} sockets; against a plain ws loop`;
  const rates = [pushes.streams.map(rateOf), pushes.bare.map(rateOf)] as const;
  const rate = compared({ name, unit: 'msg/s', must: null, aim: null, note }, ...rates);
  if (costName === undefined) return [rate];
  const costs = [pushes.streams.map(cpuMicroseconds), pushes.bare.map(cpuMicroseconds)] as const;
  const costLine = { name: costName, unit: 'µs/msg', must: atMost(0.4), aim: atMost(0.15) };
  return [compared({ ...costLine, note: `${note}; processor time of the process` }, ...costs), rate];
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const servers = { streams: await StreamProcess.start('streams'), bare: await StreamProcess.start('bare') };
  const open = async (sockets: number): Promise<void> => {
    await servers.streams.open(sockets, channel);
    await servers.bare.open(sockets, null);
  };
  try {
    const tell = async (fanOut: FanOut): Promise<void> => (await measure(servers, fanOut, size)).forEach(report);
    await open(100);
    if (!size.quick) await tell({ name: 'stream/fan-out-100', perTurn: 10 });
    await open(900);
    await tell({ name: 'stream/fan-out', perTurn: 10, costName: 'stream/push-cpu' });
    if (!size.quick) await tell({ name: 'stream/fan-out-single', perTurn: 1 });
  } finally {
    await servers.streams.stop();
    await servers.bare.stop();
  }
}

/** Pushes of one event to many: encoded and framed once, one write for all frames of a turn. Quick: the budget only. */
export const group: BenchGroup = {
  names: ['stream/push-cpu', 'stream/fan-out-100', 'stream/fan-out', 'stream/fan-out-single'],
  run,
};
