import { execFile } from 'node:child_process';
import { type Clock, stopwatch, wallClock } from '#base/clock.ts';
import { fault, type Finding, ok, warning } from '#main/doctor/finding.ts';

/** Versions of Node that the exchange is tested with, and the first of the oldest. */
const lines = [20, 22, 24];
const oldest = { line: 20, minor: 19 };

/** Whether this Node is one that the exchange runs on. */
export function checkNode(version: string): Finding {
  const [line = 0, minor = 0] = version.split('.').map(Number);
  if (line < oldest.line || (line === oldest.line && minor < oldest.minor))
    return fault(
      'Node',
      `${version} is too old`,
      `install Node ${lines.join(', ')}: at least ${oldest.line}.${oldest.minor}`,
    );
  if (lines.includes(line)) return ok('Node', version);
  return warning(
    'Node',
    `${version} is not one that the exchange is tested with`,
    `install Node ${lines.join(' or ')}`,
  );
}

/** How long the clocks are compared, and how far they may come apart in that time. */
const comparedMs = 1000;
const apartMaxMs = 20;

/** Whether the machine's calendar time runs as its monotonic time does. */
export async function checkClockRate(
  pause: (ms: number) => Promise<unknown>,
  wall: Clock = wallClock,
): Promise<Finding> {
  const [wallFrom, from] = [wall.now(), stopwatch()];
  await pause(comparedMs);
  const [passed, steady] = [wall.now() - wallFrom, stopwatch() - from];
  const apart = Math.round(passed - steady);
  if (Math.abs(apart) <= apartMaxMs)
    return ok('clock', `calendar and monotonic time agree over ${Math.round(steady)} ms`);
  return warning(
    'clock',
    `within ${Math.round(steady)} ms calendar time moved ${apart} ms apart from monotonic time`,
    'let one time service set the clock, by slewing and not by steps',
  );
}

const timedatectlMs = 5000;

/** Whether a time service keeps the clock, as far as this machine tells. */
export async function checkTimeService(): Promise<Finding> {
  const synchronised = await timedatectl();
  if (synchronised === null) return ok('time service', 'not known: timedatectl does not answer here');
  if (synchronised) return ok('time service', 'the clock is synchronised');
  return warning('time service', 'the clock is not synchronised', 'turn on NTP: timedatectl set-ntp true');
}

function timedatectl(): Promise<boolean | null> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  return new Promise((resolve) => {
    execFile('timedatectl', args, { timeout: timedatectlMs }, (error, stdout) => {
      const said = stdout.trim();
      resolve(error === null && (said === 'yes' || said === 'no') ? said === 'yes' : null);
    });
  });
}
