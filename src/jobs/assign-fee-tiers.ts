import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import { engineLimits } from '#model/limits.ts';
import type { Command } from '#model/command.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What assigning fee tiers needs of the exchange. */
export interface FeeTierPorts {
  readonly ingress: { submit(command: Command): Promise<Pick<Outcome, 'events'>> };
  readonly queries: Pick<ExchangeQueries, 'feeTiers'>;
}

/** The same, with what makes it a job. */
export interface FeeTierOptions extends FeeTierPorts {
  /** The exchange's clock: its midnight, UTC, begins a day. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly everyMs: number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Gives all accounts the tiers of the day that has begun at `now`, one command of bounded size after the other. The
 * engine computes them, and keeps how far it is: a repetition, also after a restart, goes on there. DEC-OPR-213.
 */
export async function assignDueFeeTiers(
  { ingress, queries }: FeeTierPorts,
  now: TimestampMs,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const isBegun = (await queries.feeTiers.due(now))?.isBegun ?? true;
  // Any entry begins the day.
  if (!isBegun) await ingress.submit({ kind: 'advanceClock' });
  for (let due = await queries.feeTiers.due(now); due?.isBegun === true && !isStopped(); ) {
    const { events } = await ingress.submit({
      ...{ kind: 'assignFeeTiers', day: due.day, count: engineLimits.feeTiersPerEntry },
    });
    // Tiers were taken away meanwhile, or another day has begun: the next run sees.
    if (events.some(({ kind }) => kind === 'commandRefused')) return;
    due = await queries.feeTiers.due(now);
  }
}

/** Starts the daily assignment of fee tiers. A poll at which nothing is due submits nothing. DEC-OPR-213. */
export function startFeeTierAssignment(options: FeeTierOptions): PollingWorker {
  const { clock, repeat, everyMs, onTrouble } = options;
  const poll = (isStopped: () => boolean): Promise<void> =>
    assignDueFeeTiers(options, as<TimestampMs>(clock.now()), isStopped);
  return startPolling({ what: 'assigning fee tiers', poll, repeat, everyMs, skippedMax: 64, onTrouble });
}
