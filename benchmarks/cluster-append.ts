import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, isAsked, median, percentile } from './harness.ts';

/** Bytes of a batch: a quiet exchange's, and a busy one's. */
const sizes = [
  { name: 'cluster/append-200', bytes: 200, most: 40, aim: 15 },
  { name: 'cluster/append-20k', bytes: 20_000, most: 40, aim: 15 },
] as const;

/** Batches that go to the log of a cluster one after the other, as a leader with one caller sends them. */
class Appender {
  private readonly log;
  private last = 0;
  private at = '';

  constructor(endpoints: readonly string[]) {
    this.log = createEtcdLog({ exchange: 'bench-append', endpoints });
  }

  async open(): Promise<void> {
    const head = { epoch: as<Epoch>(1), last: as<Seq>(0), hash: randomBytes(32) };
    await this.log.found({ origin: head.hash, profile: 'production', keyFingerprint: '' }, head);
    this.at = (await this.log.head())!.at;
  }

  /** Milliseconds of each append. */
  async append(count: number, size: number): Promise<Float64Array> {
    const took = new Float64Array(count);
    for (let index = 0; index < count; index += 1) {
      const seq = as<Seq>((this.last += 1));
      const epoch = as<Epoch>(1);
      const batch = {
        segment: 1,
        first: seq,
        last: seq,
        bytes: randomBytes(size),
        epoch,
        appliedUpTo: as<Seq>(seq - 1),
      };
      const began = performance.now();
      const appended = await this.log.append(this.at, { epoch, last: seq, hash: randomBytes(32) }, batch);
      took[index] = performance.now() - began;
      if (!appended.isAppended) throw new Error('somebody else appended');
      this.at = appended.at;
    }
    await this.log.trim(as<Seq>(this.last - 1));
    return took;
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

/** Milliseconds of appending to a file of this disk that has its size already, each append made durable. */
function rawAppends(count: number, size: number): Float64Array {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const file = openSync(join(directory, 'raw'), 'w');
  const bytes = randomBytes(size);
  writeSync(file, new Uint8Array(count * size));
  fdatasyncSync(file);
  const took = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    writeSync(file, bytes, 0, size, index * size);
    fdatasyncSync(file);
    took[index] = performance.now() - began;
  }
  closeSync(file);
  rmSync(directory, { recursive: true, force: true });
  return took;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  // Not before it is run: it looks for etcd, and says so when there is none.
  const { hasEtcd, startEtcdMembers } = await import('../test/cluster/etcd-members.ts');
  if (!hasEtcd) return;
  const etcd = await startEtcdMembers();
  const appender = new Appender(etcd.endpoints);
  const { quick, samples } = size;
  const count = quick ? 150 : 600;
  try {
    await appender.open();
    for (const { name, bytes, most, aim } of sizes) {
      if (!isAsked(name, size)) continue;
      const tails: number[] = [];
      const middles = await interleave(
        {
          log: async () => {
            const took = (await appender.append(count, bytes)).sort();
            tails.push(percentile(took, 0.99));
            return percentile(took, 0.5);
          },
          raw: () => percentile(rawAppends(count, bytes).sort(), 0.5),
        },
        samples,
      );
      const note =
        `p50 of appending ${bytes} B to three members of etcd on this machine, one after the other; p99 ` +
        `${median(tails).toFixed(2)} ms; against a write and fdatasync of a file`;
      const line = { name, unit: 'ms', must: atMost(most), aim: atMost(aim), note };
      report(compared(line, middles.log, middles.raw));
    }
  } finally {
    await appender.close();
    await etcd.stop();
  }
}

/** What a quorum costs beside the own disk. */
export const group: BenchGroup = { names: sizes.map(({ name }) => name), run };
