import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '#web/office/data/office-calls.ts';
import { type Reading, useCall } from '#web/office/data/use-office.ts';

/** The clock of the sandbox as it was read. */
export type ClockState = Answer<'getClock'>;

const [calmMs, busyMs] = [1000, 250];

/** The clock, read again and again: more often while it advances. */
export function useClock(): Reading<ClockState> {
  const [everyMs, setEvery] = useState(calmMs);
  const reading = useCall('getClock', {}, everyMs);
  const isAdvancing = (reading.value?.advance ?? null) !== null;
  useEffect(() => setEvery(isAdvancing ? busyMs : calmMs), [isAdvancing]);
  return reading;
}

/** How fast it goes on by itself until it is read again; 0: it stands, or advances by steps. */
export function speedOf({ mode, factor, advance }: ClockState): number {
  if (advance !== null || mode === 'standing') return 0;
  return mode === 'following' ? 1 : Number(factor ?? 1);
}

const shownEveryMs = 100;

/** What the clock shows at this moment, between two readings by its speed; it steps back only where it was set anew. */
export function useShownTime(state: ClockState): number {
  const read = useRef({ state, at: performance.now() });
  if (read.current.state !== state) read.current = { state, at: performance.now() };
  const shown = (): number => Math.floor(state.now + (performance.now() - read.current.at) * speedOf(state));
  const [now, setNow] = useState(shown);
  useEffect(() => {
    setNow(shown());
    if (speedOf(state) === 0) return;
    const timer = setInterval(() => setNow(shown()), shownEveryMs);
    return () => clearInterval(timer);
  }, [state]);
  return now;
}
