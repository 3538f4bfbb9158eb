import { type Clock, monotonicClock, repeatedly, type Repeat, timeOfIso, wallClock } from '#base/clock.ts';
import { type ClockWatch, createClockWatch, type EntryTime } from '#main/composition/clock-watch.ts';
import { requireTimeOfMachines } from '#main/cluster/found-exchange.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { startMomentOf } from '#sandbox/sandbox-files.ts';
import {
  type ClockControls,
  createManualTime,
  createRunningTime,
  type SimulatedTime,
} from '#sandbox/simulated-time.ts';
import { createVirtualClock, type VirtualClock } from '#sandbox/virtual-clock.ts';

/** The time of an exchange: of the machine, or of a sandbox that has a time of its own. */
export interface ExchangeTime {
  readonly clock: Clock;
  /** The same clock for the market of a sandbox, which sets it; `null` in production. */
  readonly virtual: VirtualClock | null;
  /** What the exchange's clock follows. */
  readonly present: Clock;
  /** Paces what submits commands without being asked. */
  readonly repeat: Repeat;
  /** Never runs backwards, in the pace of `repeat`. */
  readonly looks: Clock;
  /** Where the history of a new sandbox ends, in milliseconds since 1970 UTC; `null`: at the present. */
  readonly startAt: number | null;
  /** Whether the clock is apart from the machine's: it runs by itself, or stands until it is advanced. */
  readonly apart: Configuration['clock'] | null;
  /** Of a clock that stands; else `null`. */
  readonly controls: ClockControls | null;
  readonly watch: ClockWatch;
  /** Lets a time of its own run, once nothing more is to be prepared. Answers a function that ends it. */
  start(): () => void;
  /** As in `CoreOptions`: the clock of entries, told of the last one. */
  readonly entryTime: (lastEntryAt: number) => EntryTime;
}

/** What the time of an exchange is made from. */
export interface TimeParts {
  readonly config: Configuration;
  /** The data directory. */
  readonly root: string;
  readonly tell: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * The time of a start. That of a sandbox with --now begins there, or at the last entry if that is later: time in which
 * it did not run is none. DEC-OPR-26, DEC-OPR-27, DEC-OPR-28.
 * @throws MomentDiffers, also for a node of a cluster, whose time is that of its machine
 */
export async function openExchangeTime({ config, root, tell, onTrouble }: TimeParts): Promise<ExchangeTime> {
  const isSandbox = config.profile === 'sandbox';
  const asked = config.now === null ? null : timeOfIso(config.now);
  const startAt = isSandbox ? await startMomentOf(root, asked) : null;
  if (config.cluster !== null) await requireTimeOfMachines(root);
  const simulated = startAt === null ? null : createSimulatedTime(config.clock, startAt);
  const present = simulated?.clock ?? wallClock;
  const virtual = isSandbox ? createVirtualClock(present) : null;
  const clock = virtual ?? wallClock;
  const clocks = { clock, wall: wallClock, monotonic: monotonicClock };
  const watch = createClockWatch({ profile: config.profile, root, ...clocks, tell, onTrouble });
  return {
    clock,
    virtual,
    present,
    repeat: simulated?.repeat ?? repeatedly,
    looks: simulated?.clock ?? monotonicClock,
    startAt,
    apart: simulated === null ? null : config.clock,
    controls: simulated?.controls ?? null,
    watch,
    start: () => simulated?.start() ?? (() => {}),
    entryTime: (lastEntryAt) => {
      if (simulated === null || startAt === null) return watch.begin(lastEntryAt);
      // What the machine's clock does is of no concern.
      simulated.goOnFrom(Math.max(startAt, lastEntryAt));
      return { clock, orderEntryStop: () => null };
    },
  };
}

const createSimulatedTime = (mode: Configuration['clock'], startAt: number): SimulatedTime =>
  mode === 'manual' ? createManualTime(startAt) : createRunningTime(startAt, monotonicClock, repeatedly);
