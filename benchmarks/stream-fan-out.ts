import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { StreamProcess } from './stream-process.ts';

const channel = 'spot@private.deals.v3.api.pb';

/** The streams, and a bare `ws` server that sends the same bytes to as many sockets. */
interface Servers {
  readonly streams: StreamProcess;
  readonly bare: StreamProcess;
}

interface FanOut {
  readonly name: string;
  readonly perTurn: number;
  readonly hasBudget?: true;
}

async function measure(
  { streams, bare }: Servers,
  { name, perTurn, hasBudget }: FanOut,
  size: BenchSize,
): Promise<BenchLine> {
  const sockets = streams.sockets.length;
  const messageSize = await streams.messageSize();
  if ((await bare.messageSize()) !== messageSize) throw new Error('both servers send the same bytes');
  const messages = (size.quick ? 20_000 : 600_000) / sockets;
  const turns = Math.ceil(messages / perTurn);
  const rates = await interleave(
    {
      streams: () => streams.fills(turns, perTurn, messageSize),
      bare: () => bare.fills(turns, perTurn, messageSize),
    },
    size.samples,
  );
  const must = hasBudget === true ? atLeast(3) : null;
  const aim = hasBudget === true ? atLeast(8) : null;
  const note = `${perTurn} fills a turn of ${messageSize} bytes to ${sockets} sockets; against a plain ws loop`;
  return compared({ name, unit: 'msg/s', must, aim, note }, rates.streams, rates.bare);
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const servers = { streams: await StreamProcess.start('streams'), bare: await StreamProcess.start('bare') };
  const open = async (sockets: number): Promise<void> => {
    await servers.streams.open(sockets, channel);
    await servers.bare.open(sockets, null);
  };
  try {
    await open(100);
    if (!size.quick) report(await measure(servers, { name: 'stream/fan-out-100', perTurn: 10 }, size));
    await open(900);
    report(await measure(servers, { name: 'stream/fan-out', perTurn: 10, hasBudget: true }, size));
    if (!size.quick) report(await measure(servers, { name: 'stream/fan-out-single', perTurn: 1 }, size));
  } finally {
    await servers.streams.stop();
    await servers.bare.stop();
  }
}

/** Pushes of one event to many: encoded and framed once, one write for all frames of a turn. Quick: the budget only. */
export const group: BenchGroup = { names: ['stream/fan-out-100', 'stream/fan-out', 'stream/fan-out-single'], run };
