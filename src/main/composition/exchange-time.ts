import { type Clock, monotonicClock, repeatedly, type Repeat, timeOfIso, wallClock } from '#base/clock.ts';
import { type ClockWatch, createClockWatch, type EntryTime } from '#main/composition/clock-watch.ts';
import { requireTimeOfMachines } from '#main/cluster/found-exchange.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { ClockControls, ClockMode } from '#sandbox/clock-controls.ts';
import { keepClock, type KeptClock, keptClockOf, startMomentOf } from '#sandbox/sandbox-files.ts';
import { createSimulatedTime, type SimulatedTime, type TimePace } from '#sandbox/simulated-time.ts';
import { createVirtualClock, type VirtualClock } from '#sandbox/virtual-clock.ts';
import type { ShownClock } from '#sandbox/welcome.ts';

/** The time of an exchange: of the machine, or of a sandbox that has a time of its own. */
export interface ExchangeTime {
  readonly clock: Clock;
  /** The same clock for the market of a sandbox, which sets it; `null` in production. */
  readonly virtual: VirtualClock | null;
  /** What the exchange's clock follows. */
  readonly present: Clock;
  /** Paces what submits commands without being asked. */
  readonly repeat: Repeat;
  /** Never runs backwards, in the pace of `repeat`: by it rate windows pass. DEC-KIT-06. */
  readonly looks: Clock;
  /** How finely a sandbox's time passes; absent where it is that of the machine. */
  readonly pace?: TimePace;
  /** Where the history of a new sandbox ends, in milliseconds since 1970 UTC; `null`: at the present. */
  readonly startAt: number | null;
  /** The clock as people are told of it, where it is apart from the machine's; else `null`. */
  readonly shown: () => ShownClock | null;
  /** Of the clock of a sandbox; `null` in production and in clusters. */
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
 * it did not run is none. Another sandbox follows the machine's clock, unless it was ahead of that when it was stopped:
 * then it runs on from there. How it was told to go on is kept. DEC-OPR-26, DEC-OPR-27, DEC-OPR-28, DEC-KIT-03.
 * @throws MomentDiffers, also for a node of a cluster, whose time is that of its machine
 */
export async function openExchangeTime({ config, root, tell, onTrouble }: TimeParts): Promise<ExchangeTime> {
  const isSandbox = config.profile === 'sandbox';
  const asked = config.now === null ? null : timeOfIso(config.now);
  const startAt = isSandbox ? await startMomentOf(root, asked) : null;
  if (config.cluster !== null) await requireTimeOfMachines(root);
  const isOwn = isSandbox && config.cluster === null;
  const kept = isOwn ? await keptClockOf(root) : null;
  const simulated = isOwn ? createTimeOf(config, startAt, kept) : null;
  const present = simulated?.clock ?? wallClock;
  const virtual = isSandbox ? createVirtualClock(present) : null;
  const clock = virtual ?? wallClock;
  const clocks = { clock, wall: wallClock, monotonic: monotonicClock };
  const isFollowing = (): boolean => simulated === null || simulated.controls.state().mode === 'following';
  // What the machine's clock does is of no concern to one that is apart from it.
  const tellFollowing = (message: string): void => {
    if (isFollowing()) tell(message);
  };
  const watch = createClockWatch({ profile: config.profile, root, ...clocks, tell: tellFollowing, onTrouble });
  let told = kept?.mode ?? null;
  const keep = (): void => {
    const state = simulated?.controls.state();
    const isKept = state !== undefined && (told !== null || state.mode !== 'following');
    if (isKept) keepClock(root, { now: state.now, mode: told, factor: state.factor ?? 1 });
  };
  const tellMode = (mode: ClockMode): void => {
    told = mode;
  };
  return {
    clock,
    virtual,
    present,
    repeat: simulated?.repeat ?? repeatedly,
    looks: simulated?.passed ?? monotonicClock,
    ...(simulated === null ? {} : { pace: simulated.pace }),
    startAt,
    shown: () => shownClock(simulated),
    controls: simulated === null ? null : keptControls(simulated.controls, keep, tellMode),
    watch,
    start: () => {
      const end = simulated?.start() ?? (() => {});
      return () => {
        end();
        keep();
      };
    },
    entryTime: (lastEntryAt) => {
      simulated?.goOnFrom(Math.max(startAt ?? 0, lastEntryAt, kept?.now ?? 0));
      if (isFollowing()) return watch.begin(lastEntryAt);
      return { clock, orderEntryStop: () => null };
    },
  };
}

function shownClock(simulated: SimulatedTime | null): ShownClock | null {
  const state = simulated?.controls.state();
  if (state === undefined || state.mode === 'following') return null;
  return { mode: state.mode === 'standing' ? 'manual' : 'running', now: state.now };
}

/** Whoever asks for a clock that stands gets it; else it goes on as it was told last, or as ever. */
function createTimeOf(
  { clock, simulate }: Configuration,
  startAt: number | null,
  kept: KeptClock | null,
): SimulatedTime {
  const usual = startAt === null ? 'following' : 'running';
  return createSimulatedTime({
    mode: clock === 'manual' ? 'standing' : (kept?.mode ?? usual),
    factor: kept?.factor ?? 1,
    at: startAt ?? 0,
    hasTraders: simulate,
  });
}

/** The same controls; what the clock shows after each is kept, because without entries nothing else tells it later. */
const keptControls = (
  controls: ClockControls,
  keep: () => void,
  tellMode: (mode: ClockMode) => void,
): ClockControls => ({
  ...controls,
  advance: async (byMs, how) => {
    const end = await controls.advance(byMs, how);
    keep();
    return end;
  },
  change: async (to) => {
    await controls.change(to);
    tellMode(controls.state().mode);
    keep();
  },
});
