import { startBaseline } from './baseline.ts';
import type { BenchLine, BenchSize, Budget } from './harness.ts';
import { compared, interleave, median } from './harness.ts';
import { LoadClient } from './load.ts';
import { costed, cpuMicroseconds } from './processor-time.ts';
import { publicRequest, type Signer, signedRequest } from './signed-requests.ts';

/** A GET, with what the exchange answers to it now. */
export interface CostedRead {
  readonly name: string;
  readonly path: string;
  readonly query: string;
  /** Whose read it is; `null`: it is public. */
  readonly signer: Signer | null;
  readonly bytes: string;
}

/** What runs at the exchange while its reads are measured. */
export interface ReadSurroundings {
  readonly pid: number;
  readonly port: number;
  /** Sends so many orders, which change what is read. */
  readonly move: (orders: number) => Promise<unknown>;
  readonly size: BenchSize;
}

const connections = 64;
const durationMsMax = 15_000;
/** One order comes with so many reads. */
const readsPerOrder = 400;

/** A read as bytes of HTTP/1.1, good for a minute from now. */
export function readRequest({ path, query, signer }: Omit<CostedRead, 'bytes' | 'name'>): string {
  if (signer === null) return publicRequest(query === '' ? path : `${path}?${query}`);
  return signedRequest(signer, { method: 'GET', path, query });
}

/** Processor time of all reads, one after the other, against a bare server's that sends the same bytes. */
export async function measureReadCosts(
  line: { readonly name: string; readonly must: Budget; readonly aim: Budget },
  reads: readonly CostedRead[],
  { pid, port, move, size }: ReadSurroundings,
): Promise<BenchLine> {
  const client = new LoadClient();
  const secrets = Object.fromEntries(
    reads.flatMap(({ signer }) => (signer === null ? [] : [[signer.apiKey, signer.secretKey]])),
  );
  const baseline = await startBaseline({ secrets, bodies: reads.map(({ bytes }) => bytes) });
  const answersMax = size.quick ? 3000 : 8000;
  const load = (server: number, request: string) =>
    client.run({
      port: server,
      requests: [request],
      connections,
      durationMs: durationMsMax,
      answersMax,
      rate: null,
    });
  const moved = async (read: CostedRead): Promise<number> => {
    const withOrders = async () => {
      const moving = move(Math.ceil(answersMax / readsPerOrder));
      const result = await load(port, readRequest(read));
      await moving;
      return result;
    };
    return cpuMicroseconds(await costed(pid, withOrders));
  };
  const bare = async (read: CostedRead, index: number): Promise<number> => {
    const path = `/${read.signer === null ? 'bytes' : 'signed'}/${index}`;
    const request = readRequest({ ...read, path, query: '' });
    return cpuMicroseconds(await costed(baseline.pid, () => load(baseline.port, request)));
  };
  try {
    const costs: { readonly exchange: number[]; readonly baseline: number[] } = { exchange: [], baseline: [] };
    const ratios: string[] = [];
    for (const [index, read] of reads.entries()) {
      const each = await interleave({ exchange: () => moved(read), baseline: () => bare(read, index) }, size.samples);
      for (const side of ['exchange', 'baseline'] as const) {
        for (const [at, cost] of each[side].entries()) {
          costs[side][at] = (costs[side][at] ?? 0) + cost / reads.length;
        }
      }
      ratios.push(`${read.name} ${(median(each.exchange) / median(each.baseline)).toFixed(2)}`);
    }
    const note = `processor time of the process; against Fastify sending the same bytes: ${ratios.join(', ')}`;
    return compared({ ...line, unit: 'µs/req', note }, costs.exchange, costs.baseline);
  } finally {
    client.stop();
    baseline.stop();
  }
}
