import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BenchGroup } from './harness.ts';
import { alone, atMost } from './harness.ts';

/** `engine/memory`: resident bytes per resting order; every sample in a process of its own. */
export const group: BenchGroup = {
  names: ['engine/memory'],
  run(size, report) {
    const resting = size.quick ? 300_000 : 1_000_000;
    const probe = join(import.meta.dirname, 'memory-probe.js');
    const samples = Array.from({ length: size.quick ? 2 : size.samples }, () =>
      Number(execFileSync(process.execPath, ['--expose-gc', probe, String(resting)], { encoding: 'utf8' })),
    );
    report(
      alone(
        {
          name: 'engine/memory',
          unit: 'bytes',
          must: atMost(250),
          aim: atMost(120),
          note: `growth of resident memory over ${resting} resting orders with client ids, all tables`,
        },
        samples,
      ),
    );
  },
};
