import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup } from './harness.ts';
import { alone, atMost } from './harness.ts';
import { cpuSeconds } from './processor-time.ts';

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** `sandbox/idle`: what `npm start` costs while nobody uses it, with the simulated market on. Linux only. */
export const group: BenchGroup = {
  names: ['sandbox/idle', 'sandbox/idle-memory'],
  async run(size, report) {
    const exchange = await startExchange(['--seed', 'bench', '--log-level', 'error']);
    const pid = exchange.child.pid!;
    const shares: number[] = [];
    const memory: number[] = [];
    try {
      await wait(size.quick ? 1000 : 15_000);
      const seconds = size.quick ? 2 : 10;
      for (let sample = 0; sample < size.samples; sample += 1) {
        const before = cpuSeconds(pid);
        const began = performance.now();
        await wait(seconds * 1000);
        shares.push(((cpuSeconds(pid) - before) / ((performance.now() - began) / 1000)) * 100);
        memory.push(residentMegabytes(pid));
      }
    } finally {
      await exchange.stop();
    }
    const ready = `ready after ${exchange.readySeconds.toFixed(1)} s on a fresh data directory`;
    report(
      alone(
        {
          name: 'sandbox/idle',
          unit: '% of a core',
          must: atMost(15),
          aim: atMost(5),
          note: `simulated market on; ${ready}`,
        },
        shares,
      ),
    );
    report(
      alone(
        {
          name: 'sandbox/idle-memory',
          unit: 'MB',
          must: atMost(300),
          aim: atMost(200),
          note: 'resident, the same run',
        },
        memory,
      ),
    );
  },
};
