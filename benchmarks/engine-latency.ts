import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Cut } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost, percentile } from './harness.ts';
import type { LatencyPass } from './latency-probe.ts';

/** How often each operation is timed: the middle of three is its own time, unless the machine stopped it twice. */
const passes = 3;

/** One pass over W1, in a process of its own; answers its samples. */
function onePass(cut: Cut, count: number): Promise<LatencyPass[]> {
  const args = [cut.warmUp, cut.sample, count].map(String);
  const child = fork(join(import.meta.dirname, 'latency-probe.js'), args, { serialization: 'advanced' });
  let taken: LatencyPass[] = [];
  child.on('message', (samples) => (taken = samples as LatencyPass[]));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(taken) : reject(new Error(`a pass over W1 ended with ${code}`))));
  });
}

const middleOfThree = (first: number, second: number, third: number): number =>
  Math.max(Math.min(first, second), Math.min(Math.max(first, second), third));

/** The time of each operation: the middle one of its three passes. */
function ownTimes(sample: readonly LatencyPass[]): Float64Array {
  const [first, second, third] = sample.map(({ took }) => took) as [Float32Array, Float32Array, Float32Array];
  return Float64Array.from(first, (took, index) => middleOfThree(took, second[index]!, third[index]!));
}

interface Tail {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

function tailOf(took: Float64Array): Tail {
  took.sort();
  return { p50: percentile(took, 0.5), p99: percentile(took, 0.99), p999: percentile(took, 0.999) };
}

const described = ({ p50, p99, p999 }: Tail): string => [p50, p99, p999].map((time) => time.toFixed(0)).join(' / ');

/** How often in a second a loop that does nothing is stopped for longer than 10 µs: what no program can do about. */
function stopsOfAnEmptyLoop(): number {
  const seconds = 1;
  const began = performance.now();
  let stops = 0;
  for (let last = began; last < began + seconds * 1000; ) {
    const now = performance.now();
    if (now - last > 0.01) stops += 1;
    last = now;
  }
  return stops / seconds;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 300_000, sample: 100_000 } : { warmUp: 1_666_667, sample: 2_000_000 };
  const runs: LatencyPass[][] = [];
  for (let pass = 0; pass < passes; pass += 1) runs.push(await onePass(cut, size.samples));
  const samples = runs[0]!.map((_, sample) => runs.map((taken) => taken[sample]!));
  const tails = samples.map((sample) => tailOf(ownTimes(sample)));
  const single = runs.flat().map(({ took }) => tailOf(Float64Array.from(took)));
  const scavenges = runs.flat().map((pass) => pass.scavenges);
  const note =
    `p99.9 over p50; ${cut.sample} operations of W1 a sample, each timed in ${passes} processes, of which the middle ` +
    `counts: p50 / p99 / p99.9 ${tails.map(described).join('; ')} ns; as each process had them, with the machine's ` +
    `stops: ${single.map(described).join('; ')} ns; a loop that does nothing was stopped for more than 10 µs ` +
    `${stopsOfAnEmptyLoop().toFixed(0)} times in a second; scavenges a sample: ${scavenges.join(', ')}`;
  const ratios = tails.map(({ p50, p999 }) => p999 / p50);
  report(alone({ name: 'engine/latency', unit: '× p50', must: atMost(10), aim: atMost(6), note }, ratios));
  const worst = { name: 'engine/latency-max', unit: 'ms', must: atMost(20), aim: null };
  const longest = runs.flat().map(({ took }) => took.reduce((most, time) => Math.max(most, time), 0) / 1e6);
  report(alone({ ...worst, note: "longest single operation of each pass, with the machine's stops" }, longest));
  const sweeps = { name: 'engine/latency-collections', unit: 'mark-sweeps', must: atMost(0), aim: null };
  const collections = runs.flat().map((pass) => pass.markSweeps);
  report(alone({ ...sweeps, note: 'mark-sweep collections during the run' }, collections));
}

/** `engine/latency`: the tail of a single operation, and what the collector did meanwhile. */
export const group: BenchGroup = { names: ['engine/latency', 'engine/latency-max', 'engine/latency-collections'], run };
