import { readFileSync } from 'node:fs';
import type { BenchSize } from './harness.ts';
import type { LoadClient } from './load.ts';
import type { LoadResult, LoadTask } from './load-client.ts';

/** Ticks of the kernel's process clock per second; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Processor seconds, user and system, that a process has used in all its threads. Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** A load, and the processor time that the server's process used meanwhile. */
export interface CostedLoad extends LoadResult {
  readonly cpuSeconds: number;
}

/**
 * Runs a load and takes the processor time of the server. It says what a request costs whatever else the machine does,
 * which a rate does not.
 */
export async function costed(pid: number, load: () => Promise<LoadResult>): Promise<CostedLoad> {
  const before = cpuSeconds(pid);
  const result = await load();
  return { ...result, cpuSeconds: cpuSeconds(pid) - before };
}

/** Processor microseconds per answer. */
export const cpuMicroseconds = ({ cpuSeconds: used, answers }: CostedLoad): number => (used / answers) * 1e6;

const warmUpMsMax = 120_000;

/**
 * Loads a server until V8 has compiled what it runs. It does so in other threads of the process: for tens of thousands
 * of requests that takes a tenth of its time and more, and nothing on any later day.
 */
export async function warmUp(
  client: LoadClient,
  task: Pick<LoadTask, 'port' | 'requests' | 'connections'>,
  { quick }: BenchSize,
): Promise<void> {
  await client.run({ ...task, durationMs: warmUpMsMax, answersMax: quick ? 20_000 : 60_000, rate: null });
}
