import { type Clock, isoTime, type Repeat } from '#base/clock.ts';
import {
  hasClockConfirmation,
  keepClockStep,
  keptClockStep,
  leaveClockConfirmation,
  takeClockConfirmation,
} from '#main/composition/clock-confirmation.ts';
import type { ClockFindings } from '#main/metrics/clock-metrics.ts';
import type { Profile } from '#model/profile.ts';
import { ClockGuard, type ClockReturn, type ClockStep, clockTolerance } from '#sequencer/clock-guard.ts';

/** The clock of entries, and whether orders are accepted. DEC-REQ-53. */
export interface EntryTime {
  readonly clock: Clock;
  /** Reason for clients why orders are refused; `null`: they are accepted. */
  readonly orderEntryStop: () => string | null;
}

/** What a clock watch needs. */
export interface ClockWatchParts {
  readonly profile: Profile;
  /** The data directory. */
  readonly root: string;
  /** The exchange's clock: virtual in the sandbox. */
  readonly clock: Clock;
  readonly wall: Clock;
  readonly monotonic: Clock;
  readonly tell: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Watches the machine's clock for an exchange. */
export interface ClockWatch {
  /** Starts at the time of the last entry, 0 for none; called again when the exchange is opened again. */
  begin(lastEntryAt: number): EntryTime;
  /** Checks the clock and confirmations once a second, also without entries. Answers a function that stops it. */
  start(repeat: Repeat, engineTime: () => number): () => void;
  /** What it has found, for metrics. */
  findings(): ClockFindings;
}

const checkMs = 1000;
/** Engine time that is further ahead of the clock than this is reported, in milliseconds. */
const aheadToldMs = 60_000;
const stopForClients = 'order entry is stopped until an operator confirms the clock';

/** In production the machine's clock is guarded; the sandbox accepts every step and reports it. DEC-REQ-52. */
export function createClockWatch(parts: ClockWatchParts): ClockWatch {
  const { profile, root, clock, wall, monotonic, tell, onTrouble } = parts;
  const stops = profile === 'production';
  let guard: ClockGuard | null = null;
  let engineTime = (): number => 0;
  let isAhead = false;
  const keep = (step: ClockStep | null): void => {
    try {
      keepClockStep(root, step);
    } catch (error) {
      onTrouble('keeping what was found out about the clock', error);
    }
  };
  const confirm = (): void => {
    const found = takeClockConfirmation(root, wall.now());
    if (found === null || guard === null) return;
    if (found === 'stale') tell('A confirmation of the clock was found, but it is of another time: it is passed over.');
    else if (guard.unconfirmedStep() === null) tell('The clock was confirmed, though nothing waited for it.');
    else guard.confirm();
  };
  const tellAhead = (): void => {
    const aheadMs = engineTime() - clock.now();
    if (!isAhead && aheadMs > aheadToldMs) {
      isAhead = true;
      tell(aheadText(engineTime(), aheadMs));
    } else if (isAhead && aheadMs <= 0) {
      isAhead = false;
      tell('The clock has caught up with the last entry: time goes on.');
    }
  };
  return {
    begin: (lastEntryAt) => {
      guard = new ClockGuard({
        wall,
        monotonic,
        lastEntryAt,
        unconfirmed: stops ? keptClockStep(root, clockTolerance.stepMs + 1) : null,
        stops,
        onStep: (step) => {
          tell(stops ? stoppedText(step, root) : followedText(step));
          // A step found at a start is not stored: the next start finds it again.
          if (stops && step.kind === 'step') keep(step);
        },
        onReturn: (why) => {
          tell(returnTexts[why]);
          keep(null);
        },
      });
      if (guard.unconfirmedStep() === null) keep(null);
      confirm();
      const begun = guard;
      return {
        clock: stops ? begun : clock,
        orderEntryStop: () => (begun.unconfirmedStep() === null ? null : stopForClients),
      };
    },
    start: (repeat, time) => {
      engineTime = time;
      const check = (): void => {
        guard?.unconfirmedStep();
        tellAhead();
        try {
          confirm();
        } catch (error) {
          onTrouble('taking a confirmation of the clock', error);
        }
      };
      check();
      return repeat(checkMs, check);
    },
    findings: () => ({
      driftMs: guard?.driftMs() ?? 0,
      engineAheadMs: Math.max(0, engineTime() - clock.now()),
      stopsOrderEntry: guard !== null && guard.unconfirmedStep() !== null,
    }),
  };
}

/**
 * Writes a confirmation for the exchange of a data directory and waits briefly for it to be used. `pause` resolves
 * after the given milliseconds.
 */
export async function confirmClock(
  { root, wall, tell }: Pick<ClockWatchParts, 'root' | 'wall' | 'tell'>,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  leaveClockConfirmation(root);
  tell(`Confirmed that this machine's clock is right. It shows ${isoTime(wall.now())}.`);
  for (let waited = 0; waited < 5 * checkMs && hasClockConfirmation(root); waited += 100) await pause(100);
  tell(
    hasClockConfirmation(root)
      ? 'No running exchange took it: a start within the next ten minutes does.'
      : 'The running exchange took it; what became of it stands in its log.',
  );
}

const returnTexts: Readonly<Record<ClockReturn, string>> = {
  confirmed: 'The clock was confirmed: orders are taken again.',
  undone: 'The clock was set back: orders are taken again.',
};

function stoppedText({ kind, byMs, shown }: ClockStep, root: string): string {
  const what =
    kind === 'start'
      ? `The machine's clock shows ${isoTime(shown)}, ${spanText(byMs)} after the last entry.`
      : `The machine's clock was set forward by ${spanText(byMs)}, to ${isoTime(shown)}.`;
  return (
    `${what} Order entry is stopped; cancels and reads go on. ` +
    `If the clock is right, run: bourse confirm-clock ${root}. If it is wrong, set it back.`
  );
}

function followedText({ kind, byMs, shown }: ClockStep): string {
  return kind === 'start'
    ? `The machine's clock shows ${isoTime(shown)}, ${spanText(byMs)} after the last entry: the sandbox follows it.`
    : `The machine's clock was set forward by ${spanText(byMs)}, to ${isoTime(shown)}: the sandbox follows it.`;
}

const aheadText = (engineAt: number, aheadMs: number): string =>
  `The last entry is dated ${isoTime(engineAt)}, ${spanText(aheadMs)} ahead of the clock. What happens until the ` +
  'clock has caught up is dated the same: client order ids in use are not freed and listen keys do not run out before.';

/** `2 days 3 h`, `4 min 5 s`: the two largest parts. */
function spanText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'days'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
