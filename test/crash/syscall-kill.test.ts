import { describe, expect, test } from 'vitest';
import { killableCalls, runSyscallRounds } from './syscall-rounds.ts';

/** Off unless asked for: needs strace and five minutes. Every Nth call is killed; 1 kills at each. */
const step = Number(process.env['BOURSE_TEST_SYSCALL_STEP'] ?? 0);

describe.runIf(step > 0)('a kill put by the kernel', () => {
  test.each(killableCalls)(
    'I22 I23: at every call of %s loses nothing acknowledged',
    async (call) => {
      const report = await runSyscallRounds(call, step);
      expect(report.faults).toEqual([]);
      expect(report.kills).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
