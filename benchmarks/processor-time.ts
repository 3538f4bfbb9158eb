import { readFileSync } from 'node:fs';
import type { LoadResult } from './load-client.ts';

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
